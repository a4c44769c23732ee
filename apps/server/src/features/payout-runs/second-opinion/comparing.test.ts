import { expect, it } from 'vitest'
import { differences, fromFirstInvestment } from './comparing.ts'
import type { Account } from './history.ts'
import { tell } from './model.ts'
import { chain, commissions, day, historyOf, invest, reverse } from './telling.ts'

const history = historyOf(
  { steps: [day, invest(1, '100'), invest(2, '1000'), commissions, day, reverse(1)] },
  chain.slice(0, 2),
)
const told = tell(history)

/** The account as told by somebody who gets one amount wrong. */
function withAmounts(change: (amount: bigint, at: string) => bigint): Account {
  const line = <Line extends { readonly amount: bigint }>(one: Line, at: string) => ({
    ...one,
    amount: change(one.amount, at),
  })
  return {
    ...told,
    runs: told.runs.map((run) => ({ ...run, items: run.items.map((item) => line(item, run.kind)) })),
    reversals: told.reversals.map((one) => ({
      ...one,
      taken: one.taken.map((taken) => line(taken, taken.pool)),
    })),
  }
}

it('accounts that agree leave nothing to say', () => {
  expect(
    differences(
      told,
      withAmounts((amount) => amount),
    ),
  ).toEqual([])
})

it('a difference of a micro-USDT is told with its run and its line', () => {
  const other = withAmounts((amount, at) => (at === 'direct' ? amount + 1n : amount))
  expect(differences(told, other)).toEqual([
    'direct run 0-1, items [0]: the model has amount 50000000, basis 1000000000, investment 1, kind direct, level 1, memberId 1; ' +
      'the engine amount 50000001, basis 1000000000, investment 1, kind direct, level 1, memberId 1',
  ])
})

it('so is one in what a reversal takes', () => {
  const other = withAmounts((amount, at) => (at === 'profit' ? amount - 1n : amount))
  expect(differences(told, other)).toEqual([
    'reversal of #1, taken [1]: the model has amount 3333333, memberId 2, owed 0, pool profit; ' +
      'the engine amount 3333332, memberId 2, owed 0, pool profit',
  ])
})

it('an item too many, a run too few and a standing that is off are told as well', () => {
  const [first, ...rest] = told.standings
  const doubled = told.runs.map((run) => ({ ...run, items: [...run.items, ...run.items] }))
  expect(differences(told, { ...told, runs: doubled })[0]).toMatch(
    /^direct run .* the model has nothing; the engine/,
  )
  expect(differences(told, { ...told, runs: told.runs.slice(1) })[0]).toMatch(
    /^runs: the model has passive run/,
  )
  expect(
    first && differences(told, { ...told, standings: [{ ...first, carryLeft: 1n }, ...rest] }),
  ).toHaveLength(1)
})

it('days before anybody invested are left out, and only those', () => {
  const runs = fromFirstInvestment(history, told).runs.map(({ kind, period }) => `${kind} ${period}`)
  expect(runs).toEqual(['direct 0-1', 'passive 2026-05-06', 'binary 2026-05-05'])
  expect(() => fromFirstInvestment({ ...history, steps: [day, day, day] }, told)).toThrow(
    'before anybody invested',
  )
})
