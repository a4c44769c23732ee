import type { Failure } from './failure.ts'
import type { Answer } from './http.ts'
import type { KeyValueStore } from './storage.ts'

/**
 * The session: an access token, and the instant from which it must be renewed. What renews it is in a cookie that no script reads, or
 * where the browser takes none, stored here. The flag is null until the first renewal has been decided, then true or false.
 */
export const RENEW_EVERY = 5 * 60 * 1000

/** Which session all tabs are in: it changes with each sign-in and is no secret. Each tab's access token belongs to one. */
const SESSION = 'session'
const REFRESH = 'refresh'
const ACCESS = 'access'
const RENEW_AT = 'renew_at'

/** What opens and renews a session. Where there is no `refresh`, a cookie holds it. */
export interface Tokens {
  readonly access: string
  readonly refresh?: string | undefined
}

/** What one tab tells the others, so that they need not renew as well. */
export interface Renewed {
  readonly session: string
  readonly access: string
  readonly renewAt: number
}

export interface SessionParts {
  /** Of all tabs. */
  store: KeyValueStore
  /** Of this tab: it keeps the access token over a reload, whose page can then ask before the session is renewed. */
  tab: KeyValueStore
  now: () => number
  /** POST auth/token/refresh/; null where nothing is stored, and a cookie may do. */
  renew: (refresh: string | null) => Promise<Answer<Tokens>>
  /** Runs one task at a time, across tabs where the browser can. */
  alone: <Result>(task: () => Promise<Result>) => Promise<Result>
  share?: (renewed: Renewed) => void
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

const isToken = (value: unknown): value is string => typeof value === 'string' && TOKEN.test(value)

/** Whether an answer has tokens at all: whatever else it is, it must not take the place of some that may be good. */
function isTokens(data: unknown): data is Tokens {
  const { access, refresh } = (data ?? {}) as Partial<Record<keyof Tokens, unknown>>
  return isToken(access) && (refresh === undefined || isToken(refresh))
}

export class Session {
  readonly #parts: SessionParts
  readonly #listeners = new Set<() => void>()
  #signedIn: boolean | null = null
  /** The session that this tab's pages are about. */
  #shown: string | null = null
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
    // A token that was stored by itself.
    if (!this.isKept() && this.refreshToken() !== null) this.#begin()
    if (!this.isKept()) {
      this.end()
      return true
    }
    const before = this.#access()
    // Always, unless another tab starts at the same moment and was first.
    const outcome = await this.#renew(() => this.#access() === before)
    if (outcome === 'unreached') return false
    this.#turn(outcome === 'renewed')
    return true
  }

  /** Whether there is a session here, as far as this browser knows. */
  isKept(): boolean {
    return this.#kept() !== null
  }

  /** Whether the stored token can be sent as it is. */
  isFresh(): boolean {
    return !this.#isDue()
  }

  /** The token to send, renewed first when it is due; null where there is none. */
  async access(): Promise<string | null> {
    return this.isKept() && this.#isDue() ? this.#renewed(() => this.#isDue()) : this.#access()
  }

  /** Renews although it is not due, unless another tab just did: for a token that the server no longer takes. */
  renewNow(refused: string | null): Promise<string | null> {
    return this.#renewed(() => this.#access() === refused)
  }

  open(tokens: Tokens): void {
    if (this.#leaving) return
    this.#begin()
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

  /** Null where a cookie holds it, and for junk. */
  refreshToken(): string | null {
    const stored = this.#parts.store.get(REFRESH)
    return isToken(stored) ? stored : null
  }

  /** Another tab changed the store: follow it. Of another session nothing of the last one is shown. */
  follow(): void {
    if (this.#signedIn === null || this.#kept() === this.#shown) return
    this.#turn(false)
    this.#turn(this.isKept())
  }

  /** Another tab renewed. */
  hear({ session, access, renewAt }: Renewed): void {
    if (!this.#leaving && session === this.#kept()) this.#keep(session, access, renewAt)
  }

  #kept(): string | null {
    return this.#parts.store.get(SESSION)
  }

  #begin(): void {
    this.#parts.store.set(SESSION, String(this.#parts.now()))
  }

  #turn(next: boolean): void {
    if (this.#leaving) return
    this.#shown = next ? this.#kept() : null
    if (this.#signedIn === next) return
    this.#signedIn = next
    for (const listener of this.#listeners) listener()
  }

  /** Null, too, where it belongs to a session that another tab has ended or replaced. */
  #access(): string | null {
    const { tab } = this.#parts
    const session = this.#kept()
    const stored = tab.get(ACCESS)
    return session !== null && tab.get(SESSION) === session && isToken(stored) ? stored : null
  }

  #isDue(): boolean {
    return this.#access() === null || isRenewalDue(this.#parts.tab.get(RENEW_AT), this.#parts.now())
  }

  #keep(session: string, access: string, renewAt: number): void {
    const { tab } = this.#parts
    tab.set(SESSION, session)
    tab.set(ACCESS, access)
    tab.set(RENEW_AT, String(renewAt))
  }

  /** The one that renews comes first: a page that dies between two lines can still go on from it. */
  #write({ access, refresh }: Tokens): void {
    const session = this.#kept()
    if (this.#leaving || session === null) return
    const { store, now, share } = this.#parts
    if (refresh === undefined) store.remove(REFRESH)
    else store.set(REFRESH, refresh)
    const renewAt = now() + RENEW_EVERY
    this.#keep(session, access, renewAt)
    share?.({ session, access, renewAt })
  }

  #clear(): void {
    const { store, tab } = this.#parts
    for (const key of [SESSION, REFRESH]) store.remove(key)
    for (const key of [SESSION, ACCESS, RENEW_AT]) tab.remove(key)
  }

  async #renewed(isStillNeeded: () => boolean): Promise<string | null> {
    if ((await this.#renew(isStillNeeded)) === 'refused') this.#turn(false)
    return this.#access()
  }

  /** @param isStillNeeded asked again once alone: another tab may have renewed, or signed out, while we waited. */
  #renew(isStillNeeded: () => boolean): Promise<Outcome> {
    this.#running ??= this.#parts
      .alone(async () => {
        if (!this.isKept()) return 'refused'
        return isStillNeeded() ? this.#ask() : 'renewed'
      })
      .finally(() => {
        this.#running = null
      })
    return this.#running
  }

  async #ask(): Promise<Outcome> {
    const asked = this.#kept()
    const answer = await this.#parts.renew(this.refreshToken())
    // Meanwhile another tab has signed out, or in again: the answer is about nothing that is still there.
    if (this.#kept() !== asked) return this.isKept() ? 'renewed' : 'refused'
    if ('data' in answer) {
      if (!isTokens(answer.data)) return 'unreached'
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
