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
export * from './binary.ts'
export * from './calendar.ts'
export * from './direct.ts'
export * from './fee.ts'
export * from './investment.ts'
export * from './passive.ts'
export * from './plan.ts'
export * from './reversal.ts'
export * from './withdrawal.ts'
