import type { Db } from '@aval/db'
import type { Trail } from '@aval/db/audit-chain'
import { type RawBuilder, sql } from 'kysely'
import { query, queryOne, queryValue } from '../../core/query.sql.ts'

/** Seals what is complete, so many rows of each trail in a seal at most. @returns how many seals were made */
export function sealAudit(db: Db, most: number): Promise<number> {
  return queryValue<number>(db)`SELECT seal_audit(${most})`
}

export interface StoredRow {
  readonly id: bigint
  /** What its hash covers. */
  readonly fields: readonly (string | null)[]
  readonly details_hash: string
  /** What the hash of its details covers. */
  readonly details: readonly string[]
  /** Null where nothing was erased; else whether an entry of the trail says so. */
  readonly erased: boolean | null
}

const AT = sql`(extract(epoch FROM r.at) * 1000000)::bigint::text`
const ERASED = (
  members: RawBuilder<unknown>,
) => sql`CASE WHEN r.erased_at IS NOT NULL THEN EXISTS (SELECT FROM audit_event e
  WHERE e.action = 'audit.erase' AND e.at = r.erased_at AND e.subject IN (${members})) END`

const SELECTS: Readonly<Record<Trail, RawBuilder<unknown>>> = {
  audit_event: sql`SELECT r.id, ARRAY[${AT}, r.actor_id::text, r.action, r.outcome, r.subject, encode(r.details_hash, 'hex')] AS fields,
      encode(r.details_hash, 'hex') AS details_hash, ARRAY[r.details::text] AS details,
      ${ERASED(sql`'member:' || r.actor_id, r.subject`)} AS erased FROM audit_event r`,
  security_event: sql`SELECT r.id, ARRAY[r.member_id::text, r.kind, ${AT}, encode(r.details_hash, 'hex')] AS fields,
      encode(r.details_hash, 'hex') AS details_hash, ARRAY[r.user_agent, r.ip, r.details::text] AS details,
      ${ERASED(sql`'member:' || r.member_id`)} AS erased FROM security_event r`,
}

/** The rows of a trail after a number and up to another, in their order. */
export function selectRows(db: Db, trail: Trail, after: bigint, last: bigint): Promise<StoredRow[]> {
  return query<StoredRow>(db)`${SELECTS[trail]} WHERE r.id > ${after} AND r.id <= ${last} ORDER BY r.id`
}

/** What came after the last seal. */
export function selectUnsealed(
  db: Db,
  audit: bigint,
  security: bigint,
): Promise<{ count: number; oldest: Date | null }> {
  return queryOne<{ count: number; oldest: Date | null }>(db)`
    SELECT count(*)::int AS count, min(at) AS oldest FROM (SELECT at FROM audit_event WHERE id > ${audit}
      UNION ALL SELECT at FROM security_event WHERE id > ${security}) waiting`
}

/** The signer's public key, as it is stored, and the network that it signs for. */
export function selectAuditKey(db: Db): Promise<{ key: Buffer | null; network: string | null }> {
  return queryOne<{ key: Buffer | null; network: string | null }>(db)`
    SELECT (SELECT public_key FROM audit_key) AS key, (SELECT network FROM installation) AS network`
}
