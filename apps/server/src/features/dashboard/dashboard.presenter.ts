import type { Dashboard } from '@aval/contract'
import { applyRatio, formatAmount, micro, microToJsonNumber, ONE } from '@aval/money'
import { addDays, dayAt, daysBetween, type Lock, lockOf, passiveProfit, spendableOf } from '@aval/plan'
import { presentLocked } from '../../core/locked.rules.ts'
import { asSentence } from '../../core/sentence.rules.ts'
import { CHART_DAYS, type DashboardFacts } from './dashboard.queries.ts'

/** What a percentage is of. */
const HUNDRED = micro(100n * ONE)

const EVENT: Readonly<Record<string, Dashboard['recent'][number]['kind']>> = {
  passive: 'passive',
  direct: 'direct',
  master: 'master',
  binary: 'binary',
  deposit_to_principal: 'investment',
  pending_to_principal: 'investment',
  reinvest: 'investment',
  deposit_to_balance: 'deposit',
  pending_to_balance: 'deposit',
  reverse_investment: 'reversed',
  clawback_profit: 'reversal',
  clawback_commission: 'reversal',
  recover_profit: 'reversal',
  recover_commission: 'reversal',
  withdraw: 'withdrawal',
}

const RECENT = 6

const dollars = (amount: bigint): number => microToJsonNumber(micro(amount))

/** An investment may be paid by several postings of its journal, by what came before and by the balance: together they are one event. */
function presentRecent(rows: DashboardFacts['recent']): Dashboard['recent'] {
  const shown = rows.filter((row) => EVENT[row.kind] !== undefined)
  const events = Map.groupBy(shown, (row) => (EVENT[row.kind] === 'investment' ? row.journal_id : row))
  return [...events.values()].slice(0, RECENT).flatMap((postings) => {
    const [first] = postings
    const kind = EVENT[first?.kind ?? '']
    if (first === undefined || kind === undefined) return []
    const amount = postings.reduce((sum, posting) => sum + posting.amount, 0n)
    return [{ kind, date: first.at.toISOString(), amount: formatAmount(amount), from: first.from_username }]
  })
}

/** One value a day up to today, zero where nothing was paid. */
function presentChart(earned: DashboardFacts['days'], now: Date, timeZone: string): Dashboard['chart_data'] {
  const today = dayAt(now, timeZone)
  const days = Array.from({ length: CHART_DAYS }, (_, index) => addDays(today, index - CHART_DAYS + 1))
  const paid = new Map(earned.map(({ day, amount }) => [day, amount]))
  return {
    labels: days.map((day) => day.slice(5)),
    series: days.map((day) => dollars(paid.get(day) ?? 0n)),
  }
}

function presentTerm({ plan, parts }: DashboardFacts, lock: Lock, now: Date) {
  const first = parts.reduce<Date | null>(
    (first, { investedAt }) => (first === null || investedAt < first ? investedAt : first),
    null,
  )
  if (lock.unlocksAt === null || first === null) {
    const term_days = plan.investment.lockDays
    return { days_profit: 0, withdrawable_date: null, investment_progress: 0, elapsed_days: 0, term_days }
  }
  return {
    days_profit: Math.max(0, daysBetween(dayAt(first, plan.timeZone), dayAt(now, plan.timeZone))),
    withdrawable_date: lock.unlocksAt.toISOString(),
    investment_progress: lock.progress,
    elapsed_days: lock.elapsedDays,
    term_days: lock.termDays,
  }
}

function presentHoldings(
  { balance, held, owed, pending }: DashboardFacts['figures'],
  { unlocked, lockedAmount }: Lock,
): Dashboard['holdings'] {
  const available = spendableOf(micro(balance), micro(owed)) + unlocked
  return {
    total: formatAmount(available + lockedAmount + held + pending),
    available: formatAmount(available),
    invested: formatAmount(lockedAmount),
    held: formatAmount(held),
    pending: formatAmount(pending),
  }
}

/**
 * A day pays on the principal at its beginning, so what is invested now is paid from tomorrow on, on days that pay. Up to the
 * plan's cap, which what waits to be credited counts for as well.
 */
function presentEstimate({ next, figures }: DashboardFacts) {
  if (next === null) return { daily_payment: 0, daily_payment_day: null, daily_percentage: 0 }
  const earned = micro(figures.earned_passive + figures.waiting_passive)
  return {
    daily_payment: microToJsonNumber(passiveProfit(next.terms, micro(figures.principal), earned)),
    daily_payment_day: figures.principal > 0n ? next.day : null,
    daily_percentage: microToJsonNumber(applyRatio(HUNDRED, next.terms.rate)),
  }
}

/** GET core/dashboard/ at a business time. */
export function presentDashboard(facts: DashboardFacts, now: Date): Dashboard {
  const { plan, days, figures, parts, recent, team } = facts
  const lock = lockOf(parts, now)
  return {
    investment_amount: dollars(figures.principal),
    total_profit: dollars(figures.earned),
    ...presentEstimate(facts),
    ...presentTerm(facts, lock, now),
    locked: presentLocked(lock),
    direct_users: team.direct,
    indirect_users: team.indirect,
    chart_data: presentChart(days, now, plan.timeZone),
    profit_by_kind: {
      passive: dollars(figures.earned_passive),
      direct: dollars(figures.earned - figures.earned_passive - figures.earned_binary),
      binary: dollars(figures.earned_binary),
    },
    holdings: presentHoldings(figures, lock),
    awaiting_funding: dollars(figures.awaiting),
    in_review: dollars(figures.in_review),
    pending_investments: figures.pending_investments,
    recent: presentRecent(recent),
    frozen: figures.frozen === null ? null : asSentence(figures.frozen),
  }
}
