/** Reading seals of the audit trail, for the signer and for `audit:verify`. */
import { sql } from 'kysely'
import type { Seal } from './audit-chain.ts'
import type { Db } from './connect.ts'

interface Row {
  readonly id: bigint
  readonly at: bigint
  readonly audit_last: bigint
  readonly audit_ids: readonly string[]
  readonly audit_hashes: Buffer
  readonly security_last: bigint
  readonly security_ids: readonly string[]
  readonly security_hashes: Buffer
  readonly root: Buffer
  readonly previous: Buffer
  readonly hash: Buffer
}

function sealOf(row: Row): Seal {
  const { id, at, root, previous, hash } = row
  return {
    id,
    at,
    root,
    previous,
    hash,
    rows: {
      audit_event: { last: row.audit_last, ids: row.audit_ids.map(BigInt), hashes: row.audit_hashes },
      security_event: {
        last: row.security_last,
        ids: row.security_ids.map(BigInt),
        hashes: row.security_hashes,
      },
    },
  }
}

/** The seals after one, in their order. */
export async function selectSeals(db: Db, after: bigint, limit: number): Promise<Seal[]> {
  const { rows } =
    await sql<Row>`SELECT id, (extract(epoch FROM at) * 1000000)::bigint AS at, audit_last, audit_ids::text[], audit_hashes,
      security_last, security_ids::text[], security_hashes, root, previous, hash
    FROM audit_seal WHERE id > ${after} ORDER BY id LIMIT ${limit}`.execute(db)
  return rows.map(sealOf)
}

/** The last seal's number; 0 before the first. */
export async function selectHeadId(db: Db): Promise<bigint> {
  const row = await db.selectFrom('audit_seal').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst()
  return row?.id ?? 0n
}

export interface HeadSignature {
  readonly sealId: bigint
  readonly at: Date
  readonly signature: Buffer
  /** Of the seal as it is now; null where that is gone. */
  readonly hash: Buffer | null
}

/** Signatures of heads from a seal on, newest first. */
export async function selectSignatures(db: Db, from: bigint, limit: number): Promise<HeadSignature[]> {
  return db
    .selectFrom('audit_signature')
    .leftJoin('audit_seal', 'audit_seal.id', 'audit_signature.seal_id')
    .select([
      'audit_signature.seal_id as sealId',
      'audit_signature.at',
      'audit_signature.signature',
      'audit_seal.hash',
    ])
    .where('audit_signature.seal_id', '>=', from)
    .orderBy('audit_signature.id', 'desc')
    .limit(limit)
    .execute()
}
