/**
 * The two files that travel when the signer has no network: prepared transfers and signed decisions out of the gateway, signatures back.
 * Bytes are lower-case hex without "0x"; amounts USDT as decimal text; `withdrawal` is the number that members see.
 */
import { MAX_DECISIONS, MAX_ROWS } from '@aval/approvals'
import { z } from 'zod'

const txid = z.string().regex(/^[0-9a-f]{64}$/)
const bytes = (limit: number) =>
  z
    .string()
    .max(2 * limit)
    .regex(/^([0-9a-f]{2})+$/)
const address = z.string().regex(/^T[1-9A-HJ-NP-Za-km-z]{33}$/)
const number = z.string().regex(/^[1-9]\d{0,18}$/)
const amount = z.string().regex(/^\d{1,12}\.\d{2,6}$/)
const hash = z.string().regex(/^[0-9a-f]{64}$/)
/** So that a person can check each of them. */
const TRANSFERS = 1_000

/** A member's own key by the database, and what it signed for a withdrawal. */
const exportedMemberKey = z.strictObject({
  version: z.int().min(1),
  credential_id: z.string(),
  algorithm: z.int(),
  public_key: z.string(),
  /** Null where the database has none. */
  signed: z.strictObject({ proof: z.unknown(), expires_at: z.iso.datetime(), nonce: hash }).nullable(),
})

/** Another transfer by which this money may have left: of the same withdrawal, or of one of the member's that ended unpaid. */
const earlierTransfer = z.strictObject({ txid, raw: bytes(1_024), withdrawal: number })

export const exportedTransfer = z.strictObject({
  txid,
  raw: bytes(1_024),
  to: address,
  amount,
  withdrawal: number,
  member: number,
  /** What the member asked for, with its fee. */
  asked: amount,
  fee: amount,
  /** Where only the member's passkey moves money. */
  member_key: exportedMemberKey.nullable(),
  earlier: z.array(earlierTransfer).max(TRANSFERS),
})
export type ExportedTransfer = z.infer<typeof exportedTransfer>

/** What an operator signed, but for its rows. */
const signedRequest = {
  operator: number,
  network: z.string().max(20),
  purpose: z.string().max(20),
  expires_at: z.iso.datetime(),
  nonce: hash,
  root: hash,
  /** Not checked here: what counts it verifies it. */
  proof: z.unknown(),
}

/** An approval with all rows of its list: withdrawal, member, amount and fee in USDT, wallet. */
const exportedApproval = z.strictObject({
  ...signedRequest,
  rows: z
    .array(z.tuple([number, number, amount, amount, address]))
    .min(1)
    .max(MAX_ROWS),
})
export type ExportedApproval = z.infer<typeof exportedApproval>

/** The database's own numbers end above these. */
const approval = z.string().regex(/^[1-9]\d{0,17}$/)
/** As many as the database lets wait. */
const LISTS = 200

/** An approval of decisions that waits, with all rows of its list: number, kind, statement. */
const exportedDecisions = z.strictObject({
  ...signedRequest,
  approval,
  rows: z
    .array(z.tuple([number, z.string().max(20), z.record(z.string().max(40), z.string().max(8_000))]))
    .min(1)
    .max(MAX_DECISIONS),
})
export type ExportedDecisions = z.infer<typeof exportedDecisions>

export const exportFile = z.strictObject({
  network: z.string(),
  usdt: address,
  hot: address,
  made_at: z.iso.datetime(),
  transfers: z.array(exportedTransfer).max(TRANSFERS),
  approvals: z.array(exportedApproval).max(TRANSFERS),
  decisions: z.array(exportedDecisions).max(LISTS).default([]),
})
export type ExportFile = z.infer<typeof exportFile>

/** What became of an approval of decisions on the machine with the keys. */
const outcome = z.strictObject({
  approval,
  operator: number,
  nonce: hash,
  root: hash,
  /** `accepted`, or the name of what speaks against it. */
  verdict: z.string().regex(/^[a-z_]{1,60}$/),
  /** Operators whom the key file asks for, by the list's order. */
  needed: z.array(z.int().min(1).max(5)).min(1).max(MAX_DECISIONS),
})
export type Outcome = z.infer<typeof outcome>

/** Signed by the audit key, which only who holds the keys has. */
const signedDecisions = z.strictObject({
  network: z.string().max(20),
  outcomes: z.array(outcome).min(1).max(LISTS),
  audit_key: z.string().regex(/^[0-9a-f]{64}$/),
  signature: z.string().regex(/^[0-9a-f]{128}$/),
})
export type SignedDecisions = z.infer<typeof signedDecisions>

export const signedFile = z.strictObject({
  transfers: z
    .array(z.strictObject({ txid, raw: bytes(1_024), signature: z.string().regex(/^[0-9a-f]{130}$/) }))
    .max(TRANSFERS),
  decisions: signedDecisions.nullable().default(null),
})
export type SignedFile = z.infer<typeof signedFile>
