/**
 * Refusals that leave something behind. An ordinary refusal rolls its transaction back; a wrong code must be counted all
 * the same, in the very transaction that holds the code's lock, or a hundred guesses at once would each be the first.
 */
import type { RefusalCode } from '@aval/contract'
import { type Db, inTransaction, type Tx } from '@aval/db'
import { Refusal, type RefusalParams, type RefusalReason } from './refusal.ts'

declare const standing: unique symbol

/** A transaction that commits what was done before a `StandingRefusal`. */
export type StandingTx = Tx & { readonly [standing]: true }

/**
 * Refuses, and lets what the transaction did so far stand. Thrown only by what is given a `StandingTx`, before anything
 * was done that ought not to stand: whoever spends a code spends it first.
 */
export class StandingRefusal extends Refusal {
  /** @param _tx shows that there is one */
  constructor(
    _tx: StandingTx,
    code: RefusalCode,
    params: RefusalParams = {},
    reasons: readonly RefusalReason[] = [],
  ) {
    super(code, params, reasons)
  }
}

/** Runs `work` in a transaction of its own: committed on success and on a standing refusal, rolled back otherwise. */
export async function standingTransaction<Result>(
  db: Db,
  work: (tx: StandingTx) => Promise<Result>,
): Promise<Result> {
  if (db.isTransaction) throw new Error('what stands needs a transaction of its own')
  const outcome = await inTransaction(db, async (tx) => {
    try {
      return { result: await work(tx as StandingTx) }
    } catch (error) {
      if (error instanceof StandingRefusal) return { refusal: error }
      throw error
    }
  })
  if ('refusal' in outcome) throw outcome.refusal
  return outcome.result
}
