/** A gateway that dies at a chosen moment: at its n-th word to the node or the database, unsent or unanswered. */
import type { Connection, Database } from '@aval/db'
import type { NodeClient } from '@aval/tron'
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

/** The node as a mortal process sees it. */
export function mortalNode(node: NodeClient, life: Life): NodeClient {
  return {
    ...node,
    headBlock: () => life.call(() => node.headBlock()),
    solidBlock: () => life.call(() => node.solidBlock()),
    block: (number, view) => life.call(() => node.block(number, view)),
    blockReceipts: (number, view) => life.call(() => node.blockReceipts(number, view)),
  }
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
