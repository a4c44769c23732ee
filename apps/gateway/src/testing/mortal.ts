/** A gateway that dies at a chosen moment: at its n-th word to the node, the signer or the database, unsent or unanswered. */
import type { Connection, Database } from '@aval/db'
import { Kysely, PostgresDialect } from 'kysely'
import type pg from 'pg'

export class Killed extends Error {
  override readonly name = 'Killed'
}

export interface Death {
  /** How many calls are lived through. */
  readonly after: number
  /** `unsent`: the next call never leaves. `unanswered`: it takes effect, and its answer is never heard. */
  readonly how: 'unsent' | 'unanswered'
}

export interface Life {
  /** Calls made so far. */
  calls: number
  readonly dead: boolean
  /** Passes a call to the world, unless it is the last one. */
  call<Result>(outside: () => Promise<Result>): Promise<Result>
}

export function createLife(death: Death): Life {
  let dead = false
  const die = (): never => {
    dead = true
    throw new Killed('killed')
  }
  return {
    calls: 0,
    get dead() {
      return dead
    },
    async call(outside) {
      if (dead) die()
      this.calls += 1
      const last = this.calls > death.after
      if (last && death.how === 'unsent') die()
      const result = await outside()
      // What came back to a process that died meanwhile was heard by nobody.
      if (last || dead) die()
      return result
    },
  }
}

/** A node, or a signer, as a mortal process sees it: every method is a call. */
export function mortalPart<Part extends object>(part: Part, life: Life): Part {
  return new Proxy(part, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key)
      if (typeof value !== 'function') return value
      return (...given: unknown[]) => life.call(async () => Reflect.apply(value, target, given) as unknown)
    },
  })
}

/** The database as a mortal process sees it. Its connections break with it, as the kernel would do. */
export function mortalDatabase(connection: Connection, life: Life): Database {
  const mortalClient = (client: pg.PoolClient): pg.PoolClient =>
    new Proxy(client, {
      get(target, key) {
        if (key === 'release') return () => target.release(life.dead)
        const query = (text: string, values: unknown[]) => life.call(() => target.query(text, values))
        return key === 'query' ? query : Reflect.get(target, key)
      },
    })
  const pool = new Proxy(connection.pool, {
    get: (target, key) =>
      key === 'connect' ? async () => mortalClient(await target.connect()) : Reflect.get(target, key),
  })
  return new Kysely({ dialect: new PostgresDialect({ pool }) })
}
