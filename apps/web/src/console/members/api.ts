import { client } from '../../api/client.ts'
import { operatorList, operatorQuery } from '../shared/calls.ts'

/** A page of a list of one member. */
export interface MemberPage {
  id: string
  page: number
}

const of =
  (what: string) =>
  ({ id, page }: MemberPage) =>
    `operator/members/${id}/${what}/?page=${page}`

const membersApi = client.injectEndpoints({
  endpoints: (build) => ({
    members: operatorQuery(build, 'membersPage', (query: string) => `operator/members/${query}`),
    memberFile: operatorQuery(build, 'memberFile', (id: string) => `operator/members/${id}/`),
    memberMovements: operatorQuery(
      build,
      'movementsPage',
      ({ id, after }: { id: string; after: string | null }) =>
        `operator/members/${id}/movements/${after === null ? '' : `?before=${after}`}`,
    ),
    investmentsOfMember: operatorList(build, 'investmentEntry', of('investments')),
    invoicesOfMember: operatorList(build, 'memberInvoice', of('invoices')),
    depositsOfMember: operatorList(build, 'memberDeposit', of('deposits')),
    paymentsOfMember: operatorList(build, 'payment', of('payments')),
    whyOfMember: operatorQuery(
      build,
      'paymentWhy',
      ({ id, payment }: { id: string; payment: number }) => `operator/members/${id}/payments/${payment}/why/`,
    ),
    withdrawalsOfMember: operatorList(build, 'withdrawal', of('withdrawals')),
    networkOfMember: operatorQuery(build, 'memberNetwork', (id: string) => `operator/members/${id}/network/`),
    referralsOfMember: operatorList(build, 'referral', of('referrals')),
    sessionsOfMember: operatorList(build, 'sessionItem', of('sessions')),
    securityEventsOfMember: operatorList(build, 'securityEventItem', of('security-events')),
    mailsOfMember: operatorList(build, 'memberMail', of('mails')),
    looksAtMember: operatorList(build, 'memberLook', of('looks')),
  }),
})

export const {
  useMembersQuery,
  useMemberFileQuery,
  useMemberMovementsQuery,
  useInvestmentsOfMemberQuery,
  useInvoicesOfMemberQuery,
  useDepositsOfMemberQuery,
  usePaymentsOfMemberQuery,
  useWhyOfMemberQuery,
  useWithdrawalsOfMemberQuery,
  useNetworkOfMemberQuery,
  useReferralsOfMemberQuery,
  useSessionsOfMemberQuery,
  useSecurityEventsOfMemberQuery,
  useMailsOfMemberQuery,
  useLooksAtMemberQuery,
} = membersApi
