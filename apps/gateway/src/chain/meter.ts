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

/** How a node stands: `turn` says so in the log, once. */
function createStanding({ name, log, now = Date.now }: MeterOptions) {
  let [state, detail, since]: [NodeState, string, number] = ['ok', '', now()]
  let restUntil = 0
  const turn = (to: NodeState, why: string) => {
    if (to !== state) {
      since = now()
      log[to === 'ok' ? 'info' : 'warn'](`node.${to}`, { node: name, detail: why })
    }
    ;[state, detail] = [to, why]
  }
  return {
    turn,
    rest(code: RestingState, ms: number, why: string): void {
      restUntil = now() + ms
      turn(code, why)
    },
    restMs: () => (state === 'ok' || state === 'away' ? 0 : Math.max(0, restUntil - now())),
    now: () => ({ name, state, detail, since: new Date(since) }),
  }
}

/** @param fellSilent called where the node did not answer: whoever answers next at its address may be another one */
export function createMeter(options: MeterOptions, fellSilent: () => void) {
  const { callsPerDay, now = Date.now } = options
  const { turn, rest, restMs, now: standing } = createStanding(options)
  let limited = 0
  let [day, calls] = [dayOf(now()), 0]
  const count = () => {
    if (day !== dayOf(now())) [day, calls] = [dayOf(now()), 0]
    if (callsPerDay !== null && calls >= callsPerDay)
      rest('over_budget', DAY_MS - (now() % DAY_MS), `${calls} calls today`)
    const { state, detail } = standing()
    if (restMs() > 0 && state !== 'ok') throw new NodeError(state as RestingState, 'not asked', detail)
    calls += 1
  }
  const noteFailure = (error: unknown) => {
    if (!(error instanceof NodeError)) return
    const why = describeError(error)
    if (error.code === 'rate_limited') {
      limited += 1
      const doubled = SECOND_MS * 2 ** Math.min(limited, 16)
      rest('rate_limited', Math.min(error.retryAfterMs ?? doubled, LONGEST_LIMITED_MS), why)
    } else if (error.code === 'key_refused') {
      rest('key_refused', KEY_REST_MS, why)
    } else if (error.code === 'unreachable' || error.code === 'timeout') {
      fellSilent()
      turn('away', why)
    }
  }
  return {
    turn,
    rest,
    /** Asks, unless the node is left alone. @throws NodeError */
    async asked<Answer>(question: () => Promise<Answer>): Promise<Answer> {
      count()
      try {
        const answer = await question()
        limited = 0
        if (standing().state !== 'other_network') turn('ok', '')
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
      if (callsPerDay === null || day !== dayOf(now())) return 0
      return Math.max(0, (calls * 100 * DAY_MS) / (READING_PERCENT * callsPerDay) - (now() % DAY_MS))
    },
    /** What was asked before a restart counts, too. */
    resume(of: string, before: number): void {
      if (of === day) calls += before
    },
    standing: (): Standing => ({ ...standing(), day, calls, callsPerDay }),
  }
}
