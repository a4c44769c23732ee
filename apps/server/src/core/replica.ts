/**
 * Reads from a replica that are never older than the call. A call learns from the primary up to where its log is on the disk when it
 * begins: everything that anybody was answered, or had a notice of, lies before that place. The replica answers once it has replayed
 * so far, which takes it milliseconds; where it takes longer, or is not there, the primary answers (decision 072).
 */
import { connect, type Database, IMPATIENT, isOutage, type Patience, sqlState } from '@aval/db'
import { selectReplayed } from './replica.sql.ts'

/** A place in the primary's log, a number of bytes. */
export type LogPlace = bigint

export interface Replica {
  /** Its database, as soon as it has replayed the log up to this place; null where that takes too long. */
  at(place: LogPlace): Promise<Database | null>
  close(): Promise<void>
}

/** Milliseconds that a call waits for the replica. */
const WAIT_MS = 50
/** For how long nobody asks one that was late or away. */
const REST_MS = 1_000
const ASK_EVERY_MS = 1

/**
 * @param replayed asks how far the replica is; null: it is none any more, it takes writes of its own
 * @param milliseconds of a clock that only goes forward
 */
export function followReplay(
  replayed: () => Promise<LogPlace | null>,
  waitMs = WAIT_MS,
  milliseconds = () => performance.now(),
  pause = () => new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS)),
): (place: LogPlace) => Promise<boolean> {
  let known: LogPlace = 0n
  let restUntil = Number.NEGATIVE_INFINITY
  let asking: Promise<void> | null = null
  const ask = async () => {
    try {
      const place = await replayed()
      if (place === null) throw new Error('the replica has become a primary')
      if (place > known) known = place
    } finally {
      asking = null
    }
  }
  return async (place) => {
    // What was replayed stays replayed, but a server that became a primary may have left the primary's log behind.
    if (milliseconds() < restUntil) return false
    const deadline = milliseconds() + waitMs
    try {
      while (place > known) {
        asking ??= ask()
        await asking
        if (place <= known) break
        if (milliseconds() >= deadline) throw new Error('the replica is behind')
        await pause()
      }
      return true
    } catch {
      restUntil = milliseconds() + REST_MS
      known = 0n
      return false
    }
  }
}

/** Whether a replica could not answer what the primary can: it is away, or what is read was in the way of its replay. */
export const isReplicaFault = (error: unknown): boolean => isOutage(error) || sqlState(error) === '40001'

/** Nothing connects until the first read. @param waitMs how long a call waits for it @param patience with one that is silent */
export function openReplica(url: string, waitMs = WAIT_MS, patience: Patience = IMPATIENT): Replica {
  const { db, close } = connect(url, 10, 'aval-api', patience)
  const hasReplayed = followReplay(() => selectReplayed(db), waitMs)
  return { at: async (place) => ((await hasReplayed(place)) ? db : null), close }
}
