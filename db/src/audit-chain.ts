/**
 * The chain of the audit trail, computed without the database: what `seal_audit` writes must come out here as well.
 * A *seal* is a batch of rows of both trails; its hash covers the rows' hashes and the seal before. The *head* is the last seal.
 */
import { createHash, createPublicKey, verify } from 'node:crypto'

export const TRAILS = ['audit_event', 'security_event'] as const
export type Trail = (typeof TRAILS)[number]

/** The rows of one trail in a seal. */
export interface SealedRows {
  readonly last: bigint
  readonly ids: readonly bigint[]
  /** 32 bytes a row, in the order of `ids`. */
  readonly hashes: Buffer
}

export interface Seal {
  readonly id: bigint
  /** Microseconds since 1970. */
  readonly at: bigint
  readonly rows: Readonly<Record<Trail, SealedRows>>
  readonly root: Buffer
  readonly previous: Buffer
  readonly hash: Buffer
}

/** Texts one after the other, each with its length in bytes. */
export function netstrings(...texts: readonly (string | null)[]): Buffer {
  return Buffer.concat(
    texts.map((text) => {
      if (text === null) return Buffer.from('-')
      const bytes = Buffer.from(text, 'utf8')
      return Buffer.concat([Buffer.from(`${bytes.length}:`), bytes])
    }),
  )
}

export const hashOf = (...texts: readonly (string | null)[]): Buffer =>
  createHash('sha256')
    .update(netstrings(...texts))
    .digest()

const rootOf = ({ rows: { audit_event: a, security_event: s } }: Seal): Buffer =>
  hashOf(a.ids.join(','), a.hashes.toString('hex'), s.ids.join(','), s.hashes.toString('hex'))

function sealHash({ id, at, rows, root, previous }: Seal): Buffer {
  const { audit_event: a, security_event: s } = rows
  return hashOf(...[id, at, a.last, s.last].map(String), root.toString('hex'), previous.toString('hex'))
}

/** What is wrong with a seal by itself, or as the one that follows; null when nothing is. */
export function sealFault(
  seal: Seal,
  before: Pick<Seal, 'id' | 'hash'> | null,
): 'altered' | 'missing' | null {
  if (seal.id !== (before?.id ?? 0n) + 1n) return 'missing'
  if (!seal.root.equals(rootOf(seal)) || !seal.hash.equals(sealHash(seal))) return 'altered'
  return seal.previous.equals(before?.hash ?? Buffer.alloc(0)) ? null : 'altered'
}

/** What the signer signs of a head. @param at milliseconds since 1970 */
export const headMessage = (network: string, { id, hash }: Pick<Seal, 'id' | 'hash'>, at: number): Buffer =>
  netstrings('aval audit head 1', network, String(id), hash.toString('hex'), String(at))

/** @param publicKey 32 bytes of Ed25519 */
export function isHeadSigned(publicKey: Buffer, message: Buffer, signature: Buffer): boolean {
  const x = publicKey.toString('base64url')
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  return verify(null, message, key, signature)
}
