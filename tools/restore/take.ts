/** Making a backup: the whole cluster while it works, and the few files beside it. */
import { once } from 'node:events'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { openClient } from '@aval/db/client'
import { connectReplication, copyBase, placeName, type Replication } from '@aval/db/replication'
import { writePart } from '../backup/parts.ts'
import { newDraft, openOrMakeStore, type Store, writeManifest } from '../backup/store.ts'
import { codeOf, lineOf, Refusal } from '../core/refusal.ts'
import { type Places, writeFiles } from './files.ts'

export interface TakeOptions {
  readonly folder: string
  readonly passphrase: string | null
  /** Of a role that may replicate, to the database to back up. */
  readonly url: string
  readonly places: Places
  /** Bytes copied, and how many it will be, about. */
  readonly progress: (done: number, total: number) => void
}

/** @throws Refusal with the one clear line; nothing half done is left that looks whole */
export async function takeBackup(options: TakeOptions, now: Date): Promise<{ store: Store; name: string }> {
  const replication = await connected(options.url)
  try {
    const facts = await replication.facts()
    const store = await openOrMakeStore(options.folder, options.passphrase, facts.id)
    const migration = await newestMigration(options.url)
    const { draft, whole, name } = await newDraft(store, now)
    const { part: database, copy } = await copyDatabase(
      replication,
      join(draft, 'database.tar.zst'),
      store,
      options,
    )
    const madeAt = new Date().toISOString()
    const files = await writeFiles(join(draft, 'files.tar.zst'), options.places, store.key)
    const { start, end, timeline } = copy
    const of = { madeAt, migration, postgres: facts.majorVersion, timeline, database, files }
    await writeManifest(store, draft, { ...of, start: placeName(start), end: placeName(end) })
    await rename(draft, whole)
    return { store, name }
  } finally {
    await replication.end()
  }
}

/** @throws Refusal that says what the server lacks */
async function connected(url: string): Promise<Replication> {
  try {
    return await connectReplication(url)
  } catch (error) {
    const hint =
      codeOf(error) === '42501' || codeOf(error) === '28000'
        ? ': the role needs REPLICATION, and a line in pg_hba.conf'
        : ''
    throw new Refusal(`The database lets nobody copy it: ${lineOf(error)}${hint}.`)
  }
}

async function copyDatabase(
  replication: Replication,
  file: string,
  { key }: Store,
  { progress }: Pick<TakeOptions, 'progress'>,
) {
  const content = new PassThrough({ highWaterMark: 4 * 2 ** 20 })
  const writing = writePart(file, content, key)
  const failed = writing.then(
    () => undefined,
    (error: unknown) => {
      throw error
    },
  )
  failed.catch(() => undefined)
  let done = 0
  let total = 0
  let draining: Promise<void> | null = null
  const take = (chunk: Buffer): Promise<void> | null => {
    done += chunk.length
    progress(done, Math.max(done, total))
    if (content.write(chunk)) return null
    // Where the disk fails there is no drain. What was on its way already waits for the same one.
    draining ??= Promise.race([once(content, 'drain'), failed]).then(() => {
      draining = null
    })
    return draining
  }
  try {
    const copy = await copyBase(replication, take, (bytes) => {
      total = bytes
    })
    content.end()
    return { part: await writing, copy }
  } catch (error) {
    content.destroy()
    await writing.catch(() => undefined)
    throw new Refusal(`The database could not be copied: ${lineOf(error)}.`)
  }
}

async function newestMigration(url: string): Promise<string> {
  const client = openClient(url, { connectionTimeoutMillis: 10_000 })
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string }>('SELECT max(name) AS name FROM kysely_migration')
    return rows[0]?.name ?? ''
  } finally {
    await client.end()
  }
}
