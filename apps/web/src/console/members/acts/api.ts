import type { MemberView } from '@aval/contract'
import { client } from '../../../api/client.ts'
import { conforms } from '../../../api/conforms.ts'
import { newIdempotencyKey } from '../../../api/idempotency.ts'
import {
  type Coded,
  decision,
  isMessage,
  isOutdated,
  live,
  type Message,
  operatorQuery,
} from '../../shared/calls.ts'

/** What an operator says of an act: whose account, and why. */
interface Act {
  member: number
  reason: string
}

const pathOf = (member: number, act: string) => `operator/members/${member}/${act}/`
/** What was done, and what another operator did first, makes the page out of date. */
const stale = (_answer: unknown, failure: unknown) =>
  failure === undefined || isOutdated(failure) ? (['Operator'] as const) : []

/** What is seen and decided of an account. */
const actsApi = client.injectEndpoints({
  endpoints: (build) => ({
    memberActs: live(
      operatorQuery<'memberActs', number>(build, 'memberActs', (member) => pathOf(member, 'acts')),
    ),
    extraPointsCost: operatorQuery<'extraPointsCost', { member: number; percent: string }>(
      build,
      'extraPointsCost',
      ({ member, percent }) => `${pathOf(member, 'extra-points')}?percent=${encodeURIComponent(percent)}`,
    ),
    freeze: build.mutation<Message, Act & { frozen: boolean } & Coded>({
      query: ({ member, frozen, reason, ...coded }) =>
        decision(pathOf(member, frozen ? 'freeze' : 'unfreeze'), coded, { reason }),
      invalidatesTags: stale,
    }),
    setFundator: build.mutation<Message, Act & { fundator: boolean } & Coded>({
      query: ({ member, fundator, reason, ...coded }) =>
        decision(pathOf(member, 'fundator'), coded, { fundator, reason }),
      invalidatesTags: stale,
    }),
    setExtraPoints: build.mutation<Message, Act & { percent: string; was: string } & Coded>({
      query: ({ member, percent, was, reason, ...coded }) =>
        decision(pathOf(member, 'extra-points'), coded, { percent, was, reason }),
      invalidatesTags: stale,
    }),
    viewMember: build.mutation<MemberView, Act>({
      query: ({ member, reason }) => ({
        path: pathOf(member, 'view'),
        method: 'POST',
        body: { reason },
        fits: conforms((contract) => contract.memberView),
      }),
    }),
  }),
})

/** What helps a member, who proves who asks, and what ends an account. */
const proofsApi = client.injectEndpoints({
  endpoints: (build) => ({
    askRelease: build.mutation<Message, Act & { identified: string } & Coded>({
      query: ({ member, reason, identified, ...coded }) =>
        decision(pathOf(member, 'release'), coded, { reason, identified }),
      invalidatesTags: stale,
    }),
    endRelease: build.mutation<Message, { member: number; agrees: boolean } & Coded>({
      query: ({ member, agrees, ...coded }) =>
        decision(pathOf(member, `release/${agrees ? 'agree' : 'refuse'}`), coded, {}),
      invalidatesTags: stale,
    }),
    askForEmail: build.mutation<Message, Act & { email: string } & Coded>({
      query: ({ member, email, reason, ...coded }) =>
        decision(pathOf(member, 'email'), coded, { email, reason }),
      invalidatesTags: stale,
    }),
    correctEmail: build.mutation<Message, { member: number; email: string; code: string } & Coded>({
      query: ({ member, email, code, ...coded }) =>
        decision(pathOf(member, 'email/confirm'), coded, { email, code }),
      invalidatesTags: stale,
    }),
    correctPhone: build.mutation<Message, Act & { phone: string; was: string } & Coded>({
      query: ({ member, phone, was, reason, ...coded }) =>
        decision(pathOf(member, 'phone'), coded, { phone, was, reason }),
      invalidatesTags: stale,
    }),
    closeMember: build.mutation<Message, Act & { username: string } & Coded>({
      query: ({ member, username, reason, ...coded }) =>
        decision(pathOf(member, 'close'), coded, { username, reason }),
      invalidatesTags: stale,
    }),
    resendMail: build.mutation<Message, { member: number; mail: number }>({
      query: ({ member, mail }) => ({
        path: `operator/members/${member}/mails/${mail}/resend/`,
        method: 'POST',
        headers: { 'Idempotency-Key': newIdempotencyKey() },
        body: {},
        fits: isMessage(),
      }),
      invalidatesTags: stale,
    }),
  }),
})

export const {
  useMemberActsQuery,
  useExtraPointsCostQuery,
  useFreezeMutation,
  useSetFundatorMutation,
  useSetExtraPointsMutation,
  useViewMemberMutation,
} = actsApi

export const {
  useAskReleaseMutation,
  useEndReleaseMutation,
  useAskForEmailMutation,
  useCorrectEmailMutation,
  useCorrectPhoneMutation,
  useCloseMemberMutation,
  useResendMailMutation,
} = proofsApi
