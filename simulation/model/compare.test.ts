import { expect, it } from 'vitest'
import { differences, fromFirstInvestment } from './compare.ts'
import { chain, commissions, day, historyOf, invest, reverse } from './fixtures.ts'
import type { Account } from './history.ts'
import { runModel } from './model.ts'

const history = historyOf(
  [day, invest(1, '100'), invest(2, '1000'), commissions, day, reverse(1)],
  chain.slice(0, 2),
)
const expected = runModel(history)

/** The account with one amount wrong. */
function withAmounts(change: (amount: bigint, at: string) => bigint): Account {
  const line = <Line extends { readonly amount: bigint }>(one: Line, at: string) => ({
    ...one,
    amount: change(one.amount, at),
  })
  return {
    ...expected,
    runs: expected.runs.map((run) => ({ ...run, items: run.items.map((item) => line(item, run.kind)) })),
    reversals: expected.reversals.map((one) => ({
      ...one,
      taken: one.taken.map((taken) => line(taken, taken.pool)),
    })),
  }
}

it('accounts that agree leave nothing to say', () => {
  expect(
    differences(
      expected,
      withAmounts((amount) => amount),
    ),
  ).toEqual([])
})

it('a difference of a micro-USDT is named with its run and its line', () => {
  const other = withAmounts((amount, at) => (at === 'direct' ? amount + 1n : amount))
  expect(differences(expected, other)).toEqual([
    'direct run 0-1, items [0]: the model has amount 50000000, basis 1000000000, investment 1, kind direct, level 1, memberId 1; ' +
      'the engine amount 50000001, basis 1000000000, investment 1, kind direct, level 1, memberId 1',
  ])
})

it('so is one in what a reversal takes', () => {
  const other = withAmounts((amount, at) => (at === 'profit' ? amount - 1n : amount))
  expect(differences(expected, other)).toEqual([
    'reversal of #1, taken [1]: the model has amount 3333333, memberId 2, owed 0, pool profit; ' +
      'the engine amount 3333332, memberId 2, owed 0, pool profit',
  ])
})

it('an item too many, a run too few and a wrong total are named as well', () => {
  const [first, ...rest] = expected.totals
  const doubled = expected.runs.map((run) => ({ ...run, items: [...run.items, ...run.items] }))
  expect(differences(expected, { ...expected, runs: doubled })[0]).toMatch(
    /^direct run .* the model has nothing; the engine/,
  )
  expect(differences(expected, { ...expected, runs: expected.runs.slice(1) })[0]).toMatch(
    /^runs: the model has passive run/,
  )
  expect(
    first && differences(expected, { ...expected, totals: [{ ...first, carryLeft: 1n }, ...rest] }),
  ).toHaveLength(1)
})

it('days before anybody invested are left out, and only those', () => {
  const runs = fromFirstInvestment(history, expected).runs.map(({ kind, period }) => `${kind} ${period}`)
  expect(runs).toEqual(['direct 0-1', 'passive 2026-05-06', 'binary 2026-05-05'])
  expect(() => fromFirstInvestment({ ...history, steps: [day, day, day] }, expected)).toThrow(
    'before the first investment',
  )
})

it.each([
  { kind: 'reinvest', memberId: 1, amount: 1n },
  { kind: 'complete', memberId: 1, amount: 2n, received: 1n },
] as const)('an investment from the balance ($kind) is one', (step) => {
  const { runs } = fromFirstInvestment({ ...history, steps: [step, day] }, expected)
  expect(runs).toEqual(expected.runs)
})
