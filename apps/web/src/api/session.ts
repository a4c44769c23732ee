import type { TokenPair } from '@aval/contract'
import type { Failure } from './failure.ts'
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

export interface SessionParts {
  store: KeyValueStore
  now: () => number
  /** POST auth/token/refresh/ */
  renew: (refresh: string) => Promise<Answer<TokenPair>>
  /** Runs one task at a time, across tabs where the browser can. */
  alone: <Result>(task: () => Promise<Result>) => Promise<Result>
  /** Told when the server refused to renew, and what it said. */
  onRefused?: (failure: Failure) => void
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

export class Session {
  readonly #parts: SessionParts
  readonly #listeners = new Set<() => void>()
  #signedIn: boolean | null = null
  #leaving = false
  #running: Promise<Outcome> | null = null

  constructor(parts: SessionParts) {
    this.#parts = parts
  }

  readonly signedIn = (): boolean | null => this.#signedIn

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** The startup renewal. False means that the server could not be reached, and nothing was decided. */
  async start(): Promise<boolean> {
    const refresh = this.refreshToken()
    if (refresh === null) {
      this.end()
      return true
    }
    // Always, unless another tab starts at the same moment and was first.
    const outcome = await this.#renew(() => this.refreshToken() === refresh)
    if (outcome === 'unreached') return false
    this.#turn(outcome === 'renewed')
    return true
  }

  /** Whether the stored token can be sent as it is. */
  isFresh(): boolean {
    return this.refreshToken() !== null && !this.#isDue()
  }

  /** The token to send, renewed first when it is due; null where there is none. */
  async access(): Promise<string | null> {
    return this.refreshToken() !== null && this.#isDue() ? this.#renewed(() => this.#isDue()) : this.#access()
  }

  /** Renews although it is not due, unless another tab just did: for a token that the server no longer takes. */
  renewNow(refused: string | null): Promise<string | null> {
    return this.#renewed(() => this.#access() === refused)
  }

  open(tokens: TokenPair): void {
    this.#write(tokens)
    this.#turn(true)
  }

  end(): void {
    this.#clear()
    this.#turn(false)
  }

  /**
   * Signing out: the page is about to be replaced. A call that the server refuses meanwhile sends nobody anywhere, and
   * a renewal that comes back late stores nothing.
   */
  leave(): void {
    this.#leaving = true
  }

  refreshToken(): string | null {
    return this.#parts.store.get(REFRESH)
  }

  /** Another tab changed the store: follow it. */
  follow(): void {
    if (this.#signedIn !== null) this.#turn(this.refreshToken() !== null)
  }

  #turn(next: boolean): void {
    if (this.#leaving || this.#signedIn === next) return
    this.#signedIn = next
    for (const listener of this.#listeners) listener()
  }

  #access(): string | null {
    const stored = this.#parts.store.get(ACCESS)
    return stored !== null && TOKEN.test(stored) ? stored : null
  }

  #isDue(): boolean {
    return this.#access() === null || isRenewalDue(this.#parts.store.get(RENEW_AT), this.#parts.now())
  }

  /** The one that renews comes first: a page that dies between two lines can still go on from it. */
  #write(tokens: TokenPair): void {
    if (this.#leaving) return
    const { store, now } = this.#parts
    store.set(REFRESH, tokens.refresh)
    store.set(ACCESS, tokens.access)
    store.set(RENEW_AT, String(now() + RENEW_EVERY))
  }

  #clear(): void {
    for (const key of [ACCESS, REFRESH, RENEW_AT]) this.#parts.store.remove(key)
  }

  async #renewed(isStillNeeded: () => boolean): Promise<string | null> {
    if ((await this.#renew(isStillNeeded)) === 'refused') this.#turn(false)
    return this.#access()
  }

  /** @param isStillNeeded asked again once alone: another tab may have renewed, or signed out, while we waited. */
  #renew(isStillNeeded: () => boolean): Promise<Outcome> {
    this.#running ??= this.#parts
      .alone(async () => {
        if (isStillNeeded()) return this.#ask()
        return this.refreshToken() === null ? 'refused' : 'renewed'
      })
      .finally(() => {
        this.#running = null
      })
    return this.#running
  }

  async #ask(): Promise<Outcome> {
    const refresh = this.refreshToken()
    if (refresh === null) return 'refused'
    const answer = await this.#parts.renew(refresh)
    if ('data' in answer) {
      if (!isPair(answer.data)) return 'unreached'
      this.#write(answer.data)
      return 'renewed'
    }
    // Without an answer the token may still be good; only a refusal ends the session.
    if (typeof answer.error.status === 'string') return 'unreached'
    this.#clear()
    this.#parts.onRefused?.(answer.error)
    return 'refused'
  }
}
