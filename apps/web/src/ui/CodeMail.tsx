import type { CodeMail as State } from '@aval/contract'
import { client } from '../api/client.ts'
import { conforms } from '../api/conforms.ts'

const codeMailApi = client.injectEndpoints({
  endpoints: (build) => ({
    codeMail: build.query<State, void>({
      query: () => ({ path: 'auth/user/code-mail/', fits: conforms((contract) => contract.codeMail) }),
    }),
  }),
})

const LOOK_EVERY_MS = 5_000
/** Until then it is on its way as usual. */
const USUAL_SECONDS = 20

/** Stands wherever a member is asked for a code that was mailed: that its mail has not left yet, and for how long it is tried. @param say in minutes */
export function CodeMail({ say }: { say: (minutes: number) => string }) {
  const { data } = codeMailApi.useCodeMailQuery(undefined, {
    pollingInterval: LOOK_EVERY_MS,
    skipPollingIfUnfocused: true,
    refetchOnMountOrArgChange: true,
  })
  const seconds = data?.waiting_seconds ?? 0
  return (
    <p className="muted small" role="status">
      <span>{seconds < USUAL_SECONDS ? '' : say(Math.ceil(seconds / 60))}</span>
    </p>
  )
}
