/** A process that crashes at a chosen call to a node, the signer or the database: before it is sent, or before its answer. */
import type { Connection, Database } from '@aval/db'
import { Kysely, PostgresDialect } from 'kysely'
import type pg from 'pg'

export class Crashed extends Error {
  override readonly name = 'Crashed'
}

export interface CrashPoint {
  readonly after: number
  /** `unsent`: the next call is never sent. `unanswered`: it takes effect, and its answer never arrives. */
  readonly how: 'unsent' | 'unanswered'
}

/** One run of a process, from its start to its crash. */
export interface Lifetime {
  calls: number
  readonly crashed: boolean
  /** Makes a call, or crashes. */
  call<Result>(outside: () => Promise<Result>): Promise<Result>
}

const NEVER: CrashPoint = { after: Number.POSITIVE_INFINITY, how: 'unsent' }

export function createLifetime(crashPoint = NEVER): Lifetime {
  let crashed = false
  const crash = (): never => {
    crashed = true
    throw new Crashed('crashed')
  }
  return {
    calls: 0,
    get crashed() {
      return crashed
    },
    async call(outside) {
      if (crashed) crash()
      this.calls += 1
      const last = this.calls > crashPoint.after
      if (last && crashPoint.how === 'unsent') crash()
      const result = await outside()
      // Another call may have crashed the process meanwhile.
      if (last || crashed) crash()
      return result
    },
  }
}

/** A node or a signer as such a process sees it: every method is a call. */
export function crashingPort<Port extends object>(port: Port, lifetime: Lifetime): Port {
  return new Proxy(port, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key)
      if (typeof value !== 'function') return value
      return (...given: unknown[]) =>
        lifetime.call(async () => Reflect.apply(value, target, given) as unknown)
    },
  })
}

const names = new Map<string, string>()

/** Every statement is prepared: to plan it takes longer than to run it, and these processes make few different ones. */
function nameOf(text: string): string {
  const name = names.get(text) ?? `crashing_${names.size}`
  names.set(text, name)
  return name
}

/** The database as such a process sees it. Its connections are closed with it. */
export function crashingDatabase(connection: Connection, lifetime: Lifetime): Database {
  const crashingClient = (client: pg.PoolClient): pg.PoolClient =>
    new Proxy(client, {
      get(target, key) {
        if (key === 'release') return () => target.release(lifetime.crashed)
        const query = (text: string, values: unknown[]) =>
          lifetime.call(() => target.query({ name: nameOf(text), text, values }))
        return key === 'query' ? query : Reflect.get(target, key)
      },
    })
  const pool = new Proxy(connection.pool, {
    get: (target, key) =>
      key === 'connect' ? async () => crashingClient(await target.connect()) : Reflect.get(target, key),
  })
  return new Kysely({ dialect: new PostgresDialect({ pool }) })
}
