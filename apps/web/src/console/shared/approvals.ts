/** What operators approve elsewhere: on a page of its own, which the signer believes and this server neither serves nor answers for. */
import { client } from '../../api/client.ts'
import { type Coded, decision, isOutdated, live, type Message, operatorList, operatorQuery } from './calls.ts'

const approvalsApi = client.injectEndpoints({
  endpoints: (build) => ({
    approvalsPage: operatorQuery(build, 'approvalsPage', () => 'operator/approvals-page/'),
    /** What was proposed and waits; there are fifty at most. */
    openDecisions: live(
      operatorList(build, 'decision', (_argument: null) => 'operator/decisions/?state=open&page_size=50'),
    ),
    withdrawDecision: build.mutation<Message, { id: number } & Coded>({
      query: ({ id, ...coded }) => decision(`operator/decisions/${id}/withdraw/`, coded, {}),
      invalidatesTags: (_answer, failure) =>
        failure === undefined || isOutdated(failure) ? ['Operator'] : [],
    }),
  }),
})

export const { useApprovalsPageQuery, useOpenDecisionsQuery, useWithdrawDecisionMutation } = approvalsApi
