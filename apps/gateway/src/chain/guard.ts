/**
 * Stands between a node and all that asks it. Nothing is asked before the node has shown that it is of our network, and again from time
 * to time; a provider that limits us is left alone for as long as it says; calls are counted by the day (UTC), and end at the budget.
 */
import { type BlockHeader, type NodeClient, NodeError, type TronAddress } from '@aval/tron'
import { describeError, type Log } from '../core/log.ts'

export const NODE_STATES = [
  'ok',
  'away',
  'rate_limited',
  'over_budget',
  'key_refused',
  'other_network',
] as const
export type NodeState = (typeof NODE_STATES)[number]

/** What every node of ours has to show. */
export interface OwnNetwork {
  readonly name: string
  readonly token: TronAddress
  /** The id of our first block; null where none is known yet. */
  genesis(): Promise<string | null>
  /** From now on it is this one; gives what another process may have pinned before. */
  pin(met: string): Promise<string>
}

export interface GuardOptions {
  readonly network: OwnNetwork
  readonly name: string
  /** Null: as many as it takes. */
  readonly callsPerDay: number | null
  readonly log: Log
  /** By the system's clock, milliseconds since 1970. */
  readonly now?: () => number
}

export type Guard = ReturnType<typeof guardNode>

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const DAY_MS = 1_440 * MINUTE_MS
/** A node that has shown its network is believed for so long; 432 calls a day. */
const BELIEVED_MS = 10 * MINUTE_MS
/** How long a node is not asked again. */
const REST_MS = { other_network: MINUTE_MS, key_refused: 5 * MINUTE_MS } as const
const LONGEST_LIMITED_MS = 5 * MINUTE_MS
/** Solid blocks come one by one: a leap is no proof of another chain, and a reason to ask. */
const LEAP_BLOCKS = 100
/** Of the budget; the rest is for what is being sent. */
const READING_PERCENT = 90
const TOKEN_DECIMALS = 6n

const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)

export function guardNode(client: NodeClient, options: GuardOptions) {
  const { network, name, callsPerDay, log, now = Date.now } = options
  let state: NodeState = 'ok'
  let detail = ''
  let since = now()
  let restUntil = 0
  let limited = 0
  let believedUntil = 0
  let verifying: Promise<void> | null = null
  let solid: BlockHeader | null = null
  let [day, calls] = [dayOf(now()), 0]

  const turn = (to: NodeState, why: string) => {
    if (to !== state) {
      since = now()
      log[to === 'ok' ? 'info' : 'warn'](`node.${to}`, { node: name, detail: why })
    }
    ;[state, detail] = [to, why]
  }
  const rest = (
    code: 'rate_limited' | 'over_budget' | 'key_refused' | 'other_network',
    ms: number,
    why: string,
  ) => {
    restUntil = now() + ms
    turn(code, why)
  }
  const count = () => {
    if (day !== dayOf(now())) [day, calls] = [dayOf(now()), 0]
    if (callsPerDay !== null && calls >= callsPerDay)
      rest('over_budget', DAY_MS - (now() % DAY_MS), `${calls} calls today`)
    if (now() < restUntil && state !== 'ok' && state !== 'away')
      throw new NodeError(state, 'not asked', detail)
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
      rest('key_refused', REST_MS.key_refused, why)
    } else if (error.code === 'unreachable' || error.code === 'timeout') {
      // Whoever answers next at this address has to show its network first.
      believedUntil = 0
      turn('away', why)
    }
  }
  const asked = async <Answer>(question: () => Promise<Answer>): Promise<Answer> => {
    count()
    try {
      const answer = await question()
      limited = 0
      if (state !== 'other_network') turn('ok', '')
      return answer
    } catch (error) {
      noteFailure(error)
      throw error
    }
  }
  const differenceFrom = async ({ name: ours, token, genesis, pin }: OwnNetwork): Promise<string | null> => {
    const met = await asked(() => client.genesis())
    const differs = (own: string) => `its first block is ${met}, that of ${ours} is ${own}`
    const known = await genesis()
    if (known !== null && known !== met) return differs(known)
    if (!(await asked(() => client.hasContract(token)))) return `it has no contract ${token}`
    const { result } = await asked(() => client.constantCall(token, 'decimals()', ''))
    if (BigInt(`0x${result}0`) !== 16n * TOKEN_DECIMALS)
      return `its token has other decimals than ${TOKEN_DECIMALS}`
    const pinned = known ?? (await pin(met))
    return pinned === met ? null : differs(pinned)
  }
  const verify = async () => {
    const difference = await differenceFrom(network)
    if (difference !== null) {
      rest('other_network', REST_MS.other_network, difference)
      throw new NodeError('other_network', 'not asked', difference)
    }
    believedUntil = now() + BELIEVED_MS
    turn('ok', '')
  }
  const ensureOwn = async (): Promise<void> => {
    if (now() < believedUntil) return
    verifying ??= verify().finally(() => {
      verifying = null
    })
    await verifying
  }
  const ask = async <Answer>(question: () => Promise<Answer>): Promise<Answer> => {
    await ensureOwn()
    return asked(question)
  }
  /** A chain that fell back, leapt, or has another block at its end may be another one: that is found out before it is believed. */
  const solidBlock = async (): Promise<BlockHeader> => {
    const block = await ask(() => client.solidBlock())
    const leap = solid === null ? 0 : block.number - solid.number
    if (leap < 0 || leap > LEAP_BLOCKS || (leap === 0 && solid !== null && block.id !== solid.id)) {
      believedUntil = 0
      await ensureOwn()
    }
    solid = block
    return block
  }
  const node = new Proxy(client, {
    get(target, key) {
      if (key === 'solidBlock') return solidBlock
      const value: unknown = Reflect.get(target, key)
      if (typeof value !== 'function') return value
      return (...given: unknown[]) => ask(async () => Reflect.apply(value, target, given) as unknown)
    },
  })
  return {
    node,
    /** What was read does not fit together: the node shows its network before it is asked again. */
    doubt: () => {
      believedUntil = 0
    },
    /** How long it is not asked, in milliseconds. */
    restMs: () => (state === 'ok' || state === 'away' ? 0 : Math.max(0, restUntil - now())),
    /** How long reading waits so that the budget lasts until the day's end, in milliseconds. */
    paceMs: () => {
      if (callsPerDay === null || day !== dayOf(now())) return 0
      return Math.max(0, (calls * 100 * DAY_MS) / (READING_PERCENT * callsPerDay) - (now() % DAY_MS))
    },
    /** What was asked before a restart counts, too. */
    resume: (of: string, before: number) => {
      if (of === day) calls += before
    },
    standing: () => ({ name, state, detail, since: new Date(since), day, calls, callsPerDay }),
  }
}
