/** Rows changed behind every guard in a transaction that is rolled back. Only the owner of the tables can do this. */
import { connect, inTransaction, type Tx } from '@aval/db'
import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { inspectLedger } from '../ledger/check.ts'

export interface Tamperer {
  /** What `look` sees after the statements. Nothing of them stays. */
  after<Seen>(statements: string, look: (tx: Tx) => Promise<Seen>): Promise<Seen>
}

class RollBack<Seen> extends Error {
  readonly seen: Seen

  constructor(seen: Seen) {
    super('nothing of it stays')
    this.seen = seen
  }
}

/** Closed after the tests of the file. */
export function tamperWith(ownerUrl: string): Tamperer {
  const owner = connect(ownerUrl, 1)
  afterAll(() => owner.close())
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
  }
}

/** Adds a test: after these statements the check of the ledger must report the fault. */
export function faultFinder(owner: Tamperer) {
  return (what: string, fault: RegExp) =>
    (statements: TemplateStringsArray, ...parts: readonly string[]) =>
      it(`finds ${what}`, async () => {
        const { faults } = await owner.after(String.raw(statements, ...parts), inspectLedger)
        expect(faults.join('\n')).toMatch(fault)
      })
}
