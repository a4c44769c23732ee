import type { AccountClosing, PrivacyTerms } from '@aval/contract'
import { call } from '../../../api/browserSession.ts'
import { client } from '../../../api/client.ts'
import { conforms, type Wire } from '../../../api/conforms.ts'
import { type Answer, http } from '../../../api/http.ts'

type Message = Wire<'messageObject'>
type Proof = Wire<'downloadBody'>

const privacyApi = client.injectEndpoints({
  endpoints: (build) => ({
    // What is left changes with every payment.
    accountClosing: build.query<AccountClosing, void>({
      query: () => ({ path: 'privacy/closing/', fits: conforms((contract) => contract.accountClosing) }),
      keepUnusedDataFor: 0,
    }),
    closeAccount: build.mutation<Message, Wire<'closeAccountBody'>>({
      query: (body) => ({ path: 'privacy/closing/', method: 'POST', body }),
    }),
  }),
})

export const { useAccountClosingQuery, useCloseAccountMutation } = privacyApi

/** Ten minutes: a hundred thousand movements take a while. */
const PATIENCE = 600_000

/** The file itself; it is kept nowhere, so it does not go through the client's cache. */
export function fetchOwnData(kind: 'json' | 'csv', body: Proof): Promise<Answer<Blob>> {
  const path = `privacy/data/${kind}/`
  return call<Blob>({ path, method: 'POST', body, reads: 'blob', patience: PATIENCE })
}

/** A visitor's call: the terms are read before there is an account. */
export function fetchTerms(): Promise<Answer<PrivacyTerms>> {
  return http<PrivacyTerms>(
    { path: 'privacy/terms/', fits: conforms((contract) => contract.privacyTerms) },
    null,
  )
}
