/**
 * Payments whose key is on a machine without a network: they are prepared and written to a file here, signed there, and the
 * signatures are brought back. From then on they are carried out like all others.
 */

import { inTransaction } from '@aval/db'
import { formatMicro, micro } from '@aval/money'
import { readHeads } from '../chain/agreement.ts'
import { findCursor } from '../chain/cursor.sql.ts'
import { type ChainView, unsoundness } from '../chain/standing.rules.ts'
import type { ExportFile, SignedFile } from '../signer/offline-files.ts'
import { findDue, findOpen, readAgenda } from './agenda.sql.ts'
import { importFault, type SignedElsewhere } from './import.rules.ts'
import { findForImport, findUnsignedOffline, importSignature, recordImport } from './offline.sql.ts'
import type { PayoutParts } from './parts.ts'
import { prepareDue } from './preparing.ts'

/** Long enough to carry a file somewhere and back, and within the day that java-tron allows. */
const LIFETIME_MS = 12 * 3_600_000
/** So that a person can look through them. */
const A_FILE = 500

/** Nothing was done; the message is for who asked. */
export class OfflineRefusal extends Error {
  override readonly name = 'OfflineRefusal'
}

/**
 * Prepares what is due and gives all that waits to be signed elsewhere, also what was exported before. A withdrawal with
 * such a payment can neither be refused nor paid in another way until the payment has expired.
 * @param now the system's time
 * @throws OfflineRefusal, NodeError, NodesSilent, ChainFault and what the database throws
 */
export async function exportUnsigned(
  parts: Omit<PayoutParts, 'view' | 'signer'>,
  now: Date,
): Promise<ExportFile> {
  const { db, network, usdt, hot } = parts
  const view = await viewOf(parts, now)
  const unsound = unsoundness(view, parts.soundness, now.getTime())
  if (unsound !== null) throw new OfflineRefusal(`nothing is prepared: ${unsound}`)
  const agenda = await readAgenda(db)
  if (agenda.stopped) throw new OfflineRefusal('nothing is prepared: money out is stopped')
  const due = await findDue(db, new Date(view.headAt), now, A_FILE)
  if (due.length > 0) {
    const offline = { ...parts, view: () => view, signer: null, lifetimeMs: LIFETIME_MS, offline: true }
    await prepareDue(offline, view, due, await findOpen(db), agenda.obstacle?.code ?? null, now)
  }
  const payments = await findUnsignedOffline(db, new Date(view.headAt))
  return {
    network,
    usdt,
    hot,
    made_at: now.toISOString(),
    payments: payments.slice(0, A_FILE).map(({ txid, raw, to, amount, withdrawalId }) => ({
      txid,
      raw: Buffer.from(raw).toString('hex'),
      to,
      amount: formatMicro(micro(amount)),
      withdrawal: String(withdrawalId),
    })),
  }
}

async function viewOf(
  { db, network, nodes }: Omit<PayoutParts, 'view' | 'signer'>,
  now: Date,
): Promise<ChainView> {
  const { head, solid } = await readHeads(nodes)
  const cursor = await findCursor(db, network)
  return {
    head: head.number,
    headId: head.id,
    headAt: head.timestamp.getTime(),
    solid: solid.number,
    solidId: solid.id,
    scanned: cursor?.number ?? 0,
    advancedAt: now.getTime(),
    failed: false,
  }
}

/**
 * Stores signatures that were made elsewhere, all of a file or none: every byte has to be what was exported, and the
 * signature the hot wallet's. One that is stored already is passed over.
 * @returns how many are new
 * @throws OfflineRefusal, and the trail says so; what the database throws
 */
export async function importSigned(
  parts: Pick<PayoutParts, 'db' | 'usdt' | 'hot' | 'log'>,
  file: SignedFile,
  now: Date,
): Promise<number> {
  const { db, log } = parts
  const signed = file.payments.map(({ txid, raw, signature }) => ({
    txid,
    raw: new Uint8Array(Buffer.from(raw, 'hex')),
    signature: new Uint8Array(Buffer.from(signature, 'hex')),
  }))
  const fresh: SignedElsewhere[] = []
  for (const each of signed) {
    const stored = await findForImport(db, each.txid)
    const fault = importFault(each, stored, parts)
    if (fault !== null) throw await refuse(parts, each.txid, fault, now)
    if (stored?.state === 'prepared') fresh.push(each)
    else if (stored?.state !== 'signed') throw await refuse(parts, each.txid, 'not_prepared', now)
  }
  try {
    await inTransaction(db, async (tx) => {
      for (const { txid, signature } of fresh) {
        const verdict = await importSignature(tx, txid, signature)
        if (verdict !== 'signed') throw new Unstorable(txid, verdict)
        await recordImport(tx, { at: now, txid, outcome: 'done', details: {} })
      }
    })
  } catch (error) {
    throw error instanceof Unstorable ? await refuse(parts, error.txid, error.message, now) : error
  }
  for (const { txid } of fresh) log.info('payment.imported', { txid })
  return fresh.length
}

/** Undoes the transaction that met it. */
class Unstorable extends Error {
  readonly txid: string

  constructor(txid: string, verdict: string) {
    super(verdict)
    this.txid = txid
  }
}

async function refuse(
  { db, log }: Pick<PayoutParts, 'db' | 'log'>,
  txid: string,
  code: string,
  now: Date,
): Promise<OfflineRefusal> {
  await recordImport(db, { at: now, txid, outcome: 'refused', details: { code } })
  log.error('payment.import_refused', { txid, code })
  return new OfflineRefusal(`${txid}: ${code.replaceAll('_', ' ')}; nothing of the file was stored`)
}
