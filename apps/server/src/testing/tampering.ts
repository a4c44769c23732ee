/** Rows changed behind every guard, for as long as somebody looks: what the owner of the tables can do, and nobody else. */
import { connect, inTransaction, type Tx } from '@aval/db'
import { sql } from 'kysely'

export interface Tamperer {
  /** What `look` sees after the statements. Nothing of them stays. */
  after<Seen>(statements: string, look: (tx: Tx) => Promise<Seen>): Promise<Seen>
  close(): Promise<void>
}

class RollBack<Seen> extends Error {
  readonly seen: Seen

  constructor(seen: Seen) {
    super('nothing of it stays')
    this.seen = seen
  }
}

export function tamperWith(ownerUrl: string): Tamperer {
  const owner = connect(ownerUrl, 1)
  return {
    async after<Seen>(statements: string, look: (tx: Tx) => Promise<Seen>) {
      try {
        return await inTransaction(owner.db, async (tx): Promise<never> => {
          await sql.raw(`SET LOCAL session_replication_role = replica; ${statements}`).execute(tx)
          throw new RollBack(await look(tx))
        })
      } catch (error) {
        if (error instanceof RollBack) return error.seen as Seen
        throw error
      }
    },
    close: () => owner.close(),
  }
}
