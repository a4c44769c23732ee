/**
 * Encryption of what is backed up: a passphrase gives a key by scrypt, a file its own by HKDF; its content is cut into frames, each
 * sealed with AES-256-GCM under its number. The last one says that it is: a file that was cut off is known by that.
 */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, scrypt } from 'node:crypto'
import { Transform, type TransformCallback } from 'node:stream'
import { promisify } from 'node:util'
import { Refusal } from '../core/refusal.ts'

const MAGIC = Buffer.from('AVALSEAL1\n', 'latin1')
const SALT_BYTES = 16
const TAG_BYTES = 16
const FRAME_BYTES = 2 ** 20
const HEAD_BYTES = MAGIC.length + SALT_BYTES
/** As of the signer's key files: about half a second. */
const SCRYPT = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 2 ** 20 }

/** How a store is sealed: its salt, and what the right passphrase gives. */
export interface Seal {
  readonly salt: string
  readonly check: string
}
/** Null: nothing is encrypted. */
export type Key = Buffer | null

const derive = promisify<string, Buffer, number, typeof SCRYPT, Buffer>(scrypt)
const checkOf = (key: Buffer): string => createHmac('sha256', key).update('aval backups').digest('hex')
const keyFrom = (passphrase: string, salt: string) =>
  derive(passphrase.normalize('NFC'), Buffer.from(salt, 'hex'), 32, SCRYPT)

export async function newSeal(passphrase: string): Promise<Seal> {
  const salt = randomBytes(SALT_BYTES).toString('hex')
  return { salt, check: checkOf(await keyFrom(passphrase, salt)) }
}

/** @throws Refusal for another passphrase */
export async function openSeal({ salt, check }: Seal, passphrase: string): Promise<Buffer> {
  const key = await keyFrom(passphrase, salt)
  if (checkOf(key) !== check) throw new Refusal('BACKUP_PASSPHRASE: does not open these backups.')
  return key
}

/** Of a text, so that who cannot read it cannot change it either. Null: without a secret nothing can be proven. */
export const proofOf = (key: Key, text: string): string | null =>
  key === null ? null : createHmac('sha256', key).update(text).digest('hex')

const fileKey = (key: Buffer, salt: Buffer) => Buffer.from(hkdfSync('sha256', key, salt, 'aval backup', 32))

function nonceOf(frame: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeBigUInt64BE(BigInt(frame), 3)
  nonce[11] = isLast ? 1 : 0
  return nonce
}

/** Writes a file of frames, each when it is told to: what is written up to there can be opened. */
export function createSealer(key: Buffer) {
  const salt = randomBytes(SALT_BYTES)
  const own = fileKey(key, salt)
  let frame = 0
  return {
    head: Buffer.concat([MAGIC, salt]),
    frame(content: Buffer, isLast: boolean): Buffer {
      const cipher = createCipheriv('aes-256-gcm', own, nonceOf(frame, isLast))
      frame += 1
      const length = Buffer.alloc(4)
      length.writeUInt32BE(content.length + TAG_BYTES)
      return Buffer.concat([length, cipher.update(content), cipher.final(), cipher.getAuthTag()])
    },
  }
}

/** Bytes that wait until there are enough. */
function createGathering() {
  let chunks: Buffer[] = []
  let size = 0
  return {
    size: () => size,
    add(chunk: Buffer): void {
      chunks.push(chunk)
      size += chunk.length
    },
    take(bytes: number): Buffer {
      const all = chunks.length === 1 ? (chunks[0] ?? Buffer.alloc(0)) : Buffer.concat(chunks)
      chunks = bytes < all.length ? [all.subarray(bytes)] : []
      size = all.length - Math.min(bytes, all.length)
      return all.subarray(0, bytes)
    },
  }
}

export function sealing(key: Buffer): Transform {
  const sealer = createSealer(key)
  const waiting = createGathering()
  let begun = false
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (!begun) this.push(sealer.head)
      begun = true
      waiting.add(chunk)
      // One byte stays, so that the last frame is never empty unless all is.
      while (waiting.size() > FRAME_BYTES) this.push(sealer.frame(waiting.take(FRAME_BYTES), false))
      done()
    },
    flush(done) {
      if (!begun) this.push(sealer.head)
      this.push(sealer.frame(waiting.take(waiting.size()), true))
      done()
    },
  })
}

/** Not the passphrase's fault: that one was checked before. */
const damaged = () => new Refusal('is cut off or was changed')

/**
 * Gives what {@link sealing} took.
 *
 * @param mayBeCut the file may end anywhere, as one that is still being written does: what is whole is given
 */
export function opening(key: Buffer, mayBeCut = false): Transform {
  const waiting = createGathering()
  let own: Buffer | null = null
  let next: number | null = null
  let frame = 0
  let isOver = false

  const open = (content: Buffer, isLast: boolean): Buffer | null => {
    const decipher = createDecipheriv('aes-256-gcm', own ?? key, nonceOf(frame, isLast))
    decipher.setAuthTag(content.subarray(-TAG_BYTES))
    try {
      return Buffer.concat([decipher.update(content.subarray(0, -TAG_BYTES)), decipher.final()])
    } catch {
      return null
    }
  }
  const step = (into: Transform): boolean => {
    if (own === null) {
      if (waiting.size() < HEAD_BYTES) return false
      const head = waiting.take(HEAD_BYTES)
      if (!head.subarray(0, MAGIC.length).equals(MAGIC)) throw damaged()
      own = fileKey(key, head.subarray(MAGIC.length))
    } else if (next === null) {
      if (waiting.size() < 4) return false
      next = waiting.take(4).readUInt32BE()
      if (next < TAG_BYTES || next > FRAME_BYTES * 17 || isOver) throw damaged()
    } else {
      if (waiting.size() < next) return false
      const content = waiting.take(next)
      const plain = open(content, false)
      const found = plain ?? open(content, true)
      if (found === null) throw damaged()
      isOver = plain === null
      into.push(found)
      frame += 1
      next = null
    }
    return true
  }
  return new Transform({
    transform(chunk: Buffer, _encoding, done: TransformCallback) {
      waiting.add(chunk)
      try {
        while (step(this));
        done()
      } catch (error) {
        done(error as Error)
      }
    },
    flush(done) {
      const isWhole = isOver && waiting.size() === 0 && next === null
      done(isWhole || mayBeCut ? null : damaged())
    },
  })
}
