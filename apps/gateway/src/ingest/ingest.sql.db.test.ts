import { beforeEach, expect, it } from 'vitest'
import { addressOf, createIngestHarness } from '../testing/ingest-harness.ts'
import { PAYER, someAddress, USDT } from '../testing/scripted-chain.ts'
import { suiteHarness } from '../testing/suite.ts'
import type { IncomingTransfer } from './classify.rules.ts'
import { recordIncoming, replaceUnconfirmed, type UnconfirmedTransfer } from './ingest.sql.ts'

const harness = await suiteHarness(createIngestHarness)
beforeEach(() => harness.reset())

const unconfirmed = (block: number): UnconfirmedTransfer => ({
  txid: String(block).padStart(64, '0'),
  position: 0,
  memberId: 1n,
  block,
  value: BigInt(block),
})
const transfer = (changes: Partial<IncomingTransfer> = {}): IncomingTransfer => ({
  nature: 'event',
  txid: 'a'.repeat(64),
  position: 0,
  contract: USDT,
  from: PAYER,
  to: addressOf(1),
  value: 5n,
  verdict: 'credit',
  block: 3,
  at: new Date(0),
  ...changes,
})
const unconfirmedBlocks = async () => (await harness.unconfirmed()).map((line) => line.split(' ')[3])

it('unconfirmed transfers that are solid and not read yet stay until they are read', async () => {
  const { db } = harness.gateway
  await replaceUnconfirmed(db, { scanned: 0, solid: 0 }, [1, 2, 3, 4].map(unconfirmed))
  await replaceUnconfirmed(db, { scanned: 1, solid: 3 }, [unconfirmed(5)])
  expect(await unconfirmedBlocks()).toEqual(['2', '3', '5'])
  await replaceUnconfirmed(db, { scanned: 5, solid: 5 }, [])
  expect(await unconfirmedBlocks()).toEqual([])
})

it('a transfer is new once, and only a credit makes a job', async () => {
  const { db } = harness.gateway
  const all = [
    transfer(),
    transfer({ position: 1, value: 2n ** 256n - 1n, verdict: 'failed' }),
    transfer(),
    transfer({ position: -1, verdict: 'wrong_asset', contract: 'TRX' }),
  ]
  expect(await recordIncoming(db, all)).toEqual([true, true, false, true])
  expect(await recordIncoming(db, all)).toEqual([false, false, false, false])
  expect(await harness.jobs()).toEqual([`credit:${'a'.repeat(64)}:0`])
  expect((await harness.recorded()).map((row) => row.value)).toEqual(['5', '5', String(2n ** 256n - 1n)])
})

it('a transfer to another address is refused, and its transaction rolled back', async () => {
  const { db } = harness.gateway
  const foreign = transfer({ to: someAddress(50), position: 7 })
  await expect(recordIncoming(db, [transfer(), foreign])).rejects.toThrow()
  expect(await harness.recorded()).toEqual([])
})
