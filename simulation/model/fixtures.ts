/** Short ways to write a history down and to read an account back, for the tests. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { histories } from './arbitraries.ts'
import { asDecimal, millionths } from './exact.ts'
import type { Account, History, Member, PlanRules, RunResult, Side, Step } from './history.ts'
import { runModel } from './model.ts'

/** Checks what must hold of every history. */
export function always(holds: (history: History) => void): void {
  fc.assert(fc.property(histories(), holds), { numRuns: 200 })
}

export function invest(memberId: number, usd: string): Step {
  return { kind: 'invest', memberId, amount: millionths(usd) }
}

export function reinvest(memberId: number, usd: string): Step {
  return { kind: 'reinvest', memberId, amount: millionths(usd) }
}

/** Several members investing the same. */
export function investEach(memberIds: readonly number[], usd: string): Step[] {
  return memberIds.map((memberId) => invest(memberId, usd))
}

export const day: Step = { kind: 'day' }
export const commissions: Step = { kind: 'commissions' }

export function reverse(investment: number): Step {
  return { kind: 'reverse', investment }
}

export function master(memberId: number): Step {
  return { kind: 'master', memberId }
}

export function extra(memberId: number, percent: string): Step {
  return { kind: 'extra', memberId, percent }
}

export function declare(percent: string): Step {
  return { kind: 'declare', percent }
}

export function newPlan(rules: PlanRules): Step {
  return { kind: 'plan', rules }
}

interface Changes {
  readonly passive?: Partial<PlanRules['passive']>
  readonly direct?: Partial<PlanRules['direct']>
  readonly binary?: Partial<PlanRules['binary']>
}

/** The default plan, but for these changes. */
export function plan(changes: Changes = {}): PlanRules {
  return {
    passive: {
      percentPerPeriod: '10',
      periodDays: 30,
      weekdaysOnly: false,
      capMultiple: null,
      ...changes.passive,
    },
    direct: { levels: ['5', '2', '1'], masterPercent: '1', compression: false, ...changes.direct },
    binary: { percent: '10', dailyCap: millionths('1000'), ...changes.binary },
  }
}

type Seat = readonly [sponsorId: number, parentId: number, side: Side]

/** The root is 1; the seats follow as 2, 3, and so on. */
function network(seats: readonly Seat[]): Member[] {
  const places = seats.map(([sponsorId, parentId, side], at) => ({ id: at + 2, sponsorId, parentId, side }))
  const root = { id: 1, sponsorId: null, parentId: null, side: null }
  return [root, ...places]
}

/** Each member sponsored by the one before and placed under it: 1 at the top, 6 at the bottom. */
export const chain = network([1, 2, 3, 4, 5].map((above) => [above, above, 'L']))

/** 2 and 3 are the root's left and right referrals, 4 and 5 theirs, on the outside; 6 is the root's, spilt over below 4. */
export const tree = network([
  [1, 1, 'L'],
  [1, 1, 'R'],
  [2, 2, 'L'],
  [3, 3, 'R'],
  [1, 4, 'L'],
])

/** What happens, and what else of the history is not as usual. */
type Happens = readonly Step[] | (Partial<History> & Pick<History, 'steps'>)

/** By their titles: what happens, and the lines it comes to. */
export type Cases = Readonly<Record<string, readonly [happens: Happens, ...lines: readonly string[]]>>

/** A test for each case: the lines that its account comes to. */
export function itComesTo(cases: Cases, members: Member[], read: (account: Account) => string[]): void {
  it.each(Object.entries(cases))('%s', (_title, [happens, ...lines]) => {
    expect(read(accountOf(happens, members))).toEqual(lines)
  })
}

/** One percent a day, until one percent of the principal is earned. */
export const onePercentADayUpToOne = plan({
  passive: { percentPerPeriod: '1', periodDays: 1, capMultiple: '0.01' },
})

/** Days one after the other: what happens on each, and the midnight that ends it. */
export const days = (...each: readonly (readonly Step[])[]) => each.flatMap((steps) => [...steps, day])

export const accountOf = (...history: Parameters<typeof historyOf>): Account =>
  runModel(historyOf(...history))

export function historyOf(happens: Happens, members = chain): History {
  const given = 'steps' in happens ? happens : { steps: happens }
  return { firstDay: '2026-05-04', rules: plan(), members, ...given }
}

/** What the runs of one kind paid, and what they did not, a line each: '2026-05-05: 1 gets 3.333333 on 1000'. */
export function linesOf(account: Account, kind: RunResult['kind']): string[] {
  const about = (line: { readonly level: number | null; readonly investment: number | null }) =>
    line.level === null ? '' : ` at level ${line.level} of #${line.investment}`
  return account.runs
    .filter((run) => run.kind === kind)
    .flatMap(({ period, items, missed }) => [
      ...items.map((item) => {
        const paid = `${item.memberId} gets ${item.kind} ${asDecimal(item.amount)}`
        return `${period}: ${paid} on ${asDecimal(item.basis)}${about(item)}`
      }),
      ...missed.map((one) => {
        const notPaid = `${one.memberId} misses ${one.kind} ${asDecimal(one.amount)}`
        return `${period}: ${notPaid}${about(one)}, ${one.reason}`
      }),
    ])
}

/** What the reversals took back, a line each: '#0: 50 of commission from 1, 20 of it owed'. */
export function takenLinesOf(account: Account): string[] {
  return account.reversals.flatMap(({ investment, taken }) =>
    taken.map(({ memberId, pool, amount, owed }) => {
      const line = `#${investment}: ${asDecimal(amount)} of ${pool} from ${memberId}`
      return owed > 0n ? `${line}, ${asDecimal(owed)} of it owed` : line
    }),
  )
}
