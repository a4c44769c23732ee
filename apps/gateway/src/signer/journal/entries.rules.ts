/** What the signer's journal says, entry by entry, and what follows from it. */
import { z } from 'zod'

const id = z.string().regex(/^\d{1,19}$/)
const hash = z.string().regex(/^[0-9a-f]{64}$/)
const time = z.int().min(0)
const micro = z.string().regex(/^\d{1,18}$/)

/** What a node said of a transfer, and how far it was solid then. */
const witness = z.strictObject({
  node: z.string().max(300),
  at: time,
  block: z.int().min(0),
  id: hash,
  /** By the chain's clock. */
  time,
  said: z.string().max(200),
})

/** Of an accepted approval. */
const proven = {
  at: time,
  approval: id,
  nonce: hash,
  root: hash,
  count: z.int().min(1),
  operator: id,
  /** A credential's id, or `code`. */
  key: z.string().min(1).max(1_400),
  /** By a passkey: its counter. By a code: the half minute. */
  counter: z.int().min(0),
}

const entrySchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('begun'), at: time, network: z.string(), hot: z.string() }),
  z.strictObject({ kind: z.literal('keys'), at: time, version: z.int().min(0), policy: hash }),
  /** Of withdrawals; `sum` is micro-USDT of all rows. */
  z.strictObject({ kind: z.literal('approved'), ...proven, sum: micro }),
  /** Of decisions. */
  z.strictObject({ kind: z.literal('decided'), ...proven }),
  z.strictObject({ kind: z.literal('wrong_code'), at: time, operator: id }),
  z.strictObject({
    kind: z.literal('signed'),
    at: time,
    txid: hash,
    withdrawal: id,
    member: id,
    /** What arrives, and what the fee took of it. */
    amount: micro,
    fee: micro,
    wallet: z.string(),
    /** By the chain's clock. */
    expires: time,
    /** Of the member's own signature, where one was needed: good for this withdrawal alone. */
    nonce: hash.optional(),
  }),
  /** A signed transfer can arrive no more: it is in no solid block past its expiration, or it failed in one. */
  z.strictObject({
    kind: z.literal('ended'),
    at: time,
    txid: hash,
    end: z.enum(['absent', 'failed']),
    /** The first block of their chain. */
    genesis: hash,
    nodes: z.array(witness).min(1).max(9),
  }),
  /** The same, said by a person who looked it up, on a machine without a network. */
  z.strictObject({ kind: z.literal('confirmed'), at: time, txid: hash, withdrawal: id }),
  z.strictObject({
    kind: z.literal('member_key'),
    at: time,
    member: id,
    version: z.int().min(1),
    /** `memberKeyHash` of the only key that moves this member's money; '' for none. */
    key: z.union([hash, z.literal('')]),
    by: z.enum(['member', 'operators']),
    /** What it signs is paid from then on. */
    usable: time,
  }),
  z.strictObject({
    kind: z.literal('acknowledged'),
    at: time,
    fault: z.string().regex(/^[a-z_]{1,40}$/),
    /** The end of the journal that the database remembered, and the key file's policy, as they are taken to be right. */
    remembered: z.strictObject({ sequence: z.int().min(0), hash: z.union([hash, z.literal('')]) }),
    version: z.int().min(0),
    policy: hash,
  }),
])
export type Entry = z.output<typeof entrySchema>
export type Of<Kind extends Entry['kind']> = Extract<Entry, { kind: Kind }>

/** The end of a journal: how many entries, and the hash over all of them. */
export interface Head {
  readonly sequence: number
  readonly hash: string
}
export const NOTHING: Head = { sequence: 0, hash: '' }

const numbered = z.looseObject({ sequence: z.int().min(1), before: z.union([hash, z.literal('')]), hash })

/** One line without its end. `hashOf` is SHA-256 as 64 hex digits. */
export function writeLine(
  entry: Entry,
  before: Head,
  hashOf: (text: string) => string,
  sequence = before.sequence + 1,
): { readonly line: string; readonly head: Head } {
  const body = JSON.stringify({ sequence, before: before.hash, ...entry })
  const head = { sequence, hash: hashOf(body) }
  return { line: `${body.slice(0, -1)},"hash":"${head.hash}"}`, head }
}

/** Null for a line that is no entry, or not the one that comes after `before`. Only an acknowledgement may skip numbers. */
export function readLine(
  line: string,
  before: Head,
  hashOf: (text: string) => string,
): { readonly entry: Entry; readonly head: Head } | null {
  const tail = `,"hash":"${line.slice(-66, -2)}"}`
  if (!line.endsWith(tail)) return null
  try {
    const raw: unknown = JSON.parse(line)
    const { sequence, before: previous, hash: own, ...rest } = numbered.parse(raw)
    const entry = entrySchema.parse(rest)
    const follows = sequence === before.sequence + 1
    const skips = entry.kind === 'acknowledged' && sequence > before.sequence
    if (previous !== before.hash || !(follows || skips)) return null
    return hashOf(`${line.slice(0, -tail.length)}}`) === own ? { entry, head: { sequence, hash: own } } : null
  } catch {
    return null
  }
}
