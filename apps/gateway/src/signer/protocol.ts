/**
 * How the gateway asks for a signature. It names a transfer; the signer reads from the database what to sign.
 *
 * On the wire: a line of JSON each way over a local socket. `{id, txid}` is answered by `{id, signature}` or by
 * `{id, refused: {code, message}}`, in any order. Anything else ends the connection.
 */
import { z } from 'zod'

/** The signature, which is already stored; or why there is none. `code` is a stable name, `message` a sentence. */
export type SignerReply =
  | { readonly signed: true; readonly signature: Uint8Array }
  | { readonly signed: false; readonly code: string; readonly message: string }

export interface SignerPort {
  /**
   * Signs the prepared transfer with this txid; gives the stored signature where it is signed already. Never throws: when
   * the signer cannot be reached or does not answer, the code is `signer_unavailable`, and a signature may be stored even so.
   */
  sign(txid: string): Promise<SignerReply>
}

/** The longest line either side accepts, in bytes. */
export const LINE_LIMIT = 2_048
/** The longest socket path: the system cuts at 107 bytes (103 on macOS), and the lock's own name is longer. */
export const PATH_LIMIT = 92

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

export interface LineReader {
  /** Takes the next bytes and passes on whole lines. False when a line is too long; nothing is read after that. */
  push(part: Buffer): boolean
  /** Whether a line has started and not ended. */
  readonly isPartial: boolean
}

/** Splits a stream of bytes into lines, and never keeps more than one line of LINE_LIMIT bytes. */
export function createLineReader(onLine: (line: string) => void): LineReader {
  let partial: Buffer = Buffer.alloc(0)
  let tooLong = false
  return {
    push(part) {
      let rest = part
      while (!tooLong) {
        const end = rest.indexOf(10)
        const piece = end === -1 ? rest : rest.subarray(0, end)
        if (partial.length + piece.length > LINE_LIMIT) {
          tooLong = true
          partial = Buffer.alloc(0)
          break
        }
        const line = partial.length === 0 ? piece : Buffer.concat([partial, piece])
        if (end === -1) {
          partial = line.length === 0 ? line : Buffer.from(line)
          break
        }
        partial = Buffer.alloc(0)
        rest = rest.subarray(end + 1)
        onLine(line.toString('utf8'))
      }
      return !tooLong
    },
    get isPartial() {
      return partial.length > 0
    },
  }
}
