/** What operators sign on the approvals page and the signer verifies, done by the owner of the tables: no program's role can. */
import { type Db, inTransaction, type Tx } from '@aval/db'
import { type PlanDocument, parsePlan } from '@aval/plan'
import { query, queryValue } from '../core/query.sql.ts'

/** Applies what was proposed. @throws with the name of what speaks against it */
async function applyDecision(owner: Db, id: bigint, operatorId: bigint, now: Date): Promise<void> {
  const verdict = await queryValue<string>(owner)`
    SELECT coalesce(signer_refusal(d, ${operatorId}), apply_decision(d.id, ${operatorId}, ${now})) FROM decision d WHERE d.id = ${id}`
  if (verdict !== 'applied') throw new Error(verdict)
}

/** Applies the last proposal about a subject, as if this operator had signed it. @throws with the name of what speaks against it */
export async function approveProposed(
  owner: Db,
  subject: string,
  operatorId: bigint,
  now: Date,
): Promise<void> {
  const id = await queryValue<bigint>(owner)`SELECT max(id) FROM decision WHERE subject = ${subject}`
  await applyDecision(owner, id, operatorId, now)
}

/** Company capital into a pool, which nobody proposed. */
export async function fundPool(
  owner: Db,
  pool: 'profit' | 'commission',
  amount: bigint,
  key: string,
  now: Date,
): Promise<void> {
  await query(owner)`SELECT fund_pool(${pool}, ${amount}, ${key}, ${now}, NULL, '')`
}

/** Proposes by the server's own command, and applies it. */
export async function decided<Given extends { readonly operatorId: bigint; readonly now: Date }>(
  { db, owner }: { readonly db: Db; readonly owner: Db },
  propose: (tx: Tx, given: Given) => Promise<bigint>,
  given: Given,
): Promise<void> {
  const id = await inTransaction(db, (tx) => propose(tx, given))
  await applyDecision(owner, id, given.operatorId, given.now)
}

/** Stores a plan under its version, once; the document is checked first. */
export async function storePlan(
  owner: Db,
  version: number,
  startsAt: Date,
  document: PlanDocument,
): Promise<void> {
  parsePlan(document)
  await query(owner)`INSERT INTO plan_version (version, starts_at, document)
    VALUES (${version}, ${startsAt}, ${JSON.stringify(document)}::jsonb) ON CONFLICT DO NOTHING`
}
