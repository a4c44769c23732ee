/**
 * A folder of backups: `aval-backups.json` says of which database they are and how they are sealed; each backup is a folder named by
 * when it was made; `log/` holds the log that `npm start` ships there.
 */
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { link, mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { writePrivate } from '../core/private-file.ts'
import { codeOf, lineOf, Refusal } from '../core/refusal.ts'
import { partSchema } from './parts.ts'
import { type Key, newSeal, openSeal, proofOf } from './sealing.ts'

const FORMAT = 1
const hex = (length: number) => z.string().regex(new RegExp(`^[0-9a-f]{${length}}$`))

const storeSchema = z.object({
  format: z.int().min(1),
  /** What PostgreSQL calls the cluster; a restored one keeps it. */
  system: z.string().regex(/^\d{1,20}$/),
  /** Null: not encrypted. */
  seal: z.object({ salt: hex(32), check: hex(64) }).nullable(),
})

const manifestSchema = z.object({
  format: z.int().min(1),
  /** When the copy ended: it says what was committed by then. */
  madeAt: z.iso.datetime(),
  /** The newest migration it has. */
  migration: z.string(),
  postgres: z.int().min(15),
  timeline: z.int().min(1),
  /** Where in the log the copy begins and ends, such as `0/2000028`. */
  start: z.string(),
  end: z.string(),
  database: partSchema,
  files: partSchema,
})
export type Manifest = z.output<typeof manifestSchema>

export interface Store {
  readonly folder: string
  readonly system: string
  readonly key: Key
}
export interface Backup {
  readonly name: string
  readonly folder: string
  readonly manifest: Manifest
}

const STORE_FILE = 'aval-backups.json'
const DRAFT = '.aval-backups-'
const MANIFEST_FILE = 'backup.json'
export const LOG_FOLDER = 'log'

/**
 * Where there is a passphrase, what is not encrypted is not ours: whoever can write to the folder would choose what comes back.
 *
 * @throws Refusal where there are no backups, or the passphrase is not theirs
 */
export async function openStore(folder: string, passphrase: string | null): Promise<Store> {
  const file = join(folder, STORE_FILE)
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR')
      throw new Refusal(`There are no backups in ${folder}.`)
    throw new Refusal(`${file} cannot be read: ${lineOf(error)}`)
  })
  const { format, system, seal } = parsed(storeSchema, text, file)
  refuseNewer(format, folder)
  if (seal === null && passphrase !== null)
    throw new Refusal(
      `BACKUP_PASSPHRASE: is set, but what is in ${folder} is not encrypted: choose another folder.`,
    )
  if (seal === null) return { folder, system, key: null }
  if (passphrase === null)
    throw new Refusal(`BACKUP_PASSPHRASE: is missing: it opens the backups in ${folder}.`)
  return { folder, system, key: await openSeal(seal, passphrase) }
}

/**
 * The same for one that is written to: made where the folder is empty or not there.
 *
 * @throws Refusal also for a folder of something else, and for backups of another database
 */
export async function openOrMakeStore(
  folder: string,
  passphrase: string | null,
  system: string,
): Promise<Store> {
  if (!existsSync(join(folder, STORE_FILE))) {
    await mkdir(folder, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
      throw new Refusal(`${folder} cannot be made: ${lineOf(error)}`)
    })
    if ((await readdir(folder)).some((name) => !name.startsWith(DRAFT)))
      throw new Refusal(`${folder} is not empty and holds no backups: choose an empty folder.`)
    await makeStore(folder, passphrase, system)
  }
  const store = await openStore(folder, passphrase)
  if (store.system !== system) throw new Refusal(`${folder} holds the backups of another database.`)
  return store
}

/** The log's shipping and a first backup may do it at the same time: there is one seal. */
async function makeStore(folder: string, passphrase: string | null, system: string): Promise<void> {
  const seal = passphrase === null ? null : await newSeal(passphrase)
  const draft = join(folder, `${DRAFT}${randomUUID()}`)
  await writePrivate(draft, { format: FORMAT, system, seal })
  await link(draft, join(folder, STORE_FILE)).catch((error: unknown) => {
    if (codeOf(error) !== 'EEXIST') throw error
  })
  await rm(draft)
}

function parsed<T>(schema: z.ZodType<T>, text: string, file: string): T {
  try {
    return schema.parse(JSON.parse(text))
  } catch {
    throw new Refusal(`${file} is damaged.`)
  }
}

function refuseNewer(format: number, where: string): void {
  if (format > FORMAT) throw new Refusal(`${where} was made by a newer version of Aval: use that one.`)
}

const NAME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/
const nameOf = (at: Date): string => `${at.toISOString().slice(0, 19).replaceAll(':', '-')}Z`

/** Where a backup is written until it is whole. What a killed one left goes. */
export async function newDraft({ folder }: Store, at: Date) {
  for (const name of await readdir(folder))
    if (name.endsWith('.part')) await rm(join(folder, name), { recursive: true, force: true })
  const name = nameOf(at)
  const draft = join(folder, `${name}.part`)
  await mkdir(draft, { mode: 0o700 })
  return { draft, whole: join(folder, name), name }
}

export async function writeManifest(
  { key }: Store,
  folder: string,
  manifest: Omit<Manifest, 'format'>,
): Promise<void> {
  const whole = { format: FORMAT, ...manifest }
  await writePrivate(join(folder, MANIFEST_FILE), {
    manifest: whole,
    proof: proofOf(key, JSON.stringify(whole)),
  })
}

/** @throws Refusal where the file is missing, changed, or of a newer version */
async function readBackup({ folder: store, key }: Store, name: string): Promise<Backup> {
  const folder = join(store, name)
  const file = join(folder, MANIFEST_FILE)
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new Refusal(`${file} cannot be read: ${lineOf(error)}`)
  })
  const { manifest, proof } = parsed(
    z.object({ manifest: z.looseObject({ format: z.int() }), proof: z.string().nullable() }),
    text,
    file,
  )
  refuseNewer(manifest.format, folder)
  // Earlier versions wrote one without a passphrase too. It proved nothing.
  if (key !== null && proofOf(key, JSON.stringify(manifest)) !== proof)
    throw new Refusal(`${file} was changed.`)
  return { name, folder, manifest: parsed(manifestSchema, JSON.stringify(manifest), file) }
}

/** The oldest first. */
export async function backupNames({ folder }: Store): Promise<string[]> {
  return (await readdir(folder)).filter((name) => NAME.test(name)).sort()
}

/**
 * The newest backup, or the newest from before `to`.
 * @throws Refusal where there is none
 */
export async function findBackup(store: Store, to: Date | null): Promise<Backup> {
  const names = await backupNames(store)
  for (const name of names.reverse()) {
    const backup = await readBackup(store, name)
    if (to === null || new Date(backup.manifest.madeAt) <= to) return backup
  }
  throw new Refusal(
    names.length === 0
      ? `There is no backup in ${store.folder} yet.`
      : `The oldest backup in ${store.folder} is younger than ${to?.toISOString()}.`,
  )
}

/** Removes all but the newest so many. @returns the oldest that is left */
export async function keepNewest(store: Store, keep: number): Promise<Backup | null> {
  const names = await backupNames(store)
  for (const name of names.slice(0, -keep)) await rm(join(store.folder, name), { recursive: true })
  const [oldest] = names.slice(-keep)
  return oldest === undefined ? null : readBackup(store, oldest)
}
