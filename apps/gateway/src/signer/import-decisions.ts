/**
 * Applies decisions that a machine without a network verified. What it said is taken by its audit key alone, and only of the approvals that
 * are here as it saw them; the database looks again whether what was signed still holds.
 */
import type { Database } from '@aval/db/connect'
import { recordAudit } from '../core/audit.sql.ts'
import { findInstallation } from '../core/installation.sql.ts'
import {
  acceptApproval,
  findApproval,
  findApprovalDecisions,
  refuseApproval,
  type StoredApproval,
} from './approvals/approvals.sql.ts'
import { isDecisionList } from './approvals/decision.rules.ts'
import { signedDecisionsFault } from './decision-files.ts'
import { findAuditKey } from './head.sql.ts'
import { ImportRefusal } from './import-addresses.ts'
import { NOTHING } from './journal/entries.rules.ts'
import type { Outcome, SignedDecisions } from './offline-files.ts'

interface Imported {
  readonly approval: string
  readonly operator: string
  /** `accepted`; `accepted_before`; or the name of what speaks against it. */
  readonly verdict: string
}

/**
 * Each approval by itself: what speaks against one keeps no other.
 * @throws ImportRefusal where nothing of the file counts, and what the database throws; the import is then repeated
 */
export async function importDecisions(db: Database, file: SignedDecisions, now: Date): Promise<Imported[]> {
  const installation = await findInstallation(db)
  if (installation === null) throw new ImportRefusal('the installation is not set up yet')
  const auditKey = (await findAuditKey(db))?.toString('hex') ?? null
  if (auditKey === null)
    throw new ImportRefusal('no audit key is registered: import addresses first, with --audit-key')
  const fault = signedDecisionsFault(file, { ...installation, auditKey })
  if (fault !== null) {
    await recordRefusal(db, now, 'approval', { reason: fault })
    throw new ImportRefusal(`no decision of the file is applied: ${fault}`)
  }
  const imported: Imported[] = []
  for (const outcome of file.outcomes) {
    const { approval, operator } = outcome
    const verdict = await importOne(db, outcome, now)
    // What it decides about, accepted or refused, the database records by itself.
    if (verdict.endsWith('_differs')) await recordRefusal(db, now, `approval:${approval}`, { code: verdict })
    imported.push({ approval, operator, verdict })
  }
  return imported
}

async function importOne(db: Database, outcome: Outcome, now: Date): Promise<string> {
  const id = BigInt(outcome.approval)
  const approval = await findApproval(db, id)
  if (approval === null || !isVerified(approval, outcome)) return 'approval_differs'
  if (approval.state !== 'submitted')
    return approval.state === 'accepted' ? 'accepted_before' : 'refused_before'
  // The file says nothing of the rows but their hash: those that are applied are these.
  const rows = await findApprovalDecisions(db, id)
  if (!isDecisionList(rows, approval) || rows.length !== outcome.needed.length) return 'list_differs'
  const verdict = await decide(db, approval, outcome, now)
  if (verdict !== 'accepted') await refuseApproval(db, id, verdict)
  return verdict
}

const isVerified = (
  { purpose, operatorId, nonce, root }: StoredApproval,
  { operator, ...said }: Outcome,
): boolean =>
  purpose === 'decisions' && String(operatorId) === operator && nonce === said.nonce && root === said.root

/** As a signer with a network does once it has verified one. That machine's journal is not this database's to remember. */
async function decide(
  db: Database,
  { id, expiresAt }: StoredApproval,
  { verdict, needed }: Outcome,
  now: Date,
): Promise<string> {
  if (verdict !== 'accepted') return verdict
  if (expiresAt.getTime() <= now.getTime()) return 'approval_expired'
  return acceptApproval(db, 'decisions', id, needed, NOTHING)
}

const recordRefusal = (db: Database, at: Date, subject: string, details: Record<string, string>) =>
  recordAudit(db, { at, action: 'approval.verify', outcome: 'refused', subject, details })
