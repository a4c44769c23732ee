/**
 * How the gateway asks for a signature. It names a transfer; what is signed, the signer reads from the database itself.
 *
 * On the wire: a line of JSON each way over a local socket. `{id, txid}` is answered by `{id, signature}` or by
 * `{id, refused: {code, message}}`, in any order. Whoever says anything else is hung up on.
 */
import { z } from 'zod'

/** A signature is already stored when it is answered; or why there is none. `code` is a stable name, `message` a sentence. */
export type SignerReply =
  | { readonly signed: true; readonly signature: Uint8Array }
  | { readonly signed: false; readonly code: string; readonly message: string }

export interface SignerPort {
  /**
   * Has the prepared transfer with this txid signed; the stored signature where it is signed already. Never throws: where
   * the signer cannot be asked, or does not answer, the code is `signer_unavailable`, and a signature may be stored even so.
   */
  sign(txid: string): Promise<SignerReply>
}

/** The longest line either side accepts, in bytes. */
export const LINE_LIMIT = 2_048

const id = z.int().min(1)

export const signRequest = z.strictObject({ id, txid: z.string().regex(/^[0-9a-f]{64}$/) })

export const signAnswer = z.union([
  z.strictObject({ id, signature: z.string().regex(/^[0-9a-f]{130}$/) }),
  z.strictObject({
    id,
    refused: z.strictObject({ code: z.string().regex(/^[a-z_]{1,64}$/), message: z.string().max(500) }),
  }),
])
export type SignAnswer = z.infer<typeof signAnswer>

/** Null for a line that is no JSON, or not of this form. */
export function parseLine<Value>(schema: z.ZodType<Value>, line: string): Value | null {
  try {
    return schema.safeParse(JSON.parse(line)).data ?? null
  } catch {
    return null
  }
}
