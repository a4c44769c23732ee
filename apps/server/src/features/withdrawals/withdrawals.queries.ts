/** Withdrawals as members and operators see them, and what a member can withdraw. */
import type { Db } from '@aval/db'
import { type Micro, micro } from '@aval/money'
import {
  addDays,
  dayAt,
  dayStart,
  lockedUntil,
  type Plan,
  splitWithdrawal,
  unlockedPrincipal,
  withdrawalRefusal,
} from '@aval/plan'
import type { Context } from '../../core/context.ts'
import { Refusal } from '../../core/refusal.ts'
import { balancesOf, owedBy } from '../../ledger/ledger.queries.ts'
import { hasSecondFactor } from '../identity/second-factor/second-factor.queries.ts'
import { findCoolingEnd } from '../identity/security-log/security-log.queries.ts'
import { investmentDatesOf } from '../investments/investments.queries.ts'
import { planAt } from '../plan-versions/plan-versions.queries.ts'
import { isStopped } from '../reserves/reserves.queries.ts'
import {
  type MemberFacts,
  type QueueState,
  selectMemberFacts,
  selectQueue,
  selectQueued,
  selectSecurityEvents,
  selectTransfersOf,
} from './withdrawals.operator.sql.ts'
import {
  selectAskedSince,
  selectHead,
  selectMember,
  selectWithdrawal,
  selectWithdrawals,
} from './withdrawals.sql.ts'

/** What a withdrawal is shown against. */
export interface View {
  /** The newest block that the gateway has seen. */
  readonly head: bigint
  /** Business time, and how many milliseconds it is ahead of the system's. */
  readonly now: Date
  readonly ahead: number
}

/** @param now business time */
export async function viewAt(db: Db, now: Date): Promise<View> {
  return { head: await selectHead(db), now, ahead: now.getTime() - Date.now() }
}

/** A member's withdrawals, newest first, and how many there are. */
export function listWithdrawals(db: Db, memberId: bigint, limit: number, offset: number) {
  return selectWithdrawals(db, memberId, limit, offset)
}

/** One of a member's withdrawals. @throws Refusal `withdrawal_not_found`, also for another member's */
export async function readWithdrawal(db: Db, memberId: bigint, id: bigint | null) {
  const row = id === null ? undefined : await selectWithdrawal(db, memberId, id)
  if (row === undefined) throw new Refusal('withdrawal_not_found')
  return row
}

export type ShownWithdrawal = Awaited<ReturnType<typeof readWithdrawal>>

/** What a member has that can be withdrawn. */
export interface Funds {
  readonly version: number
  readonly plan: Plan
  readonly balance: Micro
  readonly principal: Micro
  /** The balance without what the member owes: that is taken from it elsewhere, and never leaves before. */
  readonly spendable: Micro
  readonly owed: Micro
  readonly unlocked: Micro
  /** When principal unlocks, or has; null where there is none. */
  readonly unlocksAt: Date | null
  readonly askedToday: Micro
  readonly dayTurnsAt: Date
}

/** What a member can withdraw at a business time. */
export async function fundsOf(db: Db, memberId: bigint, now: Date): Promise<Funds> {
  const { version, plan } = await planAt(db, now)
  const { balance, principal } = await balancesOf(db, memberId)
  const { profit, commission } = await owedBy(db, memberId)
  const { latest } = await investmentDatesOf(db, memberId)
  const today = dayAt(now, plan.timeZone)
  const owed = micro(profit + commission)
  return {
    version,
    plan,
    balance,
    principal,
    spendable: micro(balance > owed ? balance - owed : 0n),
    owed,
    unlocked: unlockedPrincipal(plan, principal, latest, now),
    unlocksAt: latest === null || principal === 0n ? null : lockedUntil(plan, latest),
    askedToday: await selectAskedSince(db, memberId, dayStart(today, plan.timeZone)),
    dayTurnsAt: dayStart(addDays(today, 1), plan.timeZone),
  }
}

export interface Quote {
  readonly amount: Micro
  readonly arrives: Micro
  readonly fromBalance: Micro
  readonly fromPrincipal: Micro
  /** Why this amount cannot be asked for now; null when it can. */
  readonly refusal: Refusal | null
}

/** What a withdrawal of this amount would be; where it is not covered, the part that is. */
function quoteOf(funds: Funds, amount: Micro): Quote {
  const { spendable, unlocked, askedToday, plan } = funds
  const refused = withdrawalRefusal(plan, amount, { balance: spendable, unlocked, askedToday })
  const parts = splitWithdrawal(amount, spendable, unlocked)
  const { fee } = plan.withdrawals
  return {
    amount,
    arrives: micro(amount > fee ? amount - fee : 0n),
    fromBalance: parts?.fromBalance ?? spendable,
    fromPrincipal: parts?.fromPrincipal ?? unlocked,
    refusal: refused === null ? null : new Refusal(refused.code, { ...refused.params }),
  }
}

export interface Terms {
  readonly funds: Funds
  readonly leftToday: Micro
  readonly coolsUntil: Date | null
  readonly paused: boolean
  readonly wallet: string
  readonly needsOtp: boolean
  readonly quote: Quote | null
}

/** What a member needs to know before a request. @param amount to be quoted; null for none */
export async function readTerms(context: Context, memberId: bigint, amount: Micro | null): Promise<Terms> {
  const { db, config } = context
  const funds = await fundsOf(db, memberId, await context.clock.now())
  const { dailyLimit } = funds.plan.withdrawals
  return {
    funds,
    leftToday: micro(funds.askedToday > dailyLimit ? 0n : dailyLimit - funds.askedToday),
    coolsUntil: await findCoolingEnd(db, memberId, config, new Date()),
    paused: await isStopped(db),
    wallet: (await selectMember(db, memberId)).usdt_wallet,
    needsOtp: await hasSecondFactor(db, memberId),
    quote: amount === null ? null : quoteOf(funds, amount),
  }
}

/** A page of the operators' queue, and how many are in it. */
export function listQueue(db: Db, state: QueueState, limit: number, offset: number) {
  return selectQueue(db, state, limit, offset)
}

export type QueuedWithdrawalRow = Awaited<ReturnType<typeof listQueue>>['rows'][number]

export interface Dossier {
  readonly row: QueuedWithdrawalRow
  readonly member: MemberFacts & { readonly twoFactor: boolean; readonly coolsUntil: Date | null }
  readonly events: Awaited<ReturnType<typeof selectSecurityEvents>>
  readonly transfers: Awaited<ReturnType<typeof selectTransfersOf>>
}

/** One withdrawal with its member's history. @throws Refusal `withdrawal_not_found` */
export async function readDossier({ db, config }: Context, id: bigint | null): Promise<Dossier> {
  const row = id === null ? undefined : await selectQueued(db, id)
  if (row === undefined) throw new Refusal('withdrawal_not_found')
  const memberId = row.member_id
  const [facts, twoFactor, cooling, events, transfers] = await Promise.all([
    selectMemberFacts(db, memberId),
    hasSecondFactor(db, memberId),
    findCoolingEnd(db, memberId, config, new Date()),
    selectSecurityEvents(db, memberId),
    selectTransfersOf(db, memberId, row.id),
  ])
  return { row, member: { ...facts, twoFactor, coolsUntil: cooling }, events, transfers }
}
