/** Checks an export before it is signed without a database: every byte must agree with what the file says, and operators approved it. */
import { type ApprovalRow, OFFLINE_LIFETIME_MS } from '@aval/approvals'
import { parseMicro } from '@aval/money'
import { decodeRaw, parseAddress } from '@aval/tron'
import { checkApproval, sameRow } from './approvals/approval.rules.ts'
import { keyOf, verifyProof } from './approvals/proof.ts'
import { checkExportedProof } from './member-keys/member-keys.rules.ts'
import { verifyMember } from './member-keys/seal.ts'
import type { ExportedApproval, ExportedTransfer, ExportFile } from './offline-files.ts'
import { approverWith, operatorsNeeded, type Policy } from './policy.rules.ts'
import { checkTransfer, type Limits, no, type OwnKeys, type PreparedTransfer } from './signing.rules.ts'

/** Decisions are verified one by one, by the journal (`offline-decisions.ts`). */
type Transfers = Omit<ExportFile, 'decisions'>

export interface CheckedExport {
  /** Why this export is not signed, in one line; null when every transfer of it may be. */
  readonly wrong: string | null
  /** Names of the operators who approved each withdrawal, by its number. */
  readonly approvedBy: ReadonlyMap<string, readonly string[]>
  /** Approvals that do not count, and why. */
  readonly ignored: readonly string[]
}

/** A list that counts. */
interface Counted {
  readonly operatorId: bigint
  readonly name: string
  readonly rows: ReadonlyMap<string, ApprovalRow>
}

export function checkExport(
  file: Transfers,
  own: OwnKeys & { readonly policy: Policy },
  limits: Limits,
  now: Date,
): CheckedExport {
  const ignored: string[] = []
  const counted: Counted[] = []
  for (const approval of file.approvals) {
    const read = checkOneApproval(approval, own, now)
    if (typeof read === 'string') ignored.push(`an approval by operator ${approval.operator}: ${read}`)
    else counted.push(read)
  }
  const approvedBy = new Map(
    file.transfers.map((transfer) => [
      transfer.withdrawal,
      approversOf(transfer, counted).map(({ name }) => name),
    ]),
  )
  return { wrong: checkAll(file, own, limits, now, counted), approvedBy, ignored }
}

function checkAll(
  file: Transfers,
  own: OwnKeys & { readonly policy: Policy },
  limits: Limits,
  now: Date,
  counted: readonly Counted[],
): string | null {
  if (file.network !== own.network || file.usdt !== own.usdt || file.hot !== own.hot) {
    return 'the export is of another network, token or hot wallet than the key file'
  }
  for (const transfer of file.transfers) {
    const others = file.transfers.filter(({ member }) => member === transfer.member)
    const sum = others.reduce((before, { asked }) => before + (parseMicro(asked) ?? 0n), 0n)
    const needed = operatorsNeeded(own.policy, sum)
    const wrong = checkOne(transfer, own, limits, now, { needed, approvers: approversOf(transfer, counted) })
    if (wrong !== null) return `withdrawal ${transfer.withdrawal}: ${wrong}`
  }
  const twice = [
    ...repeated(file.transfers.map(({ txid }) => txid)),
    ...repeated(file.transfers.map(({ withdrawal }) => withdrawal)),
  ]
  return twice.length === 0 ? null : `the export pays ${twice[0]} twice`
}

/** The list with who approved it, or the name of what is wrong. This machine has no journal: an approval may have been counted before. */
function checkOneApproval(
  { operator, network, purpose, expires_at, nonce, root, rows: written, proof }: ExportedApproval,
  own: OwnKeys & { readonly policy: Policy },
  now: Date,
): Counted | string {
  const operatorId = BigInt(operator)
  const rows = written.map(([withdrawal, member, amount, fee, wallet]) => ({
    withdrawalId: BigInt(withdrawal),
    memberId: BigInt(member),
    amount: parseMicro(amount) ?? -1n,
    fee: parseMicro(fee) ?? -1n,
    wallet,
  }))
  const expiresAt = Date.parse(expires_at)
  const claimed = { operatorId, network, purpose, expiresAt, nonce, root, count: rows.length, proof, rows }
  const checked = checkApproval(claimed, own.policy, own.network, now.getTime(), OFFLINE_LIFETIME_MS)
  if (typeof checked === 'string') return checked
  // A code is good for half a minute, and says nothing of what it approves.
  if (checked.proof.kind === 'code') return 'code_without_network'
  const verified = verifyProof(checked.proof, checked.request, operatorId, own.policy, 0, now.getTime())
  if (typeof verified === 'string') return verified
  const name = approverWith(own.policy, operatorId, keyOf(checked.proof))?.name ?? operator
  return { operatorId, name, rows: new Map(rows.map((row) => [String(row.withdrawalId), row])) }
}

