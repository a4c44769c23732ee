import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const CIPHER = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16

/**
 * Seals a text with AES-256-GCM, so that a copy of the database alone does not give it away.
 *
 * @param key 32 bytes
 * @param owner what the text belongs to; opened under another name it is refused, so no row can be given another's secret
 * @returns base64: nonce, text and tag
 */
export function seal(key: Uint8Array, text: string, owner: string): string {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv(CIPHER, key, iv).setAAD(Buffer.from(owner))
  return Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString(
    'base64',
  )
}

/** Opens what was sealed. @throws when it was changed, belongs to another owner, or was sealed with another key */
export function unseal(key: Uint8Array, sealed: string, owner: string): string {
  const bytes = Buffer.from(sealed, 'base64')
  const end = bytes.length - TAG_BYTES
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(owner))
    .setAuthTag(bytes.subarray(end))
  return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, end)), decipher.final()]).toString('utf8')
}

/** A key of its own for another purpose, so that no key does two things. */
export function keyFor(key: Uint8Array, purpose: string, bytes = 32): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', `aval ${purpose}`, bytes))
}
