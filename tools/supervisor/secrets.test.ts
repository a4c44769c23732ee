import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readSecrets } from './secrets.ts'

let dataDir: string
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'aval-secrets-'))
})
afterEach(() => rm(dataDir, { recursive: true, force: true }))

test('secrets are made once, for their owner alone', async () => {
  const made = await readSecrets(dataDir)
  expect(await readSecrets(dataDir)).toEqual(made)
  expect((await stat(join(dataDir, 'secrets.json'))).mode & 0o077).toBe(0)
})

test('secrets are of no two installations the same, and 128 bits or more each but the demo’s password', async () => {
  const flat = async (folder: string) => {
    const { demoPassword, database, ...others } = await readSecrets(folder)
    return [...Object.values(database), ...Object.values(others)]
  }
  const other = await mkdtemp(join(tmpdir(), 'aval-secrets-'))
  const all = [...(await flat(dataDir)), ...(await flat(other))]
  await rm(other, { recursive: true })
  expect(new Set(all).size).toBe(all.length)
  expect(all.filter((secret) => !/^[0-9a-f]{32,}$/.test(secret))).toEqual([])
})

test('secrets of an earlier version keep what they have, and get what they lack for good', async () => {
  const { sealKey, ...earlier } = await readSecrets(dataDir)
  await writeFile(join(dataDir, 'secrets.json'), JSON.stringify(earlier))
  const completed = await readSecrets(dataDir)
  expect(completed).toEqual({ ...earlier, sealKey: expect.stringMatching(/^[0-9a-f]{64}$/) })
  expect(completed.sealKey).not.toBe(sealKey)
  expect(JSON.parse(await readFile(join(dataDir, 'secrets.json'), 'utf8'))).toEqual(completed)
  expect(await readSecrets(dataDir)).toEqual(completed)
})

test('a program that came later gets a password of its own, and the others keep theirs', async () => {
  const { database, ...others } = await readSecrets(dataDir)
  const { auditor, ...earlier } = database
  await writeFile(join(dataDir, 'secrets.json'), JSON.stringify({ ...others, database: earlier }))
  const completed = await readSecrets(dataDir)
  expect(completed).toEqual({
    ...others,
    database: { ...earlier, auditor: expect.stringMatching(/^[0-9a-f]{32,}$/) },
  })
  expect(completed.database.auditor).not.toBe(auditor)
  expect(await readSecrets(dataDir)).toEqual(completed)
})
