import { forgetAhead, takeAhead } from './ahead.ts'
import { type Answer, type HttpRequest, http } from './http.ts'
import { asOwnApp } from './ownApp.ts'
import { type Renewed, Session, type Tokens } from './session.ts'
import { isText, shaped } from './shape.ts'
import { storage, tabStorage } from './storage.ts'
import { underLock } from './underLock.ts'
import { readView } from './view.ts'

const tabs = new BroadcastChannel('aval-session')

/** The server's sentence about a session that ended by itself. */
let whyEnded: string | null = null

/** Why the session ended, once; null where there is nothing to say of it. */
export function takeWhyEnded(): string | null {
  const sentence = whyEnded
  whyEnded = null
  return sentence
}

const view = readView()

/** A view is a session of its tab alone, and its one token is renewed by itself: the server ends it. */
export const session = new Session({
  store: view === null ? storage : tabStorage,
  tab: tabStorage,
  now: Date.now,
  renew: async (refresh) =>
    view !== null
      ? { data: view }
      : http<Tokens>(
          {
            path: 'auth/token/refresh/',
            method: 'POST',
            headers: asOwnApp(),
            body: { refresh },
            fits: shaped({ access: isText }),
          },
          null,
        ),
  // Two tabs share one refresh token that is good for one use: the one that renews holds this lock.
  alone: underLock(navigator.locks, 'aval-session'),
  share: (renewed) => tabs.postMessage(renewed),
  onRefused: ({ code, detail }) => {
    whyEnded = code === 'session_idle' || code === 'session_expired' ? (detail ?? null) : null
    // biome-ignore lint/suspicious/noConsole: the product's error catalogue asks for this line
    console.warn('Network response was not ok')
  },
})

tabs.onmessage = ({ data }: MessageEvent<Renewed>) => session.hear(data)

window.addEventListener('storage', (event) => {
  if (event.key === null || event.key === 'session') session.follow()
})
// A page that comes back out of the browser's memory heard of nothing while it was there.
window.addEventListener('pageshow', (event) => {
  if (event.persisted) session.follow()
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
  if (!('error' in answer) || answer.error.status !== 401 || !session.isKept()) {
    if ('error' in answer && answer.error.status === 401) session.end()
    return answer
  }
  const renewed = await session.renewNow(access)
  return renewed === null ? answer : http<Data>(request, renewed)
}

/** Kept where a sign-out did not reach the server: the cookie is still there, and no script can remove it. */
const OWED = 'sign_out_owed'

/** Ends the session at the server. */
const tellSignOut = (refresh: string | null) =>
  http({ path: 'auth/logout/', method: 'POST', headers: asOwnApp(), body: { refresh }, patience: 4000 }, null)

/**
 * Signs out here and at the server, forgets everything stored, and leaves for the root path, or for another one, which says something
 * on the way out: in the member's language.
 */
export async function signOut(to = '/'): Promise<void> {
  // Of the operator's session this tab knows nothing.
  if (view !== null) return window.close()
  session.leave()
  const answer = session.isKept() ? await tellSignOut(session.refreshToken()) : null
  const language = to === '/' ? null : storage.get('language')
  storage.clear()
  tabStorage.clear()
  if (language !== null) storage.set('language', language)
  if (answer !== null && 'error' in answer && 'Aval-App' in asOwnApp()) storage.set(OWED, '1')
  // "Back" may bring this very page out of the browser's memory, with the account still on it.
  window.addEventListener('pageshow', () => window.location.reload())
  window.location.assign(to)
}

/** The startup renewal; before it, what an earlier sign-out could not say. Somebody who signed in since has another cookie. */
export async function startSession(): Promise<boolean> {
  if (storage.get(OWED) !== null && (session.isKept() || 'data' in (await tellSignOut(null))))
    storage.remove(OWED)
  return session.start()
}
