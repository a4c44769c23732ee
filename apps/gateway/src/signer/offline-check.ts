/** What may be signed without a database: an export says what is wanted, and every byte has to agree with it. */
import { parseMicro } from '@aval/money'
import { decodeRaw, parseAddress } from '@aval/tron'
import type { ExportedPayment, ExportFile } from './offline-files.ts'
import { judgePayment, type Limits, type Ours, type Payment } from './payment.rules.ts'

/** Why this export is not signed, in one line; null when every payment of it may be. */
export function judgeExport(file: ExportFile, ours: Ours, limits: Limits, now: Date): string | null {
  if (file.network !== ours.network || file.usdt !== ours.usdt || file.hot !== ours.hot) {
    return 'the export is of another network, token or hot wallet than the key file'
  }
  for (const payment of file.payments) {
    const wrong = judgeOne(payment, ours, limits, now)
    if (wrong !== null) return `withdrawal ${payment.withdrawal}: ${wrong}`
  }
  const twice = [
    ...repeated(file.payments.map(({ txid }) => txid)),
    ...repeated(file.payments.map(({ withdrawal }) => withdrawal)),
  ]
  return twice.length === 0 ? null : `the export pays ${twice[0]} twice`
}

/** What the database would say of it is taken from the export; the person who signs compares it. */
function judgeOne(exported: ExportedPayment, ours: Ours, limits: Limits, now: Date): string | null {
  const to = parseAddress(exported.to)
  const amount = parseMicro(exported.amount)
  if (to === null || amount === null) return 'its recipient or amount is none'
  const raw = new Uint8Array(Buffer.from(exported.raw, 'hex'))
  const id = BigInt(exported.withdrawal)
  const payment: Payment = {
    txid: exported.txid,
    purpose: 'withdrawal',
    memberId: 0n,
    from: ours.hot,
    to,
    amount,
    raw,
    expiresAt: expirationOf(raw),
    installation: ours,
    withdrawal: {
      id,
      memberId: 0n,
      state: 'approved',
      wallet: to,
      amount,
      fee: 0n,
      approvalsNeeded: 0,
      operators: [],
      attempts: [],
    },
  }
  const verdict = judgePayment(payment, ours, limits, now.getTime())
  return verdict.may ? null : verdict.refused.message
}

/** When the bytes can enter the chain no more, in milliseconds; 0 for bytes that are none. */
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
