/** Messages that are typed and not yet taken by the server. They outlive the page: nothing that was sent is lost. */
import type { SupportMessage, SupportTopic } from '@aval/contract'
import { type Failure, isUnanswered } from '../../api/failure.ts'
import type { Answer } from '../../api/http.ts'
import { type KeyValueStore, readJson } from '../../api/storage.ts'
import type { Outgoing } from './api.ts'
import { readDraft } from './keeping.ts'

export interface Unsent extends Outgoing {
  /** When it was sent, ISO 8601. */
  date: string
  state: 'sending' | 'failed'
  /** Null for one that another visit left behind. */
  failure: Failure | null
  retries: number
}

interface OutboxState {
  readonly unsent: readonly Unsent[]
  /** Taken since this page was opened. */
  readonly sent: readonly SupportMessage[]
}

interface OutboxParts {
  memberId: number
  store: KeyValueStore
  send: (message: Outgoing) => Promise<Answer<SupportMessage>>
  newKey: () => string
}

/** Automatic retries of a message; after them the member has to press. */
const MOST_RETRIES = 5
const TOO_MANY = 429

/** It may go through if it is sent again as it is. */
const isPassing = (failure: Failure | null) =>
  failure === null || isUnanswered(failure) || failure.status === TOO_MANY || Number(failure.status) >= 500

/** Sends one message at a time, in order. */
export class Outbox {
  readonly #parts: OutboxParts
  readonly #name: string
  readonly #listeners = new Set<() => void>()
  /** Keys that this page is done with, so that what another tab kept is not taken for them. */
  readonly #done = new Set<string>()
  #state: OutboxState
  #isRunning = false

  constructor(parts: OutboxParts) {
    this.#parts = parts
    this.#name = `support.unsent.${parts.memberId}`
    this.#state = { unsent: this.#stored(), sent: [] }
  }

  readonly get = (): OutboxState => this.#state

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** @returns once there is nothing more to try */
  add(text: string, topic: SupportTopic | null, date: string): Promise<void> {
    const message = { key: this.#parts.newKey(), text, topic, date, failure: null, retries: 0 }
    this.#set([...this.#state.unsent, { ...message, state: 'sending' }])
    return this.#run()
  }

  /** Tries everything again that has not gone out, in order. */
  retry(): Promise<void> {
    this.#set(this.#state.unsent.map((message) => ({ ...message, state: 'sending', retries: 0 })))
    return this.#run()
  }

  /** The server can be reached again: what failed for want of that is tried once more. */
  retryPassing(): Promise<void> {
    const again = this.#state.unsent.map((message): Unsent => {
      const isDue = message.state === 'failed' && isPassing(message.failure) && message.retries < MOST_RETRIES
      return isDue ? { ...message, state: 'sending', retries: message.retries + 1 } : message
    })
    if (again.every((message, index) => message === this.#state.unsent[index])) return Promise.resolve()
    this.#set(again)
    return this.#run()
  }

  drop(key: string): void {
    this.#done.add(key)
    this.#set(this.#state.unsent.filter((message) => message.key !== key || message.state === 'sending'))
  }

  async #run(): Promise<void> {
    if (this.#isRunning) return
    this.#isRunning = true
    try {
      for (let next = this.#next(); next !== undefined; next = this.#next()) await this.#sendOne(next)
    } finally {
      this.#isRunning = false
    }
  }

  #next = () => this.#state.unsent.find(({ state }) => state === 'sending')

  async #sendOne({ key, text, topic }: Unsent): Promise<void> {
    const answer = await this.#parts.send({ key, text, topic })
    const { unsent, sent } = this.#state
    if ('data' in answer) {
      this.#done.add(key)
      const rest = unsent.filter((message) => message.key !== key)
      this.#set(rest, [...sent, answer.data])
      return
    }
    const { error: failure } = answer
    // What could not get through keeps what follows from overtaking it.
    const fails = (message: Unsent) =>
      message.key === key || (isPassing(failure) && message.state === 'sending')
    this.#set(unsent.map((message) => (fails(message) ? { ...message, state: 'failed', failure } : message)))
  }

  #set(unsent: readonly Unsent[], sent = this.#state.sent): void {
    this.#state = { unsent, sent }
    this.#keep()
    for (const listener of this.#listeners) listener()
  }

  /** What other tabs kept stays beside one's own. */
  #keep(): void {
    const { store } = this.#parts
    const mine = new Set(this.#state.unsent.map(({ key }) => key))
    const others = this.#stored().filter(({ key }) => !mine.has(key) && !this.#done.has(key))
    const all = [...others, ...this.#state.unsent].map(({ key, text, topic, date }) => ({
      key,
      text,
      topic,
      date,
    }))
    if (all.length === 0) store.remove(this.#name)
    else store.set(this.#name, JSON.stringify(all))
  }

  #stored(): Unsent[] {
    const list = readJson(this.#parts.store, this.#name)
    if (!Array.isArray(list)) return []
    return list.flatMap((value: unknown): Unsent[] => {
      const draft = readDraft(value)
      if (draft === null) return []
      const { key, date } = value as { key?: unknown; date?: unknown }
      if (typeof key !== 'string' || typeof date !== 'string' || Number.isNaN(Date.parse(date))) return []
      return [{ key, date, ...draft, state: 'failed', failure: null, retries: 0 }]
    })
  }
}
