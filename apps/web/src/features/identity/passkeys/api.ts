import type { Passkeys } from '@aval/contract'
import { client } from '../../../api/client.ts'
import type { Wire } from '../../../api/conforms.ts'
import type { MemberProof } from '../../../api/memberProof.ts'

export type PasskeyItem = Wire<'passkeyItem'>
export type MemberKeyKind = Wire<'memberKeyBody'>['kind']
/** A change of which passkey moves the money. */
export interface MemberKeyChange extends Partial<Proof> {
  readonly kind: MemberKeyKind
  readonly version: number
  readonly credential_id?: string
  readonly passkey: MemberProof
}
export type Creation = Wire<'passkeyCreation'>
type Message = Wire<'messageObject'>

/** What a change of passkeys takes besides the session: the password, and a code where two-factor is on. */
export interface Proof {
  readonly current_password: string
  readonly otp?: string
}

/** Whatever changes here changes what keeps money in (`User`), and is an event of its own. */
const changed = (answer: unknown) => (answer === undefined ? [] : (['User', 'Security'] as const))
const post = (path: string, body: object) => ({ path, method: 'POST' as const, body })

const passkeysApi = client.injectEndpoints({
  endpoints: (build) => ({
    passkeys: build.query<Passkeys, void>({
      query: () => ({ path: 'auth/passkeys/' }),
      providesTags: ['Security'],
    }),
    beginPasskey: build.mutation<Creation, Proof>({
      query: (proof) => post('auth/passkeys/begin/', proof),
    }),
    addPasskey: build.mutation<PasskeyItem, { credential: Wire<'passkeyRegistration'>; name: string }>({
      query: (body) => post('auth/passkeys/', body),
      invalidatesTags: changed,
    }),
    renamePasskey: build.mutation<Message, { id: string; name: string }>({
      query: (body) => post('auth/passkeys/rename/', body),
      // Also where it is gone: what is shown is old then.
      invalidatesTags: ['Security'],
    }),
    submitMemberKey: build.mutation<Message, MemberKeyChange>({
      query: (body) => post('auth/member-key/', body),
      invalidatesTags: changed,
    }),
    cancelMemberKey: build.mutation<Message, void>({
      query: () => post('auth/member-key/cancel/', {}),
      // Also where operators were faster.
      invalidatesTags: ['Security', 'User'],
    }),
    removePasskey: build.mutation<Message, Proof & { id: string }>({
      query: (body) => post('auth/passkeys/remove/', body),
      invalidatesTags: changed,
    }),
  }),
})

export const {
  usePasskeysQuery,
  useBeginPasskeyMutation,
  useAddPasskeyMutation,
  useRenamePasskeyMutation,
  useRemovePasskeyMutation,
  useSubmitMemberKeyMutation,
  useCancelMemberKeyMutation,
} = passkeysApi
