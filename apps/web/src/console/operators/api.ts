import type { OperatorRole } from '@aval/contract'
import { client } from '../../api/client.ts'
import type { Wire } from '../../api/conforms.ts'
import { type Coded, decision, type Message, operatorQuery } from '../shared/calls.ts'

export type OperatorAccount = Wire<'operatorAccount'>
export type OperatorInvitation = Wire<'operatorInvitation'>
export type OperatorCandidate = Wire<'operatorCandidate'>

export type Invite = { member: number; role: OperatorRole; reason: string }
export type RoleChange = Invite & { from: OperatorRole }
export type Reasoned = { id: number; reason: string }

/** Also where it was refused: another admin was faster, and what is shown is old. */
const changed = () => ['Operator' as const]

const operatorsApi = client.injectEndpoints({
  endpoints: (build) => ({
    operators: operatorQuery(build, 'operatorsPage', () => 'operator/operators/'),
    abilityTable: operatorQuery(build, 'abilityTable', () => 'operator/abilities/'),
    operatorCandidate: operatorQuery(
      build,
      'operatorCandidate',
      (name: string) => `operator/operators/candidate/?name=${encodeURIComponent(name)}`,
    ),
    inviteOperator: build.mutation<Message, Invite & Coded>({
      query: ({ member, role, reason, ...coded }) =>
        decision(`operator/operators/${member}/invite/`, coded, { role, reason }),
      invalidatesTags: changed,
    }),
    changeOperatorRole: build.mutation<Message, RoleChange & Coded>({
      query: ({ member, from, role, reason, ...coded }) =>
        decision(`operator/operators/${member}/role/`, coded, { from, role, reason }),
      invalidatesTags: changed,
    }),
    dismissOperator: build.mutation<Message, Reasoned & Coded>({
      query: ({ id, reason, ...coded }) => decision(`operator/operators/${id}/dismiss/`, coded, { reason }),
      invalidatesTags: changed,
    }),
    withdrawInvitation: build.mutation<Message, Reasoned & Coded>({
      query: ({ id, reason, ...coded }) =>
        decision(`operator/invitations/${id}/withdraw/`, coded, { reason }),
      invalidatesTags: changed,
    }),
  }),
})

export const {
  useOperatorsQuery,
  useAbilityTableQuery,
  useLazyOperatorCandidateQuery,
  useInviteOperatorMutation,
  useChangeOperatorRoleMutation,
  useDismissOperatorMutation,
  useWithdrawInvitationMutation,
} = operatorsApi
