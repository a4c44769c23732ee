/**
 * The compensation plan: what is paid, to whom, on what. Pure functions over plain data.
 *
 * Terms. *Sponsor*: who introduced a member. *Principal*: what a member has invested. *Active*: principal above zero.
 * *Level*: distance up the sponsor chain, the direct sponsor is level 1. *Master link*: a sponsor's link to a referral
 * promoted to master. *Breakage*: commission that nobody qualified for; it stays in the pool.
 */
export { addDays, type Day, dayAt, dayStart, daysBetween, isDay } from './calendar.ts'
export {
  type DirectCommissions,
  directCommissions,
  type MissedCommission,
  type Payable,
  type Upline,
} from './direct.ts'
export {
  feeOn,
  investmentRefusal,
  lockedUntil,
  type OpenInvoice,
  type Settlement,
  settle,
  termProgress,
} from './investment.ts'
export { dailyProfit, dailyRate } from './passive.ts'
export { DEFAULT_PLAN, type Plan, type PlanDocument, parsePlan } from './plan.ts'
