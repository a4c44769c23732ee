/** Which database answers a read: a replica where there is one that has all that the caller can know of, else the primary. */
import type { Database } from '@aval/db'
import { Counter, type Registry } from 'prom-client'
import { isReplicaFault, type LogPlace, type Replica } from '../core/replica.ts'

/** Runs a read, again on the primary where the replica could not answer. */
export type ReadAnywhere = <Result>(
  place: LogPlace,
  primary: Database,
  read: (db: Database) => Promise<Result>,
) => Promise<Result>

export const readPrimary: ReadAnywhere = (_place, primary, read) => read(primary)

export function readReplica(metrics: Registry, replica: Replica): ReadAnywhere {
  const reads = new Counter({
    name: 'replica_reads_total',
    help: 'Reads that a replica may answer, by who answered them.',
    labelNames: ['by'],
    registers: [metrics],
  })
  const fromPrimary: ReadAnywhere = (_place, primary, read) => {
    reads.inc({ by: 'primary' })
    return read(primary)
  }
  return async (place, primary, read) => {
    const db = await replica.at(place)
    if (db === null) return fromPrimary(place, primary, read)
    try {
      const result = await read(db)
      reads.inc({ by: 'replica' })
      return result
    } catch (error) {
      if (isReplicaFault(error)) return fromPrimary(place, primary, read)
      // It answered: what was asked for is refused.
      reads.inc({ by: 'replica' })
      throw error
    }
  }
}
