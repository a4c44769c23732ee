/** Checks an export before it is signed without a database: every byte must agree with what the file says. */
import { parseMicro } from '@aval/money'
import { decodeRaw, parseAddress } from '@aval/tron'
import type { ExportedTransfer, ExportFile } from './offline-files.ts'
import { checkTransfer, type Limits, type OwnKeys, type PreparedTransfer } from './signing.rules.ts'

/** Why this export is not signed, in one line; null when every transfer of it may be. */
export function checkExport(file: ExportFile, own: OwnKeys, limits: Limits, now: Date): string | null {
  if (file.network !== own.network || file.usdt !== own.usdt || file.hot !== own.hot) {
    return 'the export is of another network, token or hot wallet than the key file'
  }
  for (const transfer of file.transfers) {
    const wrong = checkOne(transfer, own, limits, now)
    if (wrong !== null) return `withdrawal ${transfer.withdrawal}: ${wrong}`
  }
  const twice = [
    ...repeated(file.transfers.map(({ txid }) => txid)),
    ...repeated(file.transfers.map(({ withdrawal }) => withdrawal)),
  ]
  return twice.length === 0 ? null : `the export pays ${twice[0]} twice`
}

/** The export stands in for the database; the person who signs checks what it says. */
function checkOne(exported: ExportedTransfer, own: OwnKeys, limits: Limits, now: Date): string | null {
  const to = parseAddress(exported.to)
  const amount = parseMicro(exported.amount)
  if (to === null || amount === null) return 'its recipient or amount is invalid'
  const raw = new Uint8Array(Buffer.from(exported.raw, 'hex'))
  const transfer: PreparedTransfer = {
    txid: exported.txid,
    purpose: 'withdrawal',
    memberId: 0n,
    from: own.hot,
    to,
    amount,
    raw,
    expiresAt: expirationOf(raw),
    installation: own,
    withdrawal: {
      id: BigInt(exported.withdrawal),
      memberId: 0n,
      state: 'approved',
      wallet: to,
      amount,
      fee: 0n,
      approvalsNeeded: 0,
      operators: [],
      others: [],
    },
  }
  const verdict = checkTransfer(transfer, own, limits, now.getTime())
  return verdict.allowed ? null : verdict.refused.message
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
