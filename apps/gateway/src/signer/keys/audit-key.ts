/** The key that signs the head of the audit trail. It moves no money. */
import { createPrivateKey, createPublicKey, hkdfSync, sign } from 'node:crypto'

export interface AuditKey {
  /** 32 bytes of Ed25519. */
  readonly publicKey: Buffer
  /** 64 bytes. */
  sign(message: Buffer): Buffer
}

/** How PKCS #8 begins for the 32 bytes of an Ed25519 key. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex')

/** Derived from the extended deposit key, which an installation keeps for ever; one does not tell the other. */
export function createAuditKey(depositKey: string): AuditKey {
  const seed = Buffer.from(hkdfSync('sha256', depositKey, '', 'aval audit key 1', 32))
  const key = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' })
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' })
  return { publicKey: Buffer.from(x, 'base64url'), sign: (message) => sign(null, message, key) }
}
