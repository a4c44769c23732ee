/** Secrets made once per data folder and kept in `secrets.json`, readable by their owner alone. */
import { randomBytes, randomInt } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Passwords, PROCESSES } from '@aval/db/prepare'
import { z } from 'zod'
import { writePrivate } from '../core/private-file.ts'
import { codeOf, Refusal } from '../core/refusal.ts'

const schema = z.object({
  superuserPassword: z.string().min(16),
  /** Of the sign-ins of each program. */
  database: z.record(z.enum(PROCESSES), z.string().min(16)),
  /** Opens the key file that the development chain's signer reads. */
  signerPassphrase: z.string().min(16),
  jwtKey: z.string().regex(/^[0-9a-f]{64}$/),
  captchaKey: z.string().regex(/^[0-9a-f]{64}$/),
  /** Seals the secrets of two-factor in the database. */
  sealKey: z.string().regex(/^[0-9a-f]{64}$/),
  demoPassword: z.string().min(8).max(20),
})
export type Secrets = z.infer<typeof schema>

/** Reads the secrets, or makes them in an empty folder. @throws Refusal when the file is broken. */
export async function readSecrets(dataDir: string): Promise<Secrets> {
  const file = join(dataDir, 'secrets.json')
  try {
    const kept: unknown = JSON.parse(await readFile(file, 'utf8'))
    const known = schema.safeParse(kept)
    if (known.success) return known.data
    // A folder of an earlier version lacks what was added since; what is there stays.
    const fresh = freshSecrets()
    const had = z.looseObject({ database: z.looseObject({}) }).parse(kept)
    const whole = schema.parse({ ...fresh, ...had, database: { ...fresh.database, ...had.database } })
    await writePrivate(file, whole)
    return whole
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return makeSecrets(file)
    if (codeOf(error) !== '') throw error
    throw new Refusal(`${file} is damaged: bring it back from a backup, or choose another DATA_DIR.`)
  }
}

async function makeSecrets(file: string): Promise<Secrets> {
  const secrets = freshSecrets()
  await writePrivate(file, secrets)
  return secrets
}

function freshSecrets(): Secrets {
  return {
    superuserPassword: randomBytes(24).toString('hex'),
    database: Object.fromEntries(
      PROCESSES.map((name) => [name, randomBytes(24).toString('hex')]),
    ) as Passwords,
    signerPassphrase: randomBytes(24).toString('hex'),
    jwtKey: randomBytes(32).toString('hex'),
    captchaKey: randomBytes(32).toString('hex'),
    sealKey: randomBytes(32).toString('hex'),
    demoPassword: readablePassword(),
  }
}

/** Twelve characters (59 bits) without look-alikes, in groups: people type it from the terminal. */
function readablePassword(): string {
  const letters = 'abcdefghjkmnpqrstuvwxyz23456789'
  const group = () => Array.from({ length: 4 }, () => letters[randomInt(letters.length)]).join('')
  return [group(), group(), group()].join('-')
}
