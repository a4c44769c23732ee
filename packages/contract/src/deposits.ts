import { z } from 'zod'
import { amountText, instant, pageOf, pageQuery, typedText } from './common.ts'

/** Why an observed transfer was not credited, or that it was. */
export const TRANSFER_VERDICTS = [
  'credit',
  'wrong_token',
  'zero_value',
  'failed',
  'wrong_asset',
  'unclaimed',
] as const

/**
 * What became of a transfer to one of our addresses. Of those that count: `waiting` is not booked yet, `part` waits for the rest of an
 * invoice, `overpaid` left a surplus in the balance, `late` came after its invoice, `no_invoice` matched none, `company` is the company's
 * own, `refill` came from its cold wallet. `unclaimed` came to an address that is nobody's yet, and is credited to nobody.
 */
export const DEPOSIT_FATES = [
  'waiting',
  'part',
  'paid',
  'overpaid',
  'late',
  'no_invoice',
  'company',
  'refill',
  'wrong_token',
  'wrong_asset',
  'zero_value',
  'failed',
  'unclaimed',
] as const
export type DepositFate = (typeof DEPOSIT_FATES)[number]

/** A row of GET operator/transfers/: everything that ever moved toward one of our addresses. */
export const observedTransfer = z.object({
  txid: z.string(),
  position: z.int(),
  block: z.int(),
  date: instant,
  verdict: z.enum(TRANSFER_VERDICTS),
  fate: z.enum(DEPOSIT_FATES),
  contract: z.string(),
  from: z.string(),
  to: z.string(),
  /** In the token's smallest units. */
  value: z.string(),
  /** The same as an amount, where the token is ours. */
  amount: amountText.nullable(),
  /** Null where it came to an address of the company's own. */
  member: z.object({ id: z.int(), username: z.string() }).nullable(),
  credited_at: instant.nullable(),
  /** What it paid, or, of what came late, was meant for. */
  invoice: z.object({ id: z.string(), due: amountText, received: amountText, state: z.string() }).nullable(),
  /** What of it went to the balance. */
  to_balance: amountText.nullable(),
  /** Who looked into it. */
  review: z.object({ by: z.string(), at: instant, note: z.string() }).nullable(),
  explorer_url: z.string().nullable(),
})
export type ObservedTransfer = z.infer<typeof observedTransfer>

/** A page of them. They are counted up to ten thousand; of more there are `more`, and no sum. */
export const observedTransfers = pageOf(observedTransfer).extend({
  more: z.boolean(),
  sum: amountText.nullable(),
})
export type ObservedTransfers = z.infer<typeof observedTransfers>

/** Days are the company's. `search` is a txid, an address, a username or an e-mail; `open` leaves out what was reviewed. */
export const transfersFilter = z.object({
  fate: z.enum(DEPOSIT_FATES).optional(),
  search: typedText().max(254).optional(),
  from: z.iso.date('dates_invalid').optional(),
  to: z.iso.date('dates_invalid').optional(),
  open: z.literal('1').optional(),
})
export type TransfersFilter = z.output<typeof transfersFilter>

/** GET operator/transfers/ */
export const transfersQuery = pageQuery.extend(transfersFilter.shape)

/** POST operator/transfers/{txid}/{position}/review/ */
export const reviewTransferBody = z.object({ note: z.string().trim().min(3, 'field_required').max(300) })
