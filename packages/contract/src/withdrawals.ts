import { z } from 'zod'
import { amountInput, amountText, instant, otpField, pageQuery, typedMark } from './common.ts'
import { SECURITY_EVENT_KINDS } from './identity.ts'
import { lockedPrincipal } from './investments.ts'
import { memberProof } from './member-key.ts'

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

/** What a withdrawal is made of. */
const amounts = {
  /** Leaves the member's accounts; `amount - fee` arrives. */
  amount: amountText,
  fee: amountText,
  arrives: amountText,
  from_balance: amountText,
  from_principal: amountText,
}

/** A row of GET withdrawals/withdrawals/, and the answer to POST. */
export const withdrawal = z.object({
  id: z.int(),
  ...amounts,
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
  /**
   * By when it is to have arrived, and the whole seconds until then, below zero once it is late; null once it is closed, and while the
   * account is frozen.
   */
  due: z.object({ at: instant, state: z.enum(['late', 'soon', 'later']), seconds: z.int() }).nullable(),
  can_cancel: z.boolean(),
})
export type Withdrawal = z.infer<typeof withdrawal>

/** What an address may look like before it is judged: the sentence for a bad one is a refusal's, not a schema's. */
const addressInput = typedMark().max(64)

/**
 * POST withdrawals/withdrawals/create-code/: none, or both. With both the code is good for that pair alone; with none for one withdrawal
 * of any amount to the registered wallet, where the installation makes such codes (`code_unbound_off`).
 */
export const withdrawalCodeBody = z
  .object({ amount: amountInput.optional(), wallet_address: addressInput.optional() })
  .superRefine((body, context) => {
    const missing = (['amount', 'wallet_address'] as const).filter((field) => body[field] === undefined)
    if (missing.length === 1) context.addIssue({ code: 'custom', path: missing, message: 'field_required' })
  })

/** POST withdrawals/withdrawals/: with the code, or where only a passkey moves the member's money, with what that signed. */
export const withdrawalBody = z
  .object({
    amount: amountInput,
    wallet_address: addressInput.min(1, 'wallet_required'),
    used_code: z
      .union([typedMark().max(32), z.number()])
      .transform(String)
      .optional(),
    otp: otpField,
    passkey: memberProof.optional(),
  })
  .superRefine((body, context) => {
    if (body.used_code === undefined && body.passkey === undefined)
      context.addIssue({ code: 'custom', path: ['used_code'], message: 'field_required' })
  })

/** GET withdrawals/terms/?amount= */
export const withdrawalTermsQuery = z.object({ amount: amountInput.optional() })

/** GET withdrawals/terms/: what a member needs to know before asking; `?amount=` quotes that amount. */
export const withdrawalTerms = z.object({
  /** What of the balance can leave: all of it but what the member owes. */
  balance: amountText,
  /** Principal that can be withdrawn now: of the investments whose term is over. */
  unlocked_principal: amountText,
  /** When the next part of principal unlocks, or the last one did; null when there is none. */
  principal_unlocks_at: instant.nullable(),
  locked: lockedPrincipal,
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
  /** Why an operator froze the account; null where it is free. */
  frozen: z.string().nullable(),
  wallet_address: z.string(),
  needs_otp: z.boolean(),
  /** Whether a code can be asked for before the amount is known (POST create-code/ with neither). */
  code_first: z.boolean(),
  /** With `?amount=`: what would arrive, and where it would be taken from as far as that goes. */
  quote: z
    .object({
      ...amounts,
      /** Why this amount would be refused now, by its stable name and in words; null when it would not. */
      problem: z.object({ code: z.string(), detail: z.string() }).nullable(),
    })
    .optional(),
})
export type WithdrawalTerms = z.infer<typeof withdrawalTerms>

/** What an operator should look at before approving, by stable names. */
export const WITHDRAWAL_RISKS = [
  'new_wallet',
  'recent_security_change',
  'first_withdrawal',
  'large_share',
  'new_device',
  'wallet_shared',
  'principal',
  'receivable',
] as const
export type WithdrawalRisk = (typeof WITHDRAWAL_RISKS)[number]

/** A mark with what it is about: since when, and an amount, a percentage or whose wallet it is too. */
export const riskMark = z.object({
  name: z.enum(WITHDRAWAL_RISKS),
  since: instant.nullable(),
  what: z.string().nullable(),
})
export type RiskMark = z.infer<typeof riskMark>

