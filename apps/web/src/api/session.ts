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
  /** Whether the stored token can be sent as it is. */
  isFresh(): boolean
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

type Outcome = 'renewed' | 'refused' | 'unreached'

/** What may stand in a header. Anything else in the store is junk, and sending it would fail before it left. */
const TOKEN = /^[\w.~+/=-]{1,4096}$/

/** Whether an answer is a pair at all: whatever else it is, it must not take the place of tokens that may be good. */
function isPair(data: unknown): data is TokenPair {
  const { access, refresh } = (data ?? {}) as Partial<Record<keyof TokenPair, unknown>>
  return [access, refresh].every((token) => typeof token === 'string' && TOKEN.test(token))
}

/** The tokens as they are stored, and the one way to renew them. */
class Tokens {
  readonly #parts: SessionParts
  #running: Promise<Outcome> | null = null

  constructor(parts: SessionParts) {
    this.#parts = parts
  }

  get access(): string | null {
    const stored = this.#parts.store.get(ACCESS)
    return stored !== null && TOKEN.test(stored) ? stored : null
  }

  get refresh(): string | null {
    return this.#parts.store.get(REFRESH)
  }

  isDue(): boolean {
    return this.access === null || isRenewalDue(this.#parts.store.get(RENEW_AT), this.#parts.now())
  }

  /** The one that renews comes first: a page that dies between two lines can still go on from it. */
  write(tokens: TokenPair): void {
    const { store, now } = this.#parts
    store.set(REFRESH, tokens.refresh)
    store.set(ACCESS, tokens.access)
    store.set(RENEW_AT, String(now() + RENEW_EVERY))
  }

  clear(): void {
    for (const key of [ACCESS, REFRESH, RENEW_AT]) this.#parts.store.remove(key)
  }

  /** @param isStillNeeded asked again once alone: another tab may have renewed while we waited. */
  renew(isStillNeeded: () => boolean): Promise<Outcome> {
    this.#running ??= this.#parts
      .alone(async () => (isStillNeeded() ? this.#ask() : this.#asLeft()))
      .finally(() => {
        this.#running = null
      })
    return this.#running
  }

  /** What another tab made of it while we waited. */
  #asLeft(): Outcome {
    return this.refresh === null ? 'refused' : 'renewed'
  }

  async #ask(): Promise<Outcome> {
    const { refresh } = this
    if (refresh === null) return 'refused'
    const answer = await this.#parts.renew(refresh)
    if ('data' in answer) {
      if (!isPair(answer.data)) return 'unreached'
      this.write(answer.data)
      return 'renewed'
    }
    // Without an answer the token may still be good; only a refusal ends the session.
    if (typeof answer.error.status === 'string') return 'unreached'
    this.clear()
    this.#parts.onRefused?.()
    return 'refused'
  }
}

export function createSession(parts: SessionParts): Session {
  const tokens = new Tokens(parts)
  const listeners = new Set<() => void>()
  let flag: SignedIn = null
  const setFlag = (next: boolean) => {
    if (flag === next) return
    flag = next
    for (const listener of listeners) listener()
  }
  const renewed = async (isStillNeeded: () => boolean) => {
    const outcome = await tokens.renew(isStillNeeded)
    if (outcome === 'refused') setFlag(false)
    return tokens.access
  }
  return {
    signedIn: () => flag,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async start() {
      const { refresh } = tokens
      if (refresh === null) {
        tokens.clear()
        setFlag(false)
        return true
      }
      // Always, unless another tab starts at the same moment and was first.
      const outcome = await tokens.renew(() => tokens.refresh === refresh)
      if (outcome === 'unreached') return false
      setFlag(outcome === 'renewed')
      return true
    },
    isFresh: () => tokens.refresh !== null && !tokens.isDue(),
    access: async () =>
      tokens.refresh !== null && tokens.isDue() ? renewed(() => tokens.isDue()) : tokens.access,
    renewNow: (refused) => renewed(() => tokens.access === refused),
    open(pair) {
      tokens.write(pair)
      setFlag(true)
    },
    end() {
      tokens.clear()
      setFlag(false)
    },
    refreshToken: () => tokens.refresh,
    follow() {
      if (flag !== null) setFlag(tokens.refresh !== null)
    },
  }
}
