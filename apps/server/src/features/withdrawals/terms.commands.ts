/** What a member has that can be withdrawn, and on which terms. */
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
import { selectBalances, selectOwed } from '../../ledger/ledger.commands.ts'
import { hasSecondFactor } from '../identity/second-factor/second-factor.queries.ts'
import { findCoolingEnd } from '../identity/security-log/security-log.queries.ts'
import { investmentDatesOf } from '../investments/investments.queries.ts'
import { planAt } from '../plan-versions/plan-versions.queries.ts'
import { isStopped } from '../reserves/stop.commands.ts'
import { selectAskedSince, selectMember } from './withdrawals.sql.ts'

export interface Means {
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

/** What a member has to withdraw at a business time. */
export async function meansOf(db: Db, memberId: bigint, now: Date): Promise<Means> {
  const { version, plan } = await planAt(db, now)
  const { balance, principal } = await selectBalances(db, memberId)
  const { profit, commission } = await selectOwed(db, memberId)
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

/** What a withdrawal of this amount would be. Where it is not covered, what there is of it. */
function quote(means: Means, amount: Micro): Quote {
  const { spendable, unlocked, askedToday, plan } = means
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
  readonly means: Means
  readonly leftToday: Micro
  readonly coolsUntil: Date | null
  readonly paused: boolean
  readonly wallet: string
  readonly needsOtp: boolean
  readonly quote: Quote | null
}

/** What a member needs to know before asking. @param amount to be quoted; null for none */
export async function readTerms(context: Context, memberId: bigint, amount: Micro | null): Promise<Terms> {
  const { db, config } = context
  const means = await meansOf(db, memberId, await context.clock.now())
  const { dailyLimit } = means.plan.withdrawals
  return {
    means,
    leftToday: micro(means.askedToday > dailyLimit ? 0n : dailyLimit - means.askedToday),
    coolsUntil: await findCoolingEnd(db, memberId, config, new Date()),
    paused: await isStopped(db),
    wallet: (await selectMember(db, memberId)).usdt_wallet,
    needsOtp: await hasSecondFactor(db, memberId),
    quote: amount === null ? null : quote(means, amount),
  }
}