/** Each operator once. */
function approversOf(transfer: ExportedTransfer, counted: readonly Counted[]): Counted[] {
  const row = rowOf(transfer)
  const approving = counted.filter(({ rows }) => {
    const approved = rows.get(transfer.withdrawal)
    return row !== null && approved !== undefined && sameRow(approved, row)
  })
  return [...new Map(approving.map((each) => [each.operatorId, each])).values()]
}

function rowOf({ withdrawal, member, asked, fee, to }: ExportedTransfer): ApprovalRow | null {
  const amount = parseMicro(asked)
  const taken = parseMicro(fee)
  if (amount === null || taken === null) return null
  return { withdrawalId: BigInt(withdrawal), memberId: BigInt(member), amount, fee: taken, wallet: to }
}

/** The export stands in for the database; the person who signs checks what it says. */
function checkOne(
  exported: ExportedTransfer,
  own: OwnKeys & { readonly policy: Policy },
  limits: Limits,
  now: Date,
  { needed, approvers }: { readonly needed: number; readonly approvers: readonly Counted[] },
): string | null {
  const to = parseAddress(exported.to)
  const amount = parseMicro(exported.amount)
  const row = rowOf(exported)
  if (to === null || amount === null || row === null) return 'its recipient or amount is invalid'
  const raw = new Uint8Array(Buffer.from(exported.raw, 'hex'))
  const operators = approvers.map(({ operatorId }) => operatorId)
  const because = no('approvals_missing', `${operators.length} of ${needed} operators approved it`)
  const transfer: PreparedTransfer = {
    txid: exported.txid,
    purpose: 'withdrawal',
    memberId: row.memberId,
    keyIndex: null,
    from: own.hot,
    to,
    amount,
    raw,
    expiresAt: expirationOf(raw),
    installation: own,
    withdrawal: {
      id: row.withdrawalId,
      memberId: row.memberId,
      state: 'approved',
      wallet: to,
      amount: row.amount,
      fee: row.fee,
      approvalsNeeded: needed,
      // Not known on this machine: the database refuses the signature when it is brought in.
      isFrozen: false,
      claimsKey: false,
      approvals: { operators, because },
      others: exported.earlier.filter(({ withdrawal }) => withdrawal === exported.withdrawal).map(expired),
      unpaid: [],
    },
  }
  const verdict = checkTransfer(transfer, own, limits, now.getTime())
  return verdict.allowed ? memberFault(exported, row, own, now) : verdict.refused.message
}

/** That it can arrive no more is for the person to confirm; that its time is over is seen here. */
const expired = ({ txid, raw }: ExportedTransfer['earlier'][number]) => ({
  txid,
  state: 'expired',
  raw: new Uint8Array(Buffer.from(raw, 'hex')),
  mayBeSigned: true,
})

/**
 * Why the member's own signature does not hold; null where the export has no key of the member. Whether there is one, or a newer one, only
 * a journal could know, and this machine has none.
 */
function memberFault(
  { member_key: exported }: ExportedTransfer,
  { withdrawalId: id, memberId, amount, wallet }: ApprovalRow,
  own: OwnKeys & { readonly policy: Policy },
  now: Date,
): string | null {
  if (exported === null) return null
  const { signed } = exported
  const proof = signed === null ? null : { ...signed, expiresAt: new Date(signed.expires_at) }
  const asked = { id, memberId, amount, wallet }
  const checked = checkExportedProof(asked, exported, proof, own.network, now.getTime())
  if ('code' in checked) return checked.message
  const fault = verifyMember(checked, own.policy)
  return fault === null ? null : `the member’s passkey did not sign exactly this: ${fault}`
}

/** When the bytes expire, in milliseconds; 0 for bytes that are no transaction. */
export function expirationOf(raw: Uint8Array): number {
  try {
    return decodeRaw(raw).expiration
  } catch {
    return 0
  }
}

function repeated(texts: readonly string[]): string[] {
  return texts.filter((text, index) => texts.indexOf(text) !== index)
}
