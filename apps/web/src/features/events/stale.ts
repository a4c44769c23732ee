import type { MemberEvent } from '@aval/contract'
import type { OTHER_TAGS, TAGS } from '../../api/client.ts'

type Name = (typeof TAGS)[number] | (typeof OTHER_TAGS)[number]
export type Tag = Name | { readonly type: Name; readonly id: string }

const WITHDRAWALS = ['Withdrawals'] as const
const DEPOSITS = ['Deposits'] as const
/** Everything that shows money of one's own; not the tree, which shows everybody's. */
const MONEY = ['User', 'Dashboard', 'Payments', 'InvestmentHistory', ...WITHDRAWALS, ...DEPOSITS] as const

/** What operators' pages keep up to date by themselves (console/shared/calls.ts): not what is being read, page by page. */
const CONSOLE = [{ type: 'Operator', id: 'live' }] as const

/** The answers that each event makes stale: the one list of what the stream refreshes. */
export const STALE: Readonly<Record<Exclude<MemberEvent, 'replaced'>, readonly Tag[]>> = {
  money: MONEY,
  withdrawals: WITHDRAWALS,
  deposits: DEPOSITS,
  console: CONSOLE,
  refresh: [...MONEY, ...CONSOLE],
}