/** What keeps an approved withdrawal, or all of them, from being paid for now, by stable names. */
export const WITHDRAWAL_DELAYS = [
  'chain_unhealthy',
  'nodes_disagree',
  'token_paused',
  'token_fee',
  'hot_blacklisted',
  'hot_usdt',
  'hot_trx',
  'fee_limit',
  'recipient_blacklisted',
  'would_revert',
  'signer_away',
  'signer_refused',
  'signer_cap',
  'earlier_transfer_unseen',
  'earlier_transfer_arrived',
] as const

/** A row of GET operator/withdrawals/: what one needs to decide. */
export const queuedWithdrawal = withdrawal.omit({ can_cancel: true }).extend({
  member_id: z.int(),
  username: z.string(),
  email: z.string(),
  risks: z.array(z.enum(WITHDRAWAL_RISKS)),
  /** The same, each with why. */
  risk_marks: z.array(riskMark),
  approvals: z.array(z.object({ operator: z.string(), at: instant })),
  approvals_needed: z.int(),
  /** Whether the asking operator can approve it now; not twice, and never one's own. */
  can_approve: z.boolean(),
  can_refuse: z.boolean(),
  /** The operator who refused it; null where nobody did. When is the last of its timeline. */
  refused_by: z.string().nullable(),
  /** How long ago it was asked for, in whole seconds, while it is open. */
  age: z.int().nullable(),
  frozen: z.boolean(),
  /** When the wallet was registered; null when nobody knows. */
  wallet_since: instant.nullable(),
  /** What of it did not arrive although its transfer settled: the token took a part. Null when nothing is missing. */
  short_by: amountText.nullable(),
  /** Why an approved one is not being paid for now; `detail` is what the node or the signer said. */
  delay: z.object({ code: z.enum(WITHDRAWAL_DELAYS), detail: z.string(), since: instant }).nullable(),
})
export type QueuedWithdrawal = z.infer<typeof queuedWithdrawal>

/** GET operator/withdrawals/{id}/: the row and the member's history. */
export const withdrawalDossier = queuedWithdrawal.extend({
  member: z.object({
    joined_at: instant,
    principal: amountText,
    balance: amountText,
    held: amountText,
    invested: amountText,
    earned: amountText,
    withdrawn: amountText,
    withdrawals: z.int(),
    sponsor: z.string().nullable(),
    sponsor_id: z.int().nullable(),
    two_factor: z.boolean(),
    cools_until: instant.nullable(),
  }),
  /** Other accounts that are paid to the same wallet; at most 10. */
  same_wallet: z.array(z.object({ member_id: z.int(), username: z.string() })),
  /** What the member asked for in the 24 hours before this one and since, this one included, and how many operators that needs. */
  day: z.object({
    amount: amountText,
    count: z.int(),
    operators: z.int(),
    /** From where on it would need more; null where it cannot. */
    more_from: amountText.nullable(),
  }),
  security_events: z.array(z.object({ kind: z.enum(SECURITY_EVENT_KINDS), at: instant, device: z.string() })),
  /** The transfers made for it so far, newest first. */
  transfers: z.array(
    z.object({
      txid: z.string(),
      state: z.enum(['prepared', 'signed', 'settled', 'failed', 'expired']),
      prepared_at: instant,
      expires_at: instant,
      broadcasts: z.int(),
      reply: z.string().nullable(),
      result: z.string().nullable(),
      arrived: amountText.nullable(),
      explorer_url: z.string().nullable(),
    }),
  ),
})
export type WithdrawalDossier = z.infer<typeof withdrawalDossier>

/** GET operator/approvals-page/: where operators approve withdrawals; null where nobody said. */
export const approvalsPage = z.object({ url: z.string().nullable() })

/** GET operator/withdrawals/?state= ; without it all open ones, oldest first. Closed ones newest first. */
export const withdrawalsFilter = z.object({ state: z.enum(['requested', 'approved', 'closed']).optional() })
export const withdrawalsQuery = pageQuery.extend(withdrawalsFilter.shape)

/**
 * POST operator/withdrawals/decide/: one code for one decision about at most 50 withdrawals, all or none of them. They are approved on
 * the page of approvals.
 */
export const decideWithdrawalsBody = z.object({
  decision: z.literal('refuse'),
  ids: z.array(z.int().positive()).min(1).max(50),
  /** For the member. */
  reason: z.string().trim().max(300).optional(),
  otp: otpField,
})
