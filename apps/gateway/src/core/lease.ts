/**
 * One gateway leads, others stand by. The *lease* is a row: its holder, until when, and the *epoch*, which grows with each change of
 * holder. A *term* is the time of one epoch. The leader renews the lease over a connection of its own; when that is gone, or the lease
 * over by the database's clock, another gateway takes it. Whatever a gateway writes carries its term, and the database refuses what
 * comes under a term that is over (migration 0041), so a leader that was paused and wakes can do nothing twice.
 */
import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Connection, connect } from '@aval/db'
import { holdLease, releaseLease, termOf, underTerm } from './lease.sql.ts'
import { describeError, type Log } from './log.ts'
import { pause } from './polling.ts'

/** How long a leader that says nothing is waited for. */
export const LEASE_SECONDS = 15
/** Of the database's answer. */
const ANSWER_MS = 5_000

/** A name that no other process has, nor this one after a restart. */
export function newHolder(): string {
  const machine = hostname()
    .replace(/[^A-Za-z0-9.-]/g, '-')
    .slice(0, 60)
  return `${machine}/${process.pid}/${randomBytes(6).toString('hex')}`
}

export interface LeaseOptions {
  readonly databaseUrl: string
  readonly holder: string
  readonly log: Log
  /** Milliseconds since some moment, for intervals only. */
  readonly elapsed?: () => number
}

export type Lease = ReturnType<typeof createLease>

export function createLease({ databaseUrl, holder, log, elapsed = () => performance.now() }: LeaseOptions) {
  let connection: Connection | null = null
  let epoch: bigint | null = null
  let heldUntil = 0
  let standsBy = false

  const ask = async (): Promise<bigint | null> => {
    connection ??= connect(databaseUrl, 1, 'aval gateway lease')
    const answered = new AbortController()
    const late = sleep(ANSWER_MS, undefined, { signal: answered.signal }).then(() => {
      throw new Error(`no answer within ${ANSWER_MS} ms`)
    })
    try {
      return await Promise.race([holdLease(connection.db, holder, LEASE_SECONDS), late])
    } finally {
      late.catch(() => undefined)
      answered.abort()
    }
  }
  /** Whatever became of it, the next question goes over another one. */
  const drop = () => {
    connection?.close().catch(() => undefined)
    connection = null
  }
  const note = (found: bigint | null) => {
    if (epoch !== null && found !== epoch) log.warn('lease.lost', { epoch, holder })
    if (found !== null && found !== epoch) log.info('lease.taken', { epoch: found, holder })
    if (found === null && !standsBy) log.info('lease.standby', { holder })
    epoch = found
    standsBy = found === null
  }
  return {
    /**
     * Takes the lease or renews it. While the database does not answer the lease is kept for as long as nobody else can have it.
     * @returns the epoch in which this gateway leads; null while it stands by
     * @throws what the database throws, where this gateway does not lead
     */
    async step(): Promise<bigint | null> {
      const asked = elapsed()
      try {
        note(await ask())
        heldUntil = asked + 1_000 * LEASE_SECONDS
      } catch (error) {
        drop()
        if (epoch === null) throw error
        log.warn('lease.unanswered', { epoch, error: describeError(error) })
        if (elapsed() >= heldUntil) note(null)
      }
      return epoch
    },
    /** The address for connections of a term. */
    urlIn: (of: bigint) => underTerm(databaseUrl, termOf(of, holder)),
    /** Leaves it to the next one, where this gateway leads. */
    async release(): Promise<void> {
      if (connection !== null && epoch !== null)
        await releaseLease(connection.db, holder).catch(() => undefined)
      await connection?.close()
      connection = null
    },
  }
}

interface TurnOptions {
  readonly log: Log
  /** How often the lease is renewed, or looked at. */
  readonly renewMs: number
  /** Called once, as soon as it is known whether this gateway leads. */
  readonly answered: (leads: boolean) => void
}

interface Leading {
  readonly epoch: bigint
  readonly stop: AbortController
  readonly done: Promise<void>
}

/**
 * Leads whenever it can, until it is stopped.
 * @param lead works for one term, on connections of this address, until its signal says that the term is over
 * @throws what `lead` throws
 */
export async function leadInTurn(
  lease: Lease,
  { log, renewMs, answered }: TurnOptions,
  lead: (url: string, over: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  let leading: Leading | null = null
  let isKnown = false
  const endTerm = async () => {
    leading?.stop.abort()
    await leading?.done
    leading = null
  }
  try {
    while (!signal.aborted) {
      const epoch = await lease.step().catch((error: unknown) => {
        log.warn('lease.unanswered', { error: describeError(error) })
        return undefined
      })
      if (epoch !== undefined && !isKnown) answered(epoch !== null)
      isKnown ||= epoch !== undefined
      if (leading !== null && leading.epoch !== epoch) await endTerm()
      if (epoch != null && leading === null) {
        const stop = new AbortController()
        leading = { epoch, stop, done: lead(lease.urlIn(epoch), stop.signal) }
        // It is looked at below; until then it must not count as unhandled.
        leading.done.catch(() => undefined)
      }
      const rest = pause(renewMs, signal)
      await (leading === null ? rest : Promise.race([rest, leading.done]))
    }
  } finally {
    await endTerm()
    await lease.release()
  }
}
