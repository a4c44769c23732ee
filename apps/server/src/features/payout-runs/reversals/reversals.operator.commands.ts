import type { Db, Tx } from '@aval/db'
import { Refusal } from '../../../core/refusal.ts'
import {
  previewReversal,
  type ReversalTold,
  type Reversible,
  reverseInvestment,
  selectInvestmentsOf,
  selectUsernames,
} from './reversals.commands.ts'

/** Investments of members whose username or e-mail begins with what was typed, newest first; all when it is empty. */
export function listInvestments(
  db: Db,
  typed: string,
  limit: number,
  offset: number,
): Promise<{ rows: Reversible[]; count: number }> {
  return selectInvestmentsOf(db, typed.normalize('NFKC').trim(), limit, offset)
}

/** A reversal, what those are called whom it takes from, and whether it was done or only looked at. */
export interface NamedReversal extends ReversalTold {
  readonly names: ReadonlyMap<bigint, string>
  readonly done: boolean
}

async function named(db: Db, told: ReversalTold, done: boolean): Promise<NamedReversal> {
  const ids = [...new Set(told.parts.map(({ memberId }) => memberId))]
  return { ...told, names: await selectUsernames(db, ids), done }
}

/** @throws Refusal when it cannot be reversed, or is nothing. */
export async function preview(db: Db, id: bigint | null): Promise<NamedReversal> {
  if (id === null) throw new Refusal('investment_not_found')
  return named(db, await previewReversal(db, id), false)
}

/** Takes an investment back, once. @throws Refusal when it cannot be reversed, or is nothing. */
export async function reverse(
  tx: Tx,
  request: { id: bigint | null; operatorId: bigint; reason: string; now: Date },
): Promise<NamedReversal> {
  const { id, ...rest } = request
  if (id === null) throw new Refusal('investment_not_found')
  return named(tx, await reverseInvestment(tx, { investmentId: id, ...rest }), true)
}
