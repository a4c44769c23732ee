import { session } from '../../api/browserSession.ts'
import { client } from '../../api/client.ts'
import { language } from '../../api/language.ts'
import { readView } from '../../api/view.ts'
import { follow } from './follow.ts'
import type { Tag } from './stale.ts'

/** The token travels in a header, which EventSource could not send; never in the address. */
async function open(signal: AbortSignal): Promise<Response | null> {
  const ask = (access: string) =>
    fetch('/api/core/events/', {
      signal,
      cache: 'no-store',
      headers: {
        Accept: 'text/event-stream, application/problem+json',
        'Accept-Language': language,
        Authorization: `Bearer ${access}`,
      },
    })
  const access = await session.access()
  if (access === null) return null
  const response = await ask(access)
  if (response.status !== 401) return response
  const renewed = await session.renewNow(access)
  return renewed === null ? null : ask(renewed)
}

type Stale = ReturnType<typeof client.util.invalidateTags>

/** @param dispatch of the store that keeps the answers */
export function followEvents(dispatch: (stale: Stale) => unknown, ending: AbortSignal): void {
  // All tabs of a browser share a stream: a view would hear of another member.
  if (ending.aborted || readView() !== null) return
  const parts = {
    open,
    locks: navigator.locks as LockManager | undefined,
    channel: new BroadcastChannel('aval-events'),
    stale: (tags: readonly Tag[]) => dispatch(client.util.invalidateTags([...tags])),
    random: Math.random,
  }
  follow(parts, ending)
}
