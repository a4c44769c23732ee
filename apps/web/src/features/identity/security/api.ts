import type { Page, SecurityEventItem, SessionItem, TwoFactor } from '@aval/contract'
import { client } from '../../../api/client.ts'
import type { Wire } from '../../../api/conforms.ts'
import { formOf } from '../../../api/form.ts'

export type Passwords = Wire<'changePasswordBody'>
export type Secret = Wire<'twoFactorSetup'>
type Message = Wire<'messageObject'>
type RecoveryCodes = Wire<'recoveryCodes'>

/** Whatever changes here changes what keeps money in (`User`), and is an event of its own. */
const changed = (answer: unknown) => (answer === undefined ? [] : (['User', 'Security'] as const))

const post = (path: string, body?: object) => ({
  path,
  method: 'POST' as const,
  ...(body !== undefined && { body }),
})

const securityApi = client.injectEndpoints({
  endpoints: (build) => ({
    changePassword: build.mutation<Message, Passwords>({
      query: ({ otp = '', ...fields }) =>
        post('auth/user/change-password/', formOf({ ...fields, ...(otp !== '' && { otp }) })),
      invalidatesTags: changed,
    }),
    twoFactor: build.query<TwoFactor, void>({
      query: () => ({ path: 'auth/two-factor/' }),
      providesTags: ['Security'],
    }),
    setUpTwoFactor: build.mutation<Secret, Wire<'twoFactorSetupBody'>>({
      query: (proof) => post('auth/two-factor/setup/', proof),
    }),
    confirmTwoFactor: build.mutation<RecoveryCodes, string>({
      query: (code) => post('auth/two-factor/confirm/', { code }),
      invalidatesTags: changed,
    }),
    renewRecoveryCodes: build.mutation<RecoveryCodes, string>({
      query: (code) => post('auth/two-factor/recovery-codes/', { code }),
      invalidatesTags: changed,
    }),
    turnOffTwoFactor: build.mutation<Message, string>({
      query: (code) => post('auth/two-factor/disable/', { code }),
      invalidatesTags: changed,
    }),
    sessions: build.query<Page<SessionItem>, number>({
      query: (page) => ({ path: `auth/sessions/?page=${page}` }),
      providesTags: ['Security'],
    }),
    endSession: build.mutation<Message, string>({
      query: (id) => post(`auth/sessions/${id}/end/`),
      // Also where it had ended before: what is shown is old then.
      invalidatesTags: ['Security'],
    }),
    endOtherSessions: build.mutation<Message, void>({
      query: () => post('auth/sessions/end-others/'),
      invalidatesTags: ['Security'],
    }),
    securityEvents: build.query<Page<SecurityEventItem>, number>({
      query: (page) => ({ path: `auth/security-events/?page=${page}` }),
      providesTags: ['Security'],
    }),
  }),
})

export const {
  useChangePasswordMutation,
  useTwoFactorQuery,
  useSetUpTwoFactorMutation,
  useConfirmTwoFactorMutation,
  useRenewRecoveryCodesMutation,
  useTurnOffTwoFactorMutation,
  useSessionsQuery,
  useEndSessionMutation,
  useEndOtherSessionsMutation,
  useSecurityEventsQuery,
} = securityApi
