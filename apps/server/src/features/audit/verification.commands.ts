/** Having the trail verified: an operator asks, the worker goes through it seal by seal, and the last result stays to be read. */
import type { AuditVerification } from '@aval/contract'
import type { Database, Db, Tx } from '@aval/db'
import { enqueue } from '../../core/jobs.sql.ts'
import * as store from './verification.sql.ts'
import { verifyAudit } from './verify.queries.ts'

/** Asks for one; where one is under way, that it goes on. @param now system time */
export async function askVerification(tx: Tx, askedBy: bigint, now: Date): Promise<void> {
  await store.insertVerification(tx, askedBy, now)
  await enqueue(tx, 'audit.verify', {}, 'audit.verify')
}

/** How far it is, is written down after so many seals. */
const EVERY = 10

/** Verifies the trail from its first seal on, where somebody asked for it. Run again after a crash it begins again. @param now system time */
export async function runVerification(db: Database, now: () => Date): Promise<void> {
  const asked = await store.selectLastVerification(db)
  if (asked === undefined || asked.finished_at !== null) return
  const inAll = await store.countSeals(db)
  await store.setProgress(db, asked.id, { done: 0, inAll, rows: 0 })
  const report = await verifyAudit(db, 1n, now(), async ({ seals, rows }) => {
    if (seals % EVERY === 0) await store.setProgress(db, asked.id, { done: seals, inAll, rows })
  })
  await store.finishVerification(db, asked.id, report, now())
}

export async function readVerification(db: Db): Promise<{ verification: AuditVerification | null }> {
  const row = await store.selectLastVerification(db)
  if (row === undefined) return { verification: null }
  const { signed_at: signedAt, signed_seal: seal } = row
  const verification = {
    asked_by: row.asked_by,
    asked_at: row.asked_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
    seals: { done: Number(row.seals_done), in_all: Number(row.seals_in_all) },
    rows: Number(row.rows_read),
    erased: Number(row.erased),
    unsealed: Number(row.unsealed),
    faults: [...row.faults],
    public_key: row.public_key,
    head:
      signedAt === null || seal === null ? null : { seal: Number(seal), signed_at: signedAt.toISOString() },
  }
  return { verification }
}
