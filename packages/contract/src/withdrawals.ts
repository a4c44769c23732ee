import { z } from 'zod'
import { amountInput, amountText, instant } from './common.ts'

/**
 * How far a withdrawal is. `signed`, `broadcast` and `confirming` are an approved one's way through the chain; a transfer
 * that died there begins again at `approved`.
 */
export const WITHDRAWAL_STAGES = [
  'requested',
  'approved',
  'signed',
  'broadcast',
  'confirming',
  'completed',
  'cancelled',
  'refused',
  'failed',
] as const
export type WithdrawalStage = (typeof WITHDRAWAL_STAGES)[number]

/** When a withdrawal reached a stage. */
export const stageReached = z.object({ stage: z.enum(WITHDRAWAL_STAGES), at: instant })

/** A row of GET withdrawals/withdrawals/, and the answer to POST. */
export const withdrawal = z.object({
  id: z.int(),
  /** Leaves the member's accounts; `amount - fee` arrives. */
  amount: amountText,
  fee: amountText,
  arrives: amountText,
  from_balance: amountText,
  from_principal: amountText,
  date: instant,
  /** When it was completed. */
  payed_date: instant.nullable(),
  /** `1` requested, `2` from the approval on, `3` cancelled, refused or failed. */
  status: z.enum(['1', '2', '3']),
  stage: z.enum(WITHDRAWAL_STAGES),
  /** While confirming: how many blocks lie on it, and how many it takes. */
  confirmations: z.int().nullable(),
  confirms_needed: z.int(),
  payment_link: z.string().nullable(),
  txid: z.string().nullable(),
  wallet_address: z.string(),
  /** Why it was refused or failed, in the request's language. */
  reason: z.string().nullable(),
  /** The stages it went through, oldest first. */
  timeline: z.array(stageReached),
  can_cancel: z.boolean(),
})
export type Withdrawal = z.infer<typeof withdrawal>

/** What an address may look like before it is judged: the sentence for a bad one is a refusal's, not a schema's. */
const addressInput = z.string().trim().max(64)

/** POST withdrawals/withdrawals/create-code/: none, or both. The code is good for that pair alone then. */
export const withdrawalCodeBody = z
  .object({ amount: amountInput.optional(), wallet_address: addressInput.optional() })
  .superRefine((body, context) => {
    const missing = (['amount', 'wallet_address'] as const).filter((field) => body[field] === undefined)
    if (missing.length === 1) context.addIssue({ code: 'custom', path: missing, message: 'field_required' })
  })

/** POST withdrawals/withdrawals/ */
export const withdrawalBody = z.object({
  amount: amountInput,
  wallet_address: addressInput.min(1, 'wallet_required'),
  used_code: z.union([z.string().trim().max(32), z.number()]).transform(String),
  otp: z.string().trim().max(32).optional(),
})

/** GET withdrawals/terms/?amount= */
export const withdrawalTermsQuery = z.object({ amount: amountInput.optional() })

/** GET withdrawals/terms/: what a member needs to know before asking; `?amount=` quotes that amount. */
export const withdrawalTerms = z.object({
  /** What of the balance can leave: all of it but what the member owes. */
  balance: amountText,
  /** Principal that can be withdrawn now: all of it once it is unlocked, else nothing. */
  unlocked_principal: amountText,
  /** When principal unlocks; null when there is none. */
  principal_unlocks_at: instant.nullable(),
  available: amountText,
  minimum: amountText,
  fee: amountText,
  daily_limit: amountText,
  /** What the daily limit leaves today, and when the day turns. */
  left_today: amountText,
  day_turns_at: instant,
  /** Money cannot leave before; null when it can. */
  cools_until: instant.nullable(),
  /** Withdrawals are stopped for everybody while the reserves are being checked. */
  paused: z.boolean(),
  wallet_address: z.string(),
  needs_otp: z.boolean(),
  /** With `?amount=`: what would arrive, and where it would be taken from as far as that goes. */
  quote: z
    .object({
      amount: amountText,
      fee: amountText,
      arrives: amountText,
      from_balance: amountText,
      from_principal: amountText,
      /** Why this amount would be refused now, by its stable name and in words; null when it would not. */
      problem: z.object({ code: z.string(), detail: z.string() }).nullable(),
    })
    .optional(),
})
export type WithdrawalTerms = z.infer<typeof withdrawalTerms>

/** GET reserves/: the last comparison of the chain with the books, for every member. */
export const reserves = z.object({
  /** Null before the first comparison. */
  checked_at: instant.nullable(),
  verdict: z.enum(['matched', 'unexplained', 'waiting', 'never']),
  /** What the company's addresses hold on the chain. */
  custody: amountText,
  /** Transfers of members' withdrawals that left and are not booked yet. */
  in_flight: amountText,
  wallets: z.array(
    z.object({
      role: z.enum(['hot', 'cold', 'deposits']),
      /** Null for deposits: each member has an address of their own. */
      address: z.string().nullable(),
      explorer_url: z.string().nullable(),
      amount: amountText,
    }),
  ),
  /** What is owed to members: principal, balances, held for withdrawals, and released but not posted. */
  owed: z.object({
    principal: amountText,
    balances: amountText,
    held: amountText,
    due: amountText,
    total: amountText,
  }),
  /** Custody of what is owed, in percent with two decimals at most, truncated; null when nothing is owed. */
  coverage: z.number().nullable(),
})
export type Reserves = z.infer<typeof reserves>
