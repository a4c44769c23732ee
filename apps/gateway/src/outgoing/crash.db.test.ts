import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { Crashed, type CrashPoint, createLifetime } from '../testing/crashes.ts'
import type { Gateway } from '../testing/gateway.ts'
import {
  createOutgoingHarness,
  type OutgoingHarness,
  USDT_UNIT,
  walletOf,
} from '../testing/outgoing-harness.ts'

/** A withdrawal that is paid by gateways of which each dies at another moment. */
let harness: OutgoingHarness
beforeAll(async () => {
  harness = await createOutgoingHarness(inject('ownerUrl'), {
    hot: 1_000_000n * USDT_UNIT,
    cap: 1_000_000n * USDT_UNIT,
  })
})
afterAll(() => harness.close())

const AMOUNT = 20n * USDT_UNIT
/** Enough for a payment that is prepared at the first of them to be settled. */
const ROUNDS = 6

/** Rounds of lifetime and a block after each, until the withdrawal is settled; whether it lived through them. */
async function live(gateway: Gateway, id: number, rounds = ROUNDS): Promise<boolean> {
  for (let round = 0; round < rounds; round += 1) {
    try {
      await gateway.follow()
      await gateway.send()
    } catch (error) {
      if (error instanceof Crashed) return false
      throw error
    }
    if ((await harness.transfers(id)).some(({ state }) => state === 'settled')) return true
    await harness.mine()
  }
  return true
}

/** However it was made: it is paid once, by one transfer, and no other of its transfers can arrive any more. */
async function audit(id: number, to: ReturnType<typeof walletOf>): Promise<void> {
  const payments = await harness.transfers(id)
  expect(payments.filter(({ state }) => state === 'settled')).toHaveLength(1)
  expect(payments.every(({ state }) => state === 'settled' || state === 'expired')).toBe(true)
  expect(await harness.balance(to)).toBe(AMOUNT)
}

let wallet = 0
/** One withdrawal, a gateway that dies, and one that does not; whether the first lived through it all. */
async function story(death: CrashPoint): Promise<boolean> {
  wallet += 1
  const to = walletOf(wallet)
  const id = await harness.approve(to, AMOUNT + USDT_UNIT)
  const survived = await live(harness.gateway({ lifetime: createLifetime(death) }), id)
  expect((await harness.transfers(id)).filter(({ state }) => state !== 'expired').length).toBeLessThanOrEqual(
    1,
  )
  await live(harness.gateway(), id)
  await audit(id, to)
  return survived
}

it.each(['unsent', 'unanswered'] as const)(
  'whichever word to node, signer or database is its last and %s, the withdrawal is paid exactly once',
  async (how) => {
    let deaths = 0
    while (!(await story({ after: deaths, how }))) deaths += 1
    expect(deaths).toBeGreaterThan(60)
    // All of them could live on for a minute at most: now none is left that could arrive a second time.
    await harness.advance(130)
    await live(harness.gateway(), 0, 1)
    for (let number = wallet - deaths; number <= wallet; number += 1) {
      expect(await harness.balance(walletOf(number))).toBe(AMOUNT)
    }
  },
  180_000,
)

it('killed again and again in every lifetime, it is paid once all the same', async () => {
  wallet += 1
  const to = walletOf(wallet)
  const id = await harness.approve(to, AMOUNT + USDT_UNIT)
  for (let lives = 0; lives < 60; lives += 1) {
    const how = lives % 2 === 0 ? 'unsent' : 'unanswered'
    await live(harness.gateway({ lifetime: createLifetime({ after: 6 + lives, how }) }), id, 2)
  }
  await live(harness.gateway(), id)
  await audit(id, to)
})
