/**
 * The two files that travel when the signer has no network: prepared transfers out of the gateway, signatures back.
 * Bytes are lower-case hex without "0x"; amounts USDT as decimal text; `withdrawal` is the number that members see.
 */
import { z } from 'zod'

const txid = z.string().regex(/^[0-9a-f]{64}$/)
const bytes = (limit: number) =>
  z
    .string()
    .max(2 * limit)
    .regex(/^([0-9a-f]{2})+$/)
const address = z.string().regex(/^T[1-9A-HJ-NP-Za-km-z]{33}$/)
/** So that a person can check each of them. */
const TRANSFERS = 1_000

export const exportedTransfer = z.strictObject({
  txid,
  raw: bytes(1_024),
  to: address,
  amount: z.string().regex(/^\d{1,12}\.\d{2,6}$/),
  withdrawal: z.string().regex(/^[1-9]\d{0,18}$/),
})
export type ExportedTransfer = z.infer<typeof exportedTransfer>

export const exportFile = z.strictObject({
  network: z.string(),
  usdt: address,
  hot: address,
  made_at: z.iso.datetime(),
  transfers: z.array(exportedTransfer).min(1).max(TRANSFERS),
})
export type ExportFile = z.infer<typeof exportFile>

export const signedFile = z.strictObject({
  transfers: z
    .array(z.strictObject({ txid, raw: bytes(1_024), signature: z.string().regex(/^[0-9a-f]{130}$/) }))
    .max(TRANSFERS),
})
export type SignedFile = z.infer<typeof signedFile>
