import { z } from 'zod'
import { amountText, instant, pageQuery } from './common.ts'
import { withdrawal } from './withdrawals.ts'

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

/** What keeps an approved withdrawal, or all of them, from being paid for now, by stable names. */
export const WITHDRAWAL_OBSTACLES = [
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
] as const
export type WithdrawalObstacle = (typeof WITHDRAWAL_OBSTACLES)[number]

/** A row of GET operator/withdrawals/: what one needs to decide. */
export const queuedWithdrawal = withdrawal.omit({ can_cancel: true }).extend({
  member_id: z.int(),
  username: z.string(),
  email: z.string(),
  risks: z.array(z.enum(WITHDRAWAL_RISKS)),
  approvals: z.array(z.object({ operator: z.string(), at: instant })),
  approvals_needed: z.int(),
  /** Whether the asking operator can approve it now; not twice, and never one's own. */
  can_approve: z.boolean(),
  can_refuse: z.boolean(),
  /** When the wallet was registered; null when nobody knows. */
  wallet_since: instant.nullable(),
  /** What of it did not arrive although its transfer settled: the token took a part. Null when nothing is missing. */
  short_by: amountText.nullable(),
  /** Why an approved one is not being paid for now; `detail` is what the node or the signer said. */
  obstacle: z.object({ code: z.enum(WITHDRAWAL_OBSTACLES), detail: z.string(), since: instant }).nullable(),
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
    two_factor: z.boolean(),
    cools_until: instant.nullable(),
  }),
  security_events: z.array(z.object({ kind: z.string(), at: instant, device: z.string() })),
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

/** GET operator/withdrawals/?state= ; without it all open ones, oldest first. Closed ones newest first. */
export const withdrawalsQuery = pageQuery.extend({
  state: z.enum(['requested', 'approved', 'closed']).optional(),
})

/** POST operator/withdrawals/decide/: one code for one decision about at most 50 withdrawals, all or none of them. */
export const decideWithdrawalsBody = z.object({
  decision: z.enum(['approve', 'refuse']),
  ids: z.array(z.int().positive()).min(1).max(50),
  /** For the member; needed to refuse. */
  reason: z.string().trim().max(300).optional(),
  otp: z.string().trim().max(32).optional(),
})

/** GET operator/reserves/: the comparison with its parts, and what stands in the way. */
export const operatorReserves = z.object({
  stopped: z.boolean(),
  since: instant.nullable(),
  reason: z.string().nullable(),
  addresses: z.array(
    z.object({
      address: z.string(),
      role: z.enum(['hot', 'cold', 'deposit']),
      explorer_url: z.string().nullable(),
      expected: amountText,
      found: amountText,
      difference: amountText,
      trx: amountText,
      read_at: instant,
      /** The reading is of a block whose events are still to be read: it says nothing yet. */
      waits: z.boolean(),
    }),
  ),
  /** The addresses of each wallet in sum, against the ledger. */
  books: z.array(
    z.object({
      wallet: z.enum(['hot', 'cold', 'deposits']),
      /** What they must hold by the events read from the chain. */
      holding: amountText,
      /** What the ledger says. */
      book: amountText,
      /** Recorded, with its posting still to come. */
      pending: amountText,
      /** Holding less book and pending: nothing, unless something is wrong. */
      difference: amountText,
    }),
  ),
  outflows: z.array(
    z.object({
      txid: z.string(),
      from: z.string(),
      to: z.string(),
      value: amountText,
      date: instant,
      explorer_url: z.string().nullable(),
    }),
  ),
  checks: z.array(
    z.object({
      id: z.int(),
      at: instant,
      block: z.int(),
      verdict: z.enum(['matched', 'unexplained', 'waiting']),
      drift: amountText,
      custody: amountText,
      in_flight: amountText,
      owed: amountText,
    }),
  ),
  /** What transfers cost, in TRX, by purpose. */
  costs: z.array(
    z.object({
      purpose: z.enum(['withdrawal', 'sweep', 'trx_topup', 'surplus']),
      transfers: z.int(),
      trx: amountText,
    }),
  ),
})
export type OperatorReserves = z.infer<typeof operatorReserves>

/** POST operator/reserves/explain/: books an address's whole difference against the company's capital. */
export const explainDifferenceBody = z.object({
  address: z.string().trim().max(64),
  /** The difference that is explained, signed, as the overview shows it; another one is refused. */
  difference: z.string().regex(/^-?\d{1,15}(\.\d{1,6})?$/, 'amount_invalid'),
  reason: z.string().trim().min(3, 'field_required').max(300),
  otp: z.string().trim().max(32).optional(),
})
