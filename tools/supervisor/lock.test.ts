import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { lockDataFolder, socketPath } from './lock.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'aval-lock-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('is held by one, refused to the other, and free again after its release', async () => {
  const lock = await lockDataFolder(folder, 'http://localhost:3000')
  await expect(lockDataFolder(folder, 'http://localhost:4000')).rejects.toThrow(
    `Aval already runs on ${folder}: http://localhost:3000 (process ${process.pid}).`,
  )
  await lock.release()
  expect(existsSync(await socketPath(folder))).toBe(false)
  await (await lockDataFolder(folder, 'http://localhost:4000')).release()
})

test('replaces what a killed start left', async () => {
  writeFileSync(await socketPath(folder), '') // connecting to it is refused, as to a dead socket
  await (await lockDataFolder(folder, 'http://localhost:3000')).release()
})

test('goes to exactly one of many at once', async () => {
  writeFileSync(await socketPath(folder), '')
  const results = await Promise.allSettled(
    [1, 2, 3, 4, 5].map((n) => lockDataFolder(folder, `http://localhost:${n}`)),
  )
  const held = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  expect(held).toHaveLength(1)
  await Promise.all(held.map((lock) => lock.release()))
})

test('works in a folder whose path is too long for a socket', async () => {
  const deep = join(folder, 'a'.repeat(60), 'b'.repeat(60))
  mkdirSync(deep, { recursive: true })
  expect(Buffer.byteLength(await socketPath(deep))).toBeLessThan(104)
  const lock = await lockDataFolder(deep, 'http://localhost:3000')
  await expect(lockDataFolder(deep, 'http://localhost:4000')).rejects.toThrow('already runs')
  await lock.release()
})
