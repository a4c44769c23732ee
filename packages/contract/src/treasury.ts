/** The company's own money: pools, wallets, what transfers cost, and the stop of all payments. */
import { z } from 'zod'
import { amountText, instant, otpField } from './common.ts'
import { POOLS } from './overview.ts'
import { FAILURES, paymentsStop, poolCover } from './today.ts'

const reason = z.string().trim().min(3, 'field_required').max(300)

/** GET operator/treasury/ */
export const operatorTreasury = z.object({
  capital: amountText,
  /** Of the company's own: what comes there becomes its capital. Null until the signer has derived it. */
  company_address: z.string().nullable(),
  company_address_url: z.string().nullable(),
  as_of: instant.nullable(),
  pools: z.array(
    poolCover.extend({
      /** Taken out for runs that are being posted. */
      due: amountText,
      /** Thirty days, newest first, those with a movement. */
      movements: z.array(
        z.object({ day: z.iso.date(), funded: amountText, released: amountText, returned: amountText }),
      ),
    }),
  ),
  wallets: z.array(
    z.object({
      role: z.enum(['hot', 'cold', 'deposits']),
      /** Null for deposits, and where none is registered. */
      address: z.string().nullable(),
      explorer_url: z.string().nullable(),
      /** By the books. */
      amount: amountText,
      /** Null where it was not read yet. */
      trx: amountText.nullable(),
      read_at: instant.nullable(),
    }),
  ),
  /** What the chain took in the last thirty days. */
  fees: z.array(
    z.object({
      purpose: z.enum(['withdrawal', 'sweep', 'trx_topup', 'surplus']),
      transfers: z.int(),
      trx: amountText,
    }),
  ),
  chain: z.object({
    head: z.int(),
    solid: z.int(),
    scanned: z.int(),
    read_at: instant.nullable(),
    gateway: z.string(),
    leads_until: instant.nullable(),
    /** Derived deposit addresses that no member has claimed, and whether they are few. */
    addresses_left: z.int(),
    addresses_few: z.boolean(),
  }),
  failing: z.array(z.object({ what: z.enum(FAILURES), since: instant.nullable(), detail: z.string() })),
  stop: paymentsStop.nullable(),
  /** Newest first. */
  stops: z.array(
    z.object({
      id: z.int(),
      by: z.string(),
      at: instant,
      reason: z.string(),
      resumed_by: z.string().nullable(),
      resumed_at: instant.nullable(),
      resume_reason: z.string().nullable(),
    }),
  ),
})
export type OperatorTreasury = z.infer<typeof operatorTreasury>

/** A row of GET operator/pools/fundings/, newest first. */
export const poolFunding = z.object({
  id: z.int(),
  pool: z.enum(POOLS),
  amount: amountText,
  date: instant,
  /** Null where it was not kept. */
  by: z.string().nullable(),
  reason: z.string(),
})
export type PoolFunding = z.infer<typeof poolFunding>

/** POST operator/payments/stop/ */
export const stopPaymentsBody = z.object({ reason, otp: otpField })
/** POST operator/payments/resume/: the stop that is ended, as it was shown. */
export const resumePaymentsBody = z.object({ id: z.int().min(1), reason, otp: otpField })
