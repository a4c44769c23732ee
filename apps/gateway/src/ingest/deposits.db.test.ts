import { afterAll, beforeAll, beforeEach, expect, inject, it } from 'vitest'
import { PAYER, someAddress, USDT } from '../testing/forge.ts'
import { createHarness, type Harness, our } from '../testing/harness.ts'
import { findOurs, recordTransfers, replaceSightings, type Sighting } from './deposits.sql.ts'
import type { Transfer } from './verdict.rules.ts'

let harness: Harness
beforeAll(async () => {
  harness = await createHarness(inject('ownerUrl'))
})
beforeEach(() => harness.forget())
afterAll(() => harness.close())

const sighting = (block: number): Sighting => ({
  txid: String(block).padStart(64, '0'),
  position: 0,
  memberId: 1n,
  block,
  value: BigInt(block),
})
const transfer = (changes: Partial<Transfer> = {}): Transfer => ({
  nature: 'event',
  txid: 'a'.repeat(64),
  position: 0,
  contract: USDT,
  from: PAYER,
  to: our(1),
  value: 5n,
  verdict: 'credit',
  block: 3,
  at: new Date(0),
  ...changes,
})
const sightedBlocks = async () => (await harness.sightings()).map((line) => line.split(' ')[3])

it('our addresses are told from others, with their members', async () => {
  const ours = await findOurs(harness.gateway.db, [our(2), someAddress(50), our(9)])
  const deposit = (memberId: bigint) => ({ memberId, role: 'deposit' })
  expect(ours).toEqual(
    new Map([
      [our(2), deposit(2n)],
      [our(9), deposit(9n)],
    ]),
  )
  expect((await findOurs(harness.gateway.db, [])).size).toBe(0)
})

it('sightings that are solid and not read yet stay until they are read', async () => {
  const { db } = harness.gateway
  await replaceSightings(db, { scanned: 0, solid: 0 }, [1, 2, 3, 4].map(sighting))
  await replaceSightings(db, { scanned: 1, solid: 3 }, [sighting(5)])
  expect(await sightedBlocks()).toEqual(['2', '3', '5'])
  await replaceSightings(db, { scanned: 5, solid: 5 }, [])
  expect(await sightedBlocks()).toEqual([])
})

it('a transfer is new once, and only a credit makes a job', async () => {
  const { db } = harness.gateway
  const all = [
    transfer(),
    transfer({ position: 1, value: 2n ** 256n - 1n, verdict: 'failed' }),
    transfer(),
    transfer({ position: -1, verdict: 'wrong_asset', contract: 'TRX' }),
  ]
  expect(await recordTransfers(db, all)).toEqual([true, true, false, true])
  expect(await recordTransfers(db, all)).toEqual([false, false, false, false])
  expect(await harness.jobs()).toEqual([`credit:${'a'.repeat(64)}:0`])
  expect((await harness.recorded()).map((row) => row.value)).toEqual(['5', '5', String(2n ** 256n - 1n)])
})

it('one that is not ours is refused, and nothing of its transaction stays', async () => {
  const { db } = harness.gateway
  const foreign = transfer({ to: someAddress(50), position: 7 })
  await expect(recordTransfers(db, [transfer(), foreign])).rejects.toThrow()
  expect(await harness.recorded()).toEqual([])
})
