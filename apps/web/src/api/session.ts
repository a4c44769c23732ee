import type { TokenPair } from '@aval/contract'
import type { Answer } from './http.ts'
import type { KeyValueStore } from './storage.ts'

/**
 * The session: an access token, the refresh token that renews it, and the instant from which it must be renewed.
 * The flag is null until the first renewal has been decided, then true or false.
 */
export const RENEW_EVERY = 5 * 60 * 1000

const ACCESS = 'access'
const REFRESH = 'refresh'
const RENEW_AT = 'renew_at'

export type SignedIn = boolean | null

export interface SessionParts {
  store: KeyValueStore
  now: () => number
  /** POST auth/token/refresh/ */
  renew: (refresh: string) => Promise<Answer<TokenPair>>
  /** Runs one task at a time, across tabs where the browser can. */
  alone: <Result>(task: () => Promise<Result>) => Promise<Result>
  /** Told when the server refused to renew. */
  onRefused?: () => void
}

export interface Session {
  signedIn(): SignedIn
  subscribe(listener: () => void): () => void
  /** The startup renewal. False means that the server could not be reached, and nothing was decided. */
  start(): Promise<boolean>
  /** The token to send, renewed first when it is due; null where there is none. */
  access(): Promise<string | null>
  /** Renews although it is not due, unless another tab just did: for a token that the server no longer takes. */
  renewNow(refused: string | null): Promise<string | null>
  open(tokens: TokenPair): void
  end(): void
  refreshToken(): string | null
  /** Another tab changed the store: follow it. */
  follow(): void
}

/** Due once the stored instant is past. An unreadable instant is due, and so is one further away than any we write. */
export function isRenewalDue(stored: string | null, now: number): boolean {
  if (stored === null || !/^\d{1,16}$/.test(stored)) return true
  const instant = Number(stored)
  return now >= instant || instant - now > RENEW_EVERY
}

export function createSession(parts: SessionParts): Session {
  const { store, now } = parts
  const listeners = new Set<() => void>()
  let flag: SignedIn = null
  let running: Promise<'renewed' | 'refused' | 'unreached'> | null = null

  const setFlag = (next: boolean) => {
    if (flag === next) return
    flag = next
    for (const listener of listeners) listener()
  }
  const clear = () => {
    for (const key of [ACCESS, REFRESH, RENEW_AT]) store.remove(key)
  }
  const write = (tokens: TokenPair) => {
    store.set(ACCESS, tokens.access)
    store.set(REFRESH, tokens.refresh)
    store.set(RENEW_AT, String(now() + RENEW_EVERY))
  }

  /** @param isStillNeeded asked again once alone: another tab may have renewed while we waited. */
  const renewAlone = (isStillNeeded: () => boolean) => {
    running ??= parts
      .alone(async () => {
        if (!isStillNeeded()) return 'renewed' as const
        const refresh = store.get(REFRESH)
        if (refresh === null) return 'refused' as const
        const answer = await parts.renew(refresh)
        if ('data' in answer) {
          write(answer.data)
          return 'renewed' as const
        }
        // Without an answer the token may still be good; only a refusal ends the session.
        if (typeof answer.error.status === 'string') return 'unreached' as const
        clear()
        parts.onRefused?.()
        return 'refused' as const
      })
      .finally(() => {
        running = null
      })
    return running
  }

  const renewed = async (isStillNeeded: () => boolean) => {
    const outcome = await renewAlone(isStillNeeded)
    if (outcome === 'refused') setFlag(false)
    return store.get(ACCESS)
  }

  return {
    signedIn: () => flag,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async start() {
      if (store.get(REFRESH) === null) {
        clear()
        setFlag(false)
        return true
      }
      const outcome = await renewAlone(() => true)
      if (outcome === 'unreached') return false
      setFlag(outcome === 'renewed')
      return true
    },
    async access() {
      if (store.get(REFRESH) === null) return store.get(ACCESS)
      if (!isRenewalDue(store.get(RENEW_AT), now())) return store.get(ACCESS)
      return renewed(() => isRenewalDue(store.get(RENEW_AT), now()))
    },
    async renewNow(refused) {
      return renewed(() => store.get(ACCESS) === refused)
    },
    open(tokens) {
      write(tokens)
      setFlag(true)
    },
    end() {
      clear()
      setFlag(false)
    },
    refreshToken: () => store.get(REFRESH),
    follow() {
      if (flag !== null) setFlag(store.get(REFRESH) !== null)
    },
  }
}
