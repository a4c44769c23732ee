/** An authenticator app of our own (RFC 6238), so that the server's is not what the server is measured by. */
import { createHash, createHmac } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { z } from 'zod'
import { superuserUrl } from './superuser.ts'

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const STEP_MS = 30_000

function bytesOf(base32: string): Buffer {
  const bits = [...base32].map((letter) => LETTERS.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

/** What the app shows at an instant. @param secret base32, spaces or none */
export const codeOf = (secret: string, at = Date.now()): string =>
  codeOfBytes(bytesOf(secret.replaceAll(' ', '')), stepOf(at))

function codeOfBytes(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const from = (mac.at(-1) ?? 0) & 15
  return String((mac.readUInt32BE(from) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

const demoFile = z.object({
  signIns: z.array(
    z.object({ username: z.string(), totp: z.string().optional(), memberId: z.string().optional() }),
  ),
})

const read = async (dataDir: string, name: string): Promise<unknown> =>
  JSON.parse(await readFile(join(dataDir, name), 'utf8'))

/** The number of the half minute of an instant: a code is of one, and good once. */
export const stepOf = (at = Date.now()): number => Math.floor(at / STEP_MS)

/** What an operator of the demo approves withdrawals with in a half minute; the signer's key file has the same secret. */
export async function approvalCode(dataDir: string, username: string, step: number): Promise<string> {
  const { signIns } = demoFile.parse(await read(dataDir, 'demo.json'))
  const memberId = signIns.find((signIn) => signIn.username === username)?.memberId
  if (memberId === undefined) throw new Error(`${username} is no operator of the demo`)
  const seed = createHash('sha256').update(`aval devnet approver ${memberId}`).digest().subarray(0, 20)
  return codeOfBytes(seed, step)
}

/** What this member of the demo types into an authenticator app; null for a member without two-factor. */
async function secretOf(dataDir: string, username: string): Promise<string | null> {
  const { signIns } = demoFile.parse(await read(dataDir, 'demo.json'))
  return signIns.find((signIn) => signIn.username === username)?.totp ?? null
}

/**
 * A code that signs this member in, or decides, now; null for a member without two-factor. Nobody waits for the next half
 * minute: the database forgets that this one was used before.
 * @param secret base32; that of a member of the demo is known
 */
export async function freshCode(dataDir: string, username: string, secret?: string): Promise<string | null> {
  const known = secret ?? (await secretOf(dataDir, username))
  if (known === null) return null
  const superuser = new pg.Client({ connectionString: await superuserUrl(dataDir) })
  await superuser.connect()
  try {
    // The rule that codes are used in order is the database's own, too; it is let go for this one statement.
    await superuser.query('SET session_replication_role = replica')
    await superuser.query(
      `UPDATE member_totp SET last_step = 0, last_use = NULL
       WHERE member_id = (SELECT member_id FROM member_identifier WHERE kind = 'username' AND value = $1)`,
      [username],
    )
  } finally {
    await superuser.end()
  }
  return codeOf(known)
}
