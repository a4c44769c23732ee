/**
 * The key file: all keys that move money, encrypted with a passphrase (scrypt, then AES-256-GCM). Only the signer and the
 * command that makes key files import this.
 */
import { createCipheriv, createDecipheriv, randomBytes, type ScryptOptions, scrypt } from 'node:crypto'
import { existsSync } from 'node:fs'
import { type FileHandle, link, open, rename, rm, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { isEncryptedSite } from '@aval/db/encrypted'
import { parseAddress, type TronAddress } from '@aval/tron'
import { z } from 'zod'
import { newPolicy, type Policy, policySchema, writtenPolicy } from '../policy.rules.ts'
import { createKeyRing, type KeyRing, type Keys } from './key-ring.ts'

/** Why a key file cannot be used, in one line for the person who gave it. */
export class KeyFileRefusal extends Error {
  override readonly name = 'KeyFileRefusal'
}

/** 2: may name nodes. A file of version 1 names none, and is read as before. */
const VERSION = 2
// 2^17: a fifth of a second and 128 MB for each passphrase tried.
const SCRYPT = { N: 2 ** 17, r: 8, p: 1 } as const
const FILE_LIMIT = 1_000_000
/** As the command is given them: those of a new file of a public network. */
const DECISIONS = 'run:1,plan:2,member_key:2'

const hex = (bytes: number) => z.string().regex(new RegExp(`^[0-9a-f]{${2 * bytes}}$`))
const sealedFile = z.strictObject({
  version: z.union([z.literal(1), z.literal(VERSION)]),
  kdf: z.literal('scrypt-131072-8-1'),
  cipher: z.literal('aes-256-gcm'),
  salt: hex(32),
  nonce: hex(12),
  tag: hex(16),
  sealed: z.string().regex(/^([0-9a-f]{2})+$/),
})
type SealedFile = z.infer<typeof sealedFile>

const address = z
  .string()
  .transform((text) => parseAddress(text))
  .refine((read): read is TronAddress => read !== null)
const content = z.strictObject({
  network: z.enum(['devnet', 'nile', 'shasta', 'mainnet']),
  usdt: address,
  hot_key: hex(32),
  cold: address,
  deposit_key: z.string().startsWith('xprv'),
  // None in files of before: nobody approves then.
  policy: policySchema.optional(),
})

/**
 * Writes a new key file that its owner alone may read.
 * @throws KeyFileRefusal when there is a file already, or no place for one
 */
export async function writeKeyFile(path: string, keys: Keys, passphrase: string): Promise<void> {
  if (existsSync(path)) throw new KeyFileRefusal(`${path} exists already: nothing was changed`)
  const text = `${JSON.stringify(await seal(keys, passphrase), null, 2)}\n`
  const draft = `${path}.${randomBytes(4).toString('hex')}`
  try {
    await writeFile(draft, text, { flag: 'wx', mode: 0o600, flush: true })
    // Written whole or not at all. `link` never replaces: the keys of an older file may hold money.
    await link(draft, path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new KeyFileRefusal(
      code === 'EEXIST'
        ? `${path} exists already: nothing was changed`
        : `${path} cannot be written: ${code}`,
    )
  } finally {
    await rm(draft, { force: true })
  }
}

/**
 * Reads and opens a key file.
 * @throws KeyFileRefusal, in one line, where it is missing, damaged, open to others, or not opened by this passphrase
 */
export async function openKeyFile(path: string, passphrase: string): Promise<KeyRing> {
  return createKeyRing(await readKeys(path, passphrase))
}

/**
 * Writes the file again with another policy, whose version is one higher. Whole or not at all. A file from before decisions gets the
 * numbers of a public network, unless the change says others.
 * @returns the new policy
 * @throws KeyFileRefusal
 */
export async function changePolicy(
  path: string,
  passphrase: string,
  change: (policy: Policy) => Policy,
): Promise<Policy> {
  const keys = await readKeys(path, passphrase, withDecisions)
  const policy = { ...change(keys.policy), version: keys.policy.version + 1 }
  const checked = policySchema.safeParse(writtenPolicy(policy))
  if (!checked.success) {
    throw new KeyFileRefusal(
      `nothing was changed: ${checked.error.issues[0]?.message ?? 'the policy is invalid'}`,
    )
  }
  const problem = chainProblem(keys.network, checked.data)
  if (problem !== null) throw new KeyFileRefusal(`nothing was changed: ${problem}`)
  const draft = `${path}.${randomBytes(4).toString('hex')}`
  try {
    const text = `${JSON.stringify(await seal({ ...keys, policy }, passphrase), null, 2)}\n`
    await writeFile(draft, text, { flag: 'wx', mode: 0o600, flush: true })
    await rename(draft, path)
  } catch (error) {
    throw new KeyFileRefusal(`${path} cannot be written: ${(error as NodeJS.ErrnoException).code}`)
  } finally {
    await rm(draft, { force: true })
  }
  return policy
}

/** What is done about a file from before decisions. */
type Mend = (path: string, plain: unknown) => unknown

async function readKeys(path: string, passphrase: string, mend: Mend = refuseOlder): Promise<Keys> {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    throw new KeyFileRefusal(
      error.code === 'ENOENT'
        ? `there is no key file ${path}`
        : `the key file ${path} cannot be read: ${error.code}`,
    )
  })
  try {
    const sealed = parse(path, await readPrivate(path, file))
    return readContent(path, mend(path, JSON.parse(await unseal(path, sealed, passphrase))))
  } finally {
    await file.close()
  }
}

