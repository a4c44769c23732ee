import { z } from 'zod'
import { instant, pageQuery } from './common.ts'

/** Why an observed transfer was not credited, or that it was. */
export const TRANSFER_VERDICTS = ['credit', 'wrong_token', 'zero_value', 'failed', 'wrong_asset'] as const

/** A row of GET operator/transfers/?verdict=…: everything that ever moved toward one of our addresses. */
export const observedTransfer = z.object({
  txid: z.string(),
  position: z.int(),
  block: z.int(),
  date: instant,
  verdict: z.enum(TRANSFER_VERDICTS),
  contract: z.string(),
  from: z.string(),
  to: z.string(),
  /** In the token's smallest units where the token is not ours. */
  value: z.string(),
  member: z.string().nullable(),
  explorer_url: z.string().nullable(),
})
export type ObservedTransfer = z.infer<typeof observedTransfer>

/** GET operator/transfers/?verdict= */
export const transfersQuery = pageQuery.extend({ verdict: z.enum(TRANSFER_VERDICTS).optional() })
