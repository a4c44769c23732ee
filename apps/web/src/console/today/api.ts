import type { OperatorWaiting } from '@aval/contract'
import { client } from '../../api/client.ts'
import { live, operatorQuery } from '../shared/calls.ts'
import type { ConsolePage } from '../shared/place.ts'

const todayApi = client.injectEndpoints({
  endpoints: (build) => ({
    waiting: live(operatorQuery(build, 'operatorWaiting', () => 'operator/waiting/')),
    today: operatorQuery(build, 'operatorToday', () => 'operator/today/'),
  }),
})

export const { useWaitingQuery, useTodayQuery } = todayApi

/** How many things wait, by the page on which they are done. */
export function waitingByPage(waiting: OperatorWaiting | undefined): Partial<Record<ConsolePage, number>> {
  if (waiting === undefined) return {}
  const { withdrawals, runs, decisions, chats, deposits, stop, failing, pools } = waiting
  return {
    withdrawals: withdrawals.count,
    runs: runs.count,
    support: chats.count,
    deposits: deposits.reduce((sum, { count }) => sum + count, 0),
    treasury: pools.length + (stop === null ? 0 : 1),
    today: decisions.count + failing.length,
  }
}