async function readPrivate(path: string, file: FileHandle): Promise<string> {
  const info = await file.stat()
  const { mode, size } = info
  if (!info.isFile()) throw new KeyFileRefusal(`${path} is no key file`)
  if ((mode & 0o077) !== 0) {
    throw new KeyFileRefusal(`the key file ${path} is open to other users of this machine: chmod 600 ${path}`)
  }
  if (size > FILE_LIMIT) throw new KeyFileRefusal(`${path} is no key file`)
  return file.readFile('utf8')
}

function parse(path: string, text: string): SealedFile {
  try {
    return sealedFile.parse(JSON.parse(text))
  } catch {
    throw new KeyFileRefusal(`${path} is no key file, or a damaged one`)
  }
}

async function seal(keys: Keys, passphrase: string): Promise<SealedFile> {
  const salt = randomBytes(32)
  const nonce = randomBytes(12)
  const key = await stretch(passphrase, salt)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  const plain = Buffer.from(JSON.stringify(written(keys)))
  const sealed = Buffer.concat([cipher.update(plain), cipher.final()])
  key.fill(0)
  plain.fill(0)
  return {
    version: VERSION,
    kdf: 'scrypt-131072-8-1',
    cipher: 'aes-256-gcm',
    salt: salt.toString('hex'),
    nonce: nonce.toString('hex'),
    tag: cipher.getAuthTag().toString('hex'),
    sealed: sealed.toString('hex'),
  }
}

/** @returns JSON that this program, or another version of it, wrote: the tag says so */
async function unseal(path: string, file: SealedFile, passphrase: string): Promise<string> {
  const key = await stretch(passphrase, Buffer.from(file.salt, 'hex'))
  const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(file.nonce, 'hex'))
  decipher.setAuthTag(Buffer.from(file.tag, 'hex'))
  try {
    const plain = Buffer.concat([decipher.update(file.sealed, 'hex'), decipher.final()])
    const text = plain.toString('utf8')
    plain.fill(0)
    return text
  } catch {
    throw new KeyFileRefusal(
      `the key file ${path} was not opened: another passphrase, or the file is damaged`,
    )
  } finally {
    key.fill(0)
  }
}

/** What is wrong is said by its name alone: the values around it are keys. */
function readContent(path: string, plain: unknown): Keys {
  const read = content.safeParse(plain)
  if (!read.success) {
    const field = read.error.issues[0]?.path.join('.') ?? ''
    throw new KeyFileRefusal(
      `the key file ${path} was opened, and its field ${field === '' ? 'list' : field} is missing or not as this program knows it: another version of it wrote the file`,
    )
  }
  const { network, usdt, hot_key, cold, deposit_key, policy } = read.data
  const problem = policy === undefined ? null : chainProblem(network, policy)
  if (problem !== null) throw new KeyFileRefusal(`the key file ${path} is not used: ${problem}`)
  return {
    network,
    usdt,
    cold,
    hotKey: new Uint8Array(Buffer.from(hot_key, 'hex')),
    depositKey: deposit_key,
    policy: policy ?? newPolicy(network),
  }
}

/** What is wrong with the nodes that it names; null where nothing is, or it names none. One node alone is believed on the development chain. */
function chainProblem(network: string, { chain }: Pick<Policy, 'chain'>): string | null {
  if (chain === undefined) return null
  const { nodes, quorum } = chain
  const least = network === 'devnet' ? 1 : 2
  if (quorum < least) return `of its nodes ${least} or more have to agree, not ${quorum}`
  if (quorum > nodes.length) return `${quorum} of its nodes have to agree, and it names ${nodes.length}`
  const hosts = nodes.map(({ url }) => new URL(url).host)
  if (new Set(hosts).size < hosts.length) return 'it names a node twice: two of one host are one'
  return network === 'devnet' || nodes.every(({ url }) => isEncryptedSite(url))
    ? null
    : 'the address of a node begins with https://, unless it is on this machine'
}

/** The policy of a file from before decisions; null of any other. */
function policyBeforeDecisions(plain: unknown): object | null {
  const policy = fieldOf(plain, 'policy')
  return typeof policy === 'object' && policy !== null && !('decisions' in policy) ? policy : null
}

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined

/** How many operators let balances rise is for a person to say; and the journal knows the file by a hash over all that it says. */
const refuseOlder: Mend = (path, plain) => {
  if (policyBeforeDecisions(plain) === null) return plain
  throw new KeyFileRefusal(
    `the key file ${path} lacks policy.decisions, it is from before there were any: ` +
      `npm run keys -- limits ${path} --decisions ${DECISIONS} adds it`,
  )
}

const withDecisions: Mend = (_path, plain) => {
  const policy = policyBeforeDecisions(plain)
  return policy === null || typeof plain !== 'object'
    ? plain
    : { ...plain, policy: { ...policy, decisions: newPolicy('mainnet').decisions } }
}

function written(keys: Keys): z.input<typeof content> {
  return {
    network: content.shape.network.parse(keys.network),
    usdt: keys.usdt,
    hot_key: Buffer.from(keys.hotKey).toString('hex'),
    cold: keys.cold,
    deposit_key: keys.depositKey,
    policy: writtenPolicy(keys.policy),
  }
}

const scryptAsync = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt)

function stretch(passphrase: string, salt: Buffer): Promise<Buffer> {
  const { N, r, p } = SCRYPT
  return scryptAsync(passphrase.normalize('NFKC'), salt, 32, { ...SCRYPT, maxmem: 2 * 128 * N * r * p })
}
