import { expect, it } from 'vitest'
import { Crashed, type CrashPoint, createLifetime } from '../testing/crashes.ts'
import type { Gateway } from '../testing/gateway.ts'
import { createOutgoingHarness, USDT_UNIT, walletOf } from '../testing/outgoing-harness.ts'
import { suiteHarness } from '../testing/suite.ts'

/** Withdrawals sent by gateways that each crash at another call. */
const harness = await suiteHarness(createOutgoingHarness, { hot: 1_000_000n * USDT_UNIT })

const AMOUNT = 20n * USDT_UNIT
/** Enough for a transfer prepared in the first round to settle. */
const ROUNDS = 6
/** Blocks until what was sent is solid: a gateway that does not crash needs two rounds. */
const UNTIL_SOLID = 4

/** Rounds with blocks after each until the withdrawal is settled; false when the gateway crashed. */
async function runRounds(
  gateway: Gateway,
  ids: number | readonly number[],
  rounds = ROUNDS,
  blocks = 1,
): Promise<boolean> {
  const isPaid = async (id: number) => (await harness.transfers(id)).some(({ state }) => state === 'settled')
  for (let round = 0; round < rounds; round += 1) {
    try {
      await gateway.follow()
      await gateway.send()
    } catch (error) {
      if (error instanceof Crashed) return false
      throw error
    }
    if ((await Promise.all([ids].flat().map(isPaid))).every(Boolean)) return true
    await harness.mine(blocks)
  }
  return true
}

/** It is paid once, by one transfer, and no other of its transfers can still arrive. */
async function check(id: number, to: ReturnType<typeof walletOf>): Promise<void> {
  const transfers = await harness.transfers(id)
  expect(transfers.filter(({ state }) => state === 'settled')).toHaveLength(1)
  expect(transfers.every(({ state }) => state === 'settled' || state === 'expired')).toBe(true)
  expect(await harness.balance(to)).toBe(AMOUNT)
}

let wallet = 0
/** One withdrawal, a gateway that crashes, and one that does not; false when the first crashed. */
async function sendOne(crashPoint: CrashPoint): Promise<boolean> {
  wallet += 1
  const to = walletOf(wallet)
  const id = await harness.approve(to, AMOUNT + USDT_UNIT)
  const survived = await runRounds(harness.gateway({ lifetime: createLifetime(crashPoint) }), id)
  expect((await harness.transfers(id)).filter(({ state }) => state !== 'expired').length).toBeLessThanOrEqual(
    1,
  )
  await runRounds(harness.gateway(), id, ROUNDS, UNTIL_SOLID)
  await check(id, to)
  return survived
}

it.each(['unsent', 'unanswered'] as const)(
  'whichever call to node, signer or database is the last and %s, the withdrawal is paid exactly once',
  async (how) => {
    let crashes = 0
    while (!(await sendOne({ after: crashes, how }))) crashes += 1
    expect(crashes).toBeGreaterThan(60)
    // Each transfer is valid for a minute: after that none can arrive a second time.
    await harness.advance(130)
    await runRounds(harness.gateway(), 0, 1)
    for (let number = wallet - crashes; number <= wallet; number += 1) {
      expect(await harness.balance(walletOf(number))).toBe(AMOUNT)
    }
  },
  180_000,
)

/** More than are prepared, signed and sent one by one, and few enough to be one round. */
const SEVERAL = 5
/** Every such call is the last once: a round of several has some hundred, which are much alike. */
const EVERY = 11

it('several at once are each paid exactly once, whichever call is the last', async () => {
  let survived = false
  for (let after = 2; !survived; after += EVERY) {
    const wallets = Array.from({ length: SEVERAL }, () => walletOf(++wallet))
    const ids: number[] = []
    for (const to of wallets) ids.push(await harness.approve(to, AMOUNT + USDT_UNIT))
    const how = after % 2 === 0 ? 'unsent' : 'unanswered'
    survived = await runRounds(harness.gateway({ lifetime: createLifetime({ after, how }) }), ids)
    await runRounds(harness.gateway(), ids, ROUNDS, UNTIL_SOLID)
    for (const [place, to] of wallets.entries()) await check(ids[place] ?? 0, to)
  }
})
