import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { parseStartConfig } from '../core/config.ts'
import { drill, restore } from '../restore/restore.ts'
import { findBackup, openOrMakeStore, openStore, type Store, writeManifest } from './store.ts'

const passphrase = 'a passphrase of tests'
const created: string[] = []
const newFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'aval-store-test-'))
  created.push(folder)
  return folder
}
afterAll(() => {
  for (const each of created) rmSync(each, { recursive: true, force: true })
})

const NAME = '2026-11-28T00-00-00Z'
const part = (name: string) => ({ name, bytes: 0, sha256: '0'.repeat(64) })
/** A store with a backup that holds nothing but its manifest. */
async function made(by: string | null): Promise<Store> {
  const store = await openOrMakeStore(newFolder(), by, '1')
  await mkdir(join(store.folder, NAME))
  await writeManifest(store, join(store.folder, NAME), {
    madeAt: '2026-11-28T00:00:00.000Z',
    migration: '0001',
    postgres: 18,
    timeline: 1,
    start: '0/2000028',
    end: '0/2000120',
    database: part('database.tar.zst'),
    files: part('files.tar.zst'),
  })
  return store
}
const manifestOf = ({ folder }: Store) => join(folder, NAME, 'backup.json')
function edit(file: string, from: RegExp, to: string): void {
  writeFileSync(file, readFileSync(file, 'utf8').replace(from, to))
}

const UNSEALED = /BACKUP_PASSPHRASE: is set, but .* not encrypted/

describe('where there is a passphrase, backups that are not encrypted are refused', () => {
  const quiet = { say: () => undefined, progress: () => undefined }
  const config = () => parseStartConfig({ DATA_DIR: newFolder(), BACKUP_PASSPHRASE: passphrase })

  test('by who takes a backup and by who ships the log', async () => {
    const { folder } = await made(null)
    await expect(openOrMakeStore(folder, passphrase, '1')).rejects.toThrow(UNSEALED)
  })

  test('by a drill', async () => {
    const { folder } = await made(null)
    await expect(drill(folder, config(), quiet)).rejects.toThrow(UNSEALED)
  })

  test('by a restore, to whatever moment', async () => {
    const { folder } = await made(null)
    await expect(restore(folder, config(), null, quiet)).rejects.toThrow(UNSEALED)
    await expect(restore(folder, config(), new Date(), quiet)).rejects.toThrow(UNSEALED)
  })

  test('also where somebody took the seal off encrypted ones', async () => {
    const { folder } = await made(passphrase)
    edit(join(folder, 'aval-backups.json'), /"seal": \{[^}]*\}/, '"seal": null')
    await expect(openStore(folder, passphrase)).rejects.toThrow(UNSEALED)
  })
})

/** What the first version wrote with this passphrase. */
const EARLIER = {
  store: {
    format: 1,
    system: '1',
    seal: {
      salt: '2a1f806aad0d07b63557d98241263d29',
      check: '37947cf2dd561d06b8aa312066b5d31dc35ced149660d57902983b001f792bfc',
    },
  },
  backup: {
    manifest: {
      format: 1,
      madeAt: '2026-11-28T00:00:00.000Z',
      migration: '0001',
      postgres: 18,
      timeline: 1,
      start: '0/2000028',
      end: '0/2000120',
      database: {
        name: 'database.tar.zst',
        bytes: 0,
        sha256: '0000000000000000000000000000000000000000000000000000000000000000',
      },
      files: {
        name: 'files.tar.zst',
        bytes: 0,
        sha256: '0000000000000000000000000000000000000000000000000000000000000000',
      },
    },
    proof: 'fecb5545a2554009a12f2dcebd7a1278c1a6773100c0435bc8d72f743dc5d654',
  },
}

describe('the proof of a backup', () => {
  test('is by the passphrase: one that was made without it, or taken away, opens nothing', async () => {
    const store = await made(passphrase)
    await expect(findBackup(store, null)).resolves.toMatchObject({ name: NAME })
    edit(manifestOf(store), /"proof": "\w+"/, '"proof": null')
    await expect(findBackup(store, null)).rejects.toThrow(/backup.json was changed/)
    edit(manifestOf(store), /"proof": null/, `"proof": "${'0'.repeat(64)}"`)
    await expect(findBackup(store, null)).rejects.toThrow(/backup.json was changed/)
  })

  test('is not there without a passphrase: whoever reads such a folder could make it', async () => {
    const store = await made(null)
    expect(JSON.parse(readFileSync(manifestOf(store), 'utf8'))).toMatchObject({ proof: null })
    await expect(findBackup(store, null)).resolves.toMatchObject({ name: NAME })
  })

  test('of earlier versions is read: by the same key, or by no secret', async () => {
    const unsealed = await made(null)
    edit(manifestOf(unsealed), /"proof": null/, `"proof": "${'0'.repeat(64)}"`)
    await expect(findBackup(unsealed, null)).resolves.toMatchObject({ name: NAME })
    const folder = newFolder()
    await mkdir(join(folder, NAME))
    writeFileSync(join(folder, 'aval-backups.json'), JSON.stringify(EARLIER.store))
    writeFileSync(join(folder, NAME, 'backup.json'), JSON.stringify(EARLIER.backup))
    const sealed = await openStore(folder, passphrase)
    await expect(findBackup(sealed, null)).resolves.toMatchObject({ name: NAME })
  })
})
