import type { TokenPair } from '@aval/contract'
import { forgetAhead, takeAhead } from './ahead.ts'
import { draftStore } from './drafts.ts'
import { type Answer, type HttpRequest, http } from './http.ts'
import { Session } from './session.ts'
import { isText, shaped } from './shape.ts'
import { storage } from './storage.ts'
import { underLock } from './underLock.ts'

export const session = new Session({
  store: storage,
  now: Date.now,
  renew: (refresh) =>
    http<TokenPair>(
      {
        path: 'auth/token/refresh/',
        method: 'POST',
        body: { refresh },
        fits: shaped({ access: isText, refresh: isText }),
      },
      null,
    ),
  // Two tabs share one refresh token that is good for one use: the one that renews holds this lock.
  alone: underLock(navigator.locks, 'aval-session'),
  onRefused: () => {
    // biome-ignore lint/suspicious/noConsole: the product's error catalogue asks for this line
    console.warn('Network response was not ok')
  },
})

window.addEventListener('storage', (event) => {
  if (event.key === null || event.key === 'refresh') session.follow()
})

session.subscribe(() => {
  if (session.signedIn() === false) forgetAhead()
})

/** A call in the member's name: renews first when due, and once more when the server no longer takes the token. */
export async function call<Data>(request: HttpRequest): Promise<Answer<Data>> {
  const ahead = await takeAhead(request)
  if (ahead !== null) return ahead as Answer<Data>
  const access = await session.access()
  const answer = await http<Data>(request, access)
  if (!('error' in answer) || answer.error.status !== 401 || session.refreshToken() === null) {
    if ('error' in answer && answer.error.status === 401) session.end()
    return answer
  }
  const renewed = await session.renewNow(access)
  return renewed === null ? answer : http<Data>(request, renewed)
}

/** Signs out here and at the server, forgets everything stored, and leaves for the root path, or for another. */
export async function signOut(to = '/'): Promise<void> {
  session.leave()
  const refresh = session.refreshToken()
  if (refresh !== null)
    await http({ path: 'auth/logout/', method: 'POST', body: { refresh }, patience: 4000 }, null)
  storage.clear()
  draftStore.clear()
  // "Back" may bring this very page out of the browser's memory, with the account still on it.
  window.addEventListener('pageshow', () => window.location.reload())
  window.location.assign(to)
}
