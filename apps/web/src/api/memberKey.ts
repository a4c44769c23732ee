/** What only the member's passkey may do: what a challenge is computed from, and asking the passkey to sign it. */
import type { MemberKeyParts, MemberKeyState } from '@aval/contract'
import { client } from './client.ts'
import { conforms } from './conforms.ts'
import type { Failure } from './failure.ts'
import type { Asked, ToSign } from './memberProof.ts'

const memberKeyApi = client.injectEndpoints({
  endpoints: (build) => ({
    memberKey: build.query<MemberKeyState, void>({
      query: () => ({ path: 'auth/member-key/', fits: conforms((contract) => contract.memberKeyState) }),
      providesTags: ['Security'],
    }),
    beginMemberKey: build.mutation<MemberKeyParts, void>({
      query: () => ({
        path: 'auth/member-key/challenge/',
        method: 'POST',
        body: {},
        fits: conforms((contract) => contract.memberKeyParts),
      }),
    }),
  }),
})

export const { useMemberKeyQuery, useBeginMemberKeyMutation } = memberKeyApi

/** What became of asking; `refused` by the server. */
type Signed = Asked | { readonly state: 'refused'; readonly failure: Failure }

/** Asks the passkey to sign what the page shows: the page computes the challenge itself. The code for it is fetched then. */
export function useMemberSignature() {
  const [begin] = useBeginMemberKeyMutation()
  /**
   * @param memberId whose page it is
   * @param by a credential's id; without one, the passkey that moves the money
   */
  return async (memberId: number, sign: ToSign, by?: string): Promise<Signed> => {
    const answer = await begin()
    if (answer.error !== undefined) return { state: 'refused', failure: answer.error as Failure }
    try {
      const { askMember } = await import('./memberProof.ts')
      return await askMember(answer.data, memberId, sign, by)
    } catch {
      // The code did not arrive, or what is shown cannot be signed.
      return { state: 'failed', why: 'failed' }
    }
  }
}
