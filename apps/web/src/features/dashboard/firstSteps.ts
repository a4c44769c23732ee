import type { CurrentUser, Dashboard } from '@aval/contract'

/** In the order in which they help: a proven mailbox first, since no money leaves without it. */
const STEPS = ['email', 'invest', 'wallet', 'twoFactor', 'invite'] as const
export type FirstStep = (typeof STEPS)[number]

/** Where a step is done; investing opens over the page. */
export const STEP_PLACES: Readonly<Record<Exclude<FirstStep, 'invest'>, string>> = {
  email: '/profile#email',
  wallet: '/profile?then=withdrawals',
  twoFactor: '/security#two-factor',
  invite: '/referrals',
}

type Known = Pick<CurrentUser, 'email_proven' | 'usdt_wallet' | 'two_factor'>
type Figures = Pick<Dashboard, 'investment_amount' | 'total_profit' | 'direct_users'>

/** A new member's steps, and which of them are done: read off what there is, so that nobody has to tick anything. */
export function stepsOf(user: Known, data: Figures): { step: FirstStep; isDone: boolean }[] {
  const done: Readonly<Record<FirstStep, boolean>> = {
    email: user.email_proven,
    // Who took an investment out again has made it all the same.
    invest: data.investment_amount > 0 || data.total_profit > 0,
    wallet: user.usdt_wallet !== '',
    twoFactor: user.two_factor,
    invite: data.direct_users > 0,
  }
  return STEPS.map((step) => ({ step, isDone: done[step] }))
}

/** Whether there is nothing to show yet: no money of any kind, and none that ever came. */
export const isNewcomer = (data: Figures & Pick<Dashboard, 'holdings'>): boolean =>
  !/[1-9]/.test(data.holdings.total) && data.total_profit === 0
