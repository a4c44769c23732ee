import { z } from 'zod'
import { amountText, instant, otpField, typedMark } from './common.ts'

/** GET reserves/: the last comparison of the chain with the books, for every member. */
export const reserves = z.object({
  /** Null before the first comparison. */
  checked_at: instant.nullable(),
  /** `paused`: money is stopped for another reason than a difference of the reserves. */
  verdict: z.enum(['matched', 'unexplained', 'waiting', 'never', 'paused']),
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
  /** What is owed to members: principal, balances, held for withdrawals, waiting for the rest of an investment, and released but not posted. */
  owed: z.object({
    principal: amountText,
    balances: amountText,
    held: amountText,
    pending: amountText,
    due: amountText,
    total: amountText,
  }),
  /** Custody of what is owed, in percent with two decimals at most, truncated; null when nothing is owed. */
  coverage: z.number().nullable(),
})
export type Reserves = z.infer<typeof reserves>

/** GET operator/reserves/: the comparison with its parts, and what stands in the way. */
export const operatorReserves = z.object({
  stopped: z.boolean(),
  since: instant.nullable(),
  reason: z.string().nullable(),
  /** The last comparison of the database with what this version made of it: one line a difference. */
  integrity: z.object({ checked_at: instant.nullable(), differences: z.array(z.string()) }),
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
  address: typedMark().max(64),
  /** The difference that is explained, signed, as the overview shows it; another one is refused. */
  difference: typedMark().regex(/^-?\d{1,15}(\.\d{1,6})?$/, 'amount_invalid'),
  reason: z.string().trim().min(3, 'field_required').max(300),
  otp: otpField,
})
