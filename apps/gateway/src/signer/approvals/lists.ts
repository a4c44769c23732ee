/** Lists that were accepted, read from the database and compared with the hash in the journal: each once, however many rows. */
import type { ApprovalRow } from '@aval/approvals'
import type { Db } from '@aval/db/connect'
import { isListOf } from './approval.rules.ts'
import { findApprovalRows } from './approvals.sql.ts'

type Rows = ReadonlyMap<bigint, ApprovalRow>

/** Rows that are kept in memory: two hundred bytes each. */
const KEPT_ROWS = 50_000

export type Lists = ReturnType<typeof createLists>

export function createLists(db: Db) {
  const kept = new Map<string, Promise<Rows | null>>()
  const sizes = new Map<string, number>()
  let size = 0

  const removeOldest = (): void => {
    for (const [name, count] of sizes) {
      if (size <= KEPT_ROWS) return
      kept.delete(name)
      sizes.delete(name)
      size -= count
    }
  }
  const load = async (id: bigint, list: { readonly root: string; readonly count: number }) => {
    const rows = await findApprovalRows(db, id)
    return isListOf(rows, list) ? new Map(rows.map((row) => [row.withdrawalId, row])) : null
  }
  return {
    /** The rows by withdrawal; null where they are not what was approved. */
    of(id: bigint, list: { readonly root: string; readonly count: number }): Promise<Rows | null> {
      const name = `${id} ${list.root} ${list.count}`
      const known = kept.get(name)
      if (known !== undefined) return known
      const loading = load(id, list)
      kept.set(name, loading)
      sizes.set(name, list.count)
      size += list.count
      removeOldest()
      // What failed to load, or differed, is read again the next time.
      loading.then(
        (rows) => rows === null && kept.delete(name),
        () => kept.delete(name),
      )
      return loading
    },
  }
}
