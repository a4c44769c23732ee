import { client } from '../../api/client.ts'
import { conforms, type Wire } from '../../api/conforms.ts'
import { isMessage, type Message, operatorQuery } from '../shared/calls.ts'

export type AuditEntry = Wire<'auditEntry'>
export type AuditVerification = Wire<'auditVerification'>

const auditApi = client.injectEndpoints({
  endpoints: (build) => ({
    /** @param search the filters, as in a query string */
    auditTrail: build.infiniteQuery<Wire<'auditPage'>, string, string | null>({
      infiniteQueryOptions: { initialPageParam: null, getNextPageParam: ({ next }) => next ?? undefined },
      query: ({ queryArg, pageParam }) => ({
        path: `operator/audit/?${queryArg}${pageParam === null ? '' : `&before=${pageParam}`}`,
        fits: conforms((contract) => contract.auditPage),
      }),
      keepUnusedDataFor: 0,
    }),
    auditActions: operatorQuery(build, 'auditActions', () => 'operator/audit/actions/'),
    auditVerification: operatorQuery(build, 'auditVerificationAnswer', () => 'operator/audit/verification/'),
    verifyAudit: build.mutation<Message, void>({
      query: () => ({ path: 'operator/audit/verify/', method: 'POST', fits: isMessage() }),
      invalidatesTags: ['Operator'],
    }),
  }),
})

export const {
  useAuditTrailInfiniteQuery,
  useAuditActionsQuery,
  useAuditVerificationQuery,
  useVerifyAuditMutation,
} = auditApi
