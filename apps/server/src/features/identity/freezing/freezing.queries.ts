/**
 * Whether an operator froze an account. Meanwhile no money leaves it, nothing is reinvested, and neither e-mail nor wallet changes;
 * deposits and earnings go on. PostgreSQL refuses the same by itself.
 */
import type { Db } from '@aval/db'
import { Refusal } from '../../../core/refusal.ts'
import { asSentence } from '../../../core/sentence.rules.ts'
import { type Freeze, selectFreeze } from './freezing.sql.ts'

/** Null where the account is free. */
export async function findFreeze(db: Db, memberId: bigint): Promise<Freeze | null> {
  return (await selectFreeze(db, memberId)) ?? null
}

/** Under the member's lock nobody freezes the account before the transaction ends. @throws Refusal `account_frozen`, with the reason */
export async function requireNotFrozen(db: Db, memberId: bigint): Promise<void> {
  const freeze = await selectFreeze(db, memberId)
  if (freeze !== undefined) throw new Refusal('account_frozen', { why: asSentence(freeze.reason) })
}
