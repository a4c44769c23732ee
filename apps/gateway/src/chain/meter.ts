/**
 * Counts what a node is asked, and knows when it is not to be asked: a provider that limits us is left alone for as long as it says, one
 * that refuses our key for five minutes, and where the day's budget is spent, until midnight (UTC).
 */
import { NodeError } from '@aval/tron'
import { describeError, type Log } from '../core/log.ts'
import type { NodeState, RestingState, Standing } from './network.rules.ts'

export interface MeterOptions {
  readonly name: string
  /** Null: as many as it takes. */
  readonly callsPerDay: number | null
  readonly log: Log
  /** By the system's clock, milliseconds since 1970. */
  readonly now?: () => number
}

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const DAY_MS = 1_440 * MINUTE_MS
const KEY_REST_MS = 5 * MINUTE_MS
const LONGEST_LIMITED_MS = 5 * MINUTE_MS
/** Of the budget; the rest is for what is being sent. */
const READING_PERCENT = 90

const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)

/** @param fellSilent called where the node did not answer: the next answer at its address may be another node's */
export function createMeter(
  { name, callsPerDay, log, now = Date.now }: MeterOptions,
  fellSilent: () => void,
) {
  const [detail, since] = ['', new Date(now())]
  let standing: Standing = { name, state: 'ok', detail, since, day: dayOf(now()), calls: 0, callsPerDay }
  let restUntil = 0
  let timesLimited = 0
  /** Says so in the log, once, and leaves the node alone for so long. */
  const turn = (state: NodeState, detail: string, restMs = 0) => {
    const isNew = state !== standing.state
    if (isNew) log[state === 'ok' ? 'info' : 'warn'](`node.${state}`, { node: name, detail })
    standing = { ...standing, state, detail, ...(isNew && { since: new Date(now()) }) }
    restUntil = now() + restMs
  }
  const restMs = () => Math.max(0, restUntil - now())
  const count = () => {
    if (standing.day !== dayOf(now())) standing = { ...standing, day: dayOf(now()), calls: 0 }
    const { calls } = standing
    if (callsPerDay !== null && calls >= callsPerDay)
      turn('over_budget', `${calls} calls today`, DAY_MS - (now() % DAY_MS))
    if (restMs() > 0) throw new NodeError(standing.state as RestingState, 'not asked', standing.detail)
    standing = { ...standing, calls: calls + 1 }
  }
  const noteFailure = (error: unknown) => {
    if (!(error instanceof NodeError)) return
    const why = describeError(error)
    if (error.code === 'rate_limited') {
      timesLimited += 1
      const doubled = SECOND_MS * 2 ** Math.min(timesLimited, 16)
      turn('rate_limited', why, Math.min(error.retryAfterMs ?? doubled, LONGEST_LIMITED_MS))
    } else if (error.code === 'key_refused') {
      turn('key_refused', why, KEY_REST_MS)
    } else if (error.code === 'unreachable' || error.code === 'timeout') {
      fellSilent()
      turn('away', why)
    }
  }
  return {
    turn,
    /** Asks, unless the node is left alone. @throws NodeError */
    async asked<Answer>(question: () => Promise<Answer>): Promise<Answer> {
      count()
      try {
        const answer = await question()
        timesLimited = 0
        if (standing.state !== 'other_network') turn('ok', '')
        return answer
      } catch (error) {
        noteFailure(error)
        throw error
      }
    },
    /** How long it is not asked, in milliseconds. */
    restMs,
    /** How long reading waits so that the budget lasts until the day's end, in milliseconds. */
    paceMs(): number {
      if (callsPerDay === null || standing.day !== dayOf(now())) return 0
      const readUntil = (standing.calls * 100 * DAY_MS) / (READING_PERCENT * callsPerDay)
      return Math.max(0, readUntil - (now() % DAY_MS))
    },
    /** What was asked before a restart counts, too. */
    resume(day: string, before: number): void {
      if (day === standing.day) standing = { ...standing, calls: standing.calls + before }
    },
    standing: () => standing,
  }
}
