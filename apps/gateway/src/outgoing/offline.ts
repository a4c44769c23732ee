/**
 * Withdrawals whose key is on a machine without a network: transfers are prepared and exported to a file here, signed
 * there, and the signatures are imported. From then on they are sent like all others. Decisions that wait travel in the same file.
 */
import { inTransaction } from '@aval/db'
import { formatMicro, micro } from '@aval/money'
import { readHeads } from '../chain/agreement.ts'
import { findCursor } from '../chain/cursor.sql.ts'
import { type ChainStatus, unhealthyReason } from '../chain/health.rules.ts'
import { recordDecision } from '../core/audit.sql.ts'
import type { ExportFile, SignedFile } from '../signer/offline-files.ts'
import type { OutgoingContext } from './context.ts'
import { importFault, type SignedOffline } from './import.rules.ts'
import {
  findApprovalRows,
  findApprovalsFor,
  findEarlier,
  findForImport,
  findUnsignedOffline,
  findWaitingDecisions,
  importSignature,
  type StoredApproval,
  takeOfflineApprovals,
  type UnsignedOffline,
} from './offline.sql.ts'
import { findDue, findOpen, readWork } from './outgoing.sql.ts'
import { prepareWithdrawals } from './prepare.ts'

/** Long enough to carry a file somewhere and back, and within the day that java-tron allows. */
const LIFETIME_MS = 12 * 3_600_000
/** So that a person can check each of them. */
const FILE_LIMIT = 500

export type OfflineContext = Omit<OutgoingContext, 'status' | 'signer'>

/** Nothing was done; the message is for the operator. */
export class OfflineRefusal extends Error {
  override readonly name = 'OfflineRefusal'
}

/**
 * Prepares what is due and gives all that waits to be signed elsewhere, also what was exported before. A withdrawal with
 * such a transfer can neither be refused nor sent in another way until the transfer has expired. Decisions travel also while
 * money is stopped: one of them may be to let it go on.
 * @param now the system's time
 * @returns the file, and why no transfer is in it where that is not for want of any
 * @throws OfflineRefusal, NodeError, TooFewNodes, ChainFault and what the database throws
 */
export async function exportUnsigned(
  context: OfflineContext,
  now: Date,
): Promise<{ readonly file: ExportFile; readonly without: string | null }> {
  const { network, usdt, hot } = context
  const waiting = await findWaitingDecisions(context.db, now)
  const transfers = await prepareTransfers(context, now)
  const without = typeof transfers === 'string' ? transfers : null
  if (without !== null && waiting.length === 0) throw new OfflineRefusal(without)
  const unsigned = typeof transfers === 'string' ? [] : transfers
  const file = {
    network,
    usdt,
    hot,
    made_at: now.toISOString(),
    transfers: await transfersOf(context, unsigned),
    approvals: await approvalsOf(context, unsigned),
    decisions: waiting.map(({ rows, ...approval }) => ({
      ...requestOf(approval),
      approval: String(approval.id),
      rows,
    })),
  }
  return { file, without }
}

/** All that wait for a signature now, or why there are none. */
async function prepareTransfers(context: OfflineContext, now: Date): Promise<UnsignedOffline[] | string> {
  const { db } = context
  const status = await readStatus(context, now)
  const unhealthy = unhealthyReason(status, context.healthLimits, now.getTime())
  if (unhealthy !== null) return `nothing is prepared: ${unhealthy}`
  const work = await readWork(db)
  if (work.stopped) return 'nothing is prepared: money out is stopped'
  await takeOfflineApprovals(db)
  const due = await findDue(db, new Date(status.headAt), now, FILE_LIMIT)
  if (due.length > 0) {
    const offline = { ...context, status: () => status, signer: null, lifetimeMs: LIFETIME_MS, offline: true }
    await prepareWithdrawals(offline, status, due, await findOpen(db), work.delay?.code ?? null, now)
  }
  return (await findUnsignedOffline(db, new Date(status.headAt))).slice(0, FILE_LIMIT)
}

async function transfersOf(
  { db }: OfflineContext,
  unsigned: readonly UnsignedOffline[],
): Promise<ExportFile['transfers']> {
  const earlier = await findEarlier(
    db,
    unsigned.map(({ txid }) => txid),
  )
  return unsigned.map((transfer) => ({
    txid: transfer.txid,
    raw: Buffer.from(transfer.raw).toString('hex'),
    to: transfer.to,
    amount: usdtOf(transfer.amount),
    withdrawal: String(transfer.withdrawalId),
    member: String(transfer.memberId),
    asked: usdtOf(transfer.asked),
    fee: usdtOf(transfer.fee),
    member_key: memberKeyOf(transfer),
    earlier: earlier
      .filter(({ of }) => of === transfer.txid)
      .map(({ txid, raw, withdrawalId }) => ({
        txid,
        raw: Buffer.from(raw).toString('hex'),
        withdrawal: String(withdrawalId),
      })),
  }))
}

