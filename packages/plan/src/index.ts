/**
 * The compensation plan: what is paid, to whom, on what. Pure functions over plain data, a file a rule.
 *
 * Terms. *Sponsor*: who introduced a member. *Principal*: what a member has invested. *Active*: principal above zero.
 * *Level*: distance up the sponsor chain, the direct sponsor is level 1. *Master link*: a sponsor's link to a referral
 * promoted to master. *Breakage*: commission that nobody qualified for; it stays in the pool. *Compression*: levels count
 * the active only. *Leg*: a side of the binary tree. *Matched*: points that stood on both legs. *Carried*: points that
 * wait for the other leg. *Flushed*: matched above the cap, and not paid. *Unlocked*: principal whose term is over, which a
 * withdrawal may take.
 */
export {
  forgone,
  type Legs,
  type Match,
  matchable,
  matchLegs,
  UNQUALIFIED,
  type Unqualified,
  unqualified,
} from './binary.ts'
export { addDays, type Day, dayAt, dayStart, daysBetween, isDay, isWeekend } from './calendar.ts'
export {
  type DirectCommissions,
  directCommissions,
  type MissedCommission,
  type Payable,
  type Upline,
} from './direct.ts'
export { type Objection, objections, type SealedRun } from './guards.ts'
export {
  applyDeposit,
  type DepositOutcome,
  feeOn,
  investmentRefusal,
  lockedUntil,
  type OpenInvoice,
  termProgress,
} from './investment.ts'
export {
  cutByCap,
  type DayTerms,
  dailyProfit,
  dailyRate,
  exceedsPlan,
  passiveProfit,
  termsOfDay,
} from './passive.ts'
export {
  DEFAULT_PLAN,
  isPlanContradiction,
  type Plan,
  type PlanContradiction,
  type PlanDocument,
  parsePlan,
} from './plan.ts'
export { type PaidDay, passiveShare } from './reversal.ts'
export {
  approvalsNeeded,
  isLargeShare,
  splitWithdrawal,
  unlockedPrincipal,
  type WithdrawalParts,
  type WithdrawalRefusal,
  withdrawalRefusal,
} from './withdrawal.ts'
