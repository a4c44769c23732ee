/**
 * Refusals whose transaction is committed. An ordinary refusal rolls its transaction back. A wrong code must be counted
 * all the same, in the transaction that holds the code's lock: otherwise each of a hundred simultaneous guesses would be
 * the first.
 */
import type { RefusalCode } from '@aval/contract'
import { type Db, inTransaction, type Tx } from '@aval/db'
import { Refusal, type RefusalParams, type RefusalReason } from './refusal.ts'

declare const commitsOnRefusal: unique symbol

/** A transaction that commits what was done before a `CommittedRefusal`. */
export type CommitOnRefusalTx = Tx & { readonly [commitsOnRefusal]: true }

/** Refuses and keeps what the transaction did so far, so throw it before writing anything that must not stay. */
export class CommittedRefusal extends Refusal {
  /** @param _tx proves that the transaction is one that commits */
  constructor(
    _tx: CommitOnRefusalTx,
    code: RefusalCode,
    params: RefusalParams = {},
    reasons: readonly RefusalReason[] = [],
  ) {
    super(code, params, reasons)
  }
}

/** Runs `work` in its own transaction: committed on success and on a `CommittedRefusal`, rolled back otherwise. */
export async function commitOnRefusal<Result>(
  db: Db,
  work: (tx: CommitOnRefusalTx) => Promise<Result>,
): Promise<Result> {
  if (db.isTransaction) throw new Error('commitOnRefusal needs a transaction of its own')
  const outcome = await inTransaction(db, async (tx) => {
    try {
      return { result: await work(tx as CommitOnRefusalTx) }
    } catch (error) {
      if (error instanceof CommittedRefusal) return { refusal: error }
      throw error
    }
  })
  if ('refusal' in outcome) throw outcome.refusal
  return outcome.result
}