/** The member's own key and signature, where only that moves the member's money. */
function memberKeyOf({ memberKey }: UnsignedOffline): ExportFile['transfers'][number]['member_key'] {
  if (memberKey === null) return null
  const { proof, expires_at, nonce, ...key } = memberKey
  const signed =
    expires_at === null || nonce === null ? null : { proof, expires_at: expires_at.toISOString(), nonce }
  return { ...key, signed }
}

const usdtOf = (amount: bigint): string => formatMicro(micro(amount))

/** With all rows of their lists, as they are part of what was approved. */
async function approvalsOf(
  { db }: OfflineContext,
  unsigned: readonly UnsignedOffline[],
): Promise<ExportFile['approvals']> {
  const approvals = await findApprovalsFor(
    db,
    unsigned.map(({ withdrawalId }) => withdrawalId),
  )
  return Promise.all(
    approvals.map(async (approval) => ({
      ...requestOf(approval),
      rows: (await findApprovalRows(db, approval.id)).map(
        ({
          withdrawalId,
          memberId,
          amount,
          fee,
          wallet,
        }): ExportFile['approvals'][number]['rows'][number] => [
          String(withdrawalId),
          String(memberId),
          usdtOf(amount),
          usdtOf(fee),
          wallet,
        ],
      ),
    })),
  )
}

/** What an operator signed, but for its rows. */
const requestOf = ({ operatorId, network, purpose, expiresAt, nonce, root, proof }: StoredApproval) => ({
  operator: String(operatorId),
  network,
  purpose,
  expires_at: expiresAt.toISOString(),
  nonce,
  root,
  proof,
})

async function readStatus({ db, network, nodes }: OfflineContext, now: Date): Promise<ChainStatus> {
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
 * Stores signatures that were made elsewhere, all of a file or none: every byte must be what was exported, and the
 * signature the hot wallet's. One that is stored already is skipped.
 * @returns how many are new
 * @throws OfflineRefusal, which is written into the audit trail; what the database throws
 */
export async function importSigned(
  context: Pick<OutgoingContext, 'db' | 'usdt' | 'hot' | 'log'>,
  file: Pick<SignedFile, 'transfers'>,
  now: Date,
): Promise<number> {
  const { db, log } = context
  const signed = file.transfers.map(({ txid, raw, signature }) => ({
    txid,
    raw: new Uint8Array(Buffer.from(raw, 'hex')),
    signature: new Uint8Array(Buffer.from(signature, 'hex')),
  }))
  const fresh: SignedOffline[] = []
  for (const each of signed) {
    const stored = await findForImport(db, each.txid)
    const fault = importFault(each, stored, context)
    if (fault !== null) throw await refuse(context, each.txid, fault, now)
    if (stored?.state === 'prepared') fresh.push(each)
    else if (stored?.state !== 'signed') throw await refuse(context, each.txid, 'not_prepared', now)
  }
  try {
    await inTransaction(db, async (tx) => {
      for (const { txid, signature } of fresh) {
        const verdict = await importSignature(tx, txid, signature)
        if (verdict !== 'signed') throw new Unstorable(txid, verdict)
        await recordDecision(tx, { at: now, action: 'import', txid, outcome: 'done', details: {} })
      }
    })
  } catch (error) {
    throw error instanceof Unstorable ? await refuse(context, error.txid, error.message, now) : error
  }
  for (const { txid } of fresh) log.info('offline.imported', { txid })
  return fresh.length
}

/** Rolls back the transaction. */
class Unstorable extends Error {
  readonly txid: string

  constructor(txid: string, verdict: string) {
    super(verdict)
    this.txid = txid
  }
}

async function refuse(
  { db, log }: Pick<OutgoingContext, 'db' | 'log'>,
  txid: string,
  code: string,
  now: Date,
): Promise<OfflineRefusal> {
  await recordDecision(db, { at: now, action: 'import', txid, outcome: 'refused', details: { code } })
  log.error('offline.import_refused', { txid, code })
  return new OfflineRefusal(`${txid}: ${code.replaceAll('_', ' ')}; nothing of the file was stored`)
}
