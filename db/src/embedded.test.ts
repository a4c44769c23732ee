import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Embedded, startEmbedded } from './embedded.ts'
import { startEphemeral } from './ephemeral.ts'

const password = 'correct-horse'
const newFolder = () => mkdtempSync(join(tmpdir(), 'aval-embedded-test-'))
/** With a cluster that was started once: to copy it takes a tenth of what making one does. */
const startedOnce = newFolder()
let dataDir: string
let running: Embedded | undefined

beforeAll(async () => {
  await (await startEmbedded({ dataDir: startedOnce, password })).stop()
})
beforeEach(() => {
  dataDir = newFolder()
  running = undefined
})
afterAll(() => rmSync(startedOnce, { recursive: true, force: true }))

afterEach(async () => {
  await running?.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

/** The first start of a test is the second of its cluster. */
async function start(): Promise<Embedded> {
  if (!existsSync(join(dataDir, 'postgres')))
    execFileSync('cp', ['-a', join(startedOnce, 'postgres'), dataDir])
  running = await startEmbedded({ dataDir, password })
  return running
}

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined) // the server may be killed under it
  await client.connect()
  try {
    return (await client.query({ text, rowMode: 'array' })).rows.flat()
  } finally {
    await client.end().catch(() => undefined)
  }
}

describe('the embedded database', () => {
  test('keeps what was committed, over a clean stop', async () => {
    const first = await start()
    await query(first.url, 'create table kept as select 1 as n')
    await first.stop()
    const second = await start()
    expect(await query(second.url, 'select n from kept')).toEqual([1])
  })

  test('is durable, checksummed, in UTF-8, on the loopback only, and asks for the password', async () => {
    const { url, superuserUrl } = await start()
    const names = ['fsync', 'full_page_writes', 'synchronous_commit', 'data_checksums', 'jit']
    const shown = await Promise.all(names.map((name) => query(url, `show ${name}`)))
    expect(shown.flat()).toEqual(['on', 'on', 'on', 'on', 'off'])
    expect(await query(url, 'show server_encoding')).toEqual(['UTF8'])
    expect(await query(url, 'show listen_addresses')).toEqual(['127.0.0.1'])
    const wrong = (address: string) => Object.assign(new URL(address), { password: 'wrong' }).href
    for (const address of [url, superuserUrl])
      await expect(query(wrong(address), 'select 1')).rejects.toThrow(/password/)
  })

  test('has an owner who makes roles and is no superuser, and whose password is not the superuser’s', async () => {
    const { url, superuserUrl } = await start()
    const powers =
      'select rolsuper, rolcreaterole, rolcreatedb, rolbypassrls from pg_roles where rolname = current_user'
    expect(await query(url, powers)).toEqual([false, true, false, false])
    expect((await query(superuserUrl, powers))[0]).toBe(true)
    expect(
      await query(url, 'select pg_get_userbyid(datdba) from pg_database where datname = current_database()'),
    ).toEqual(['aval_owner'])
    expect(url).not.toContain(password)
  })

  test('replaces a postmaster that outlived its supervisor', async () => {
    const orphan = await start()
    await query(orphan.url, 'create table kept as select 1 as n')
    const next = await start()
    expect(next.pid).not.toBe(orphan.pid)
    await orphan.exited
    expect(await query(next.url, 'select n from kept')).toEqual([1])
  })

  test('recovers after its postmaster was killed while a query runs', async () => {
    const first = await start()
    await query(first.url, 'create table kept as select 1 as n')
    const busy = query(first.url, 'select pg_sleep(60)').catch(() => 'cut off')
    await expect
      .poll(() =>
        query(first.url, "select count(*)::int from pg_stat_activity where query like 'select pg_sleep%'"),
      )
      .toEqual([1])
    process.kill(first.pid, 'SIGKILL')
    await first.exited
    const second = await start()
    expect(await query(second.url, 'select n from kept')).toEqual([1])
    expect(await busy).toBe('cut off')
  })

  test('is not fooled by a stale pid file whose number belongs to a stranger', async () => {
    const first = await start()
    await first.stop()
    writeFileSync(
      join(dataDir, 'postgres', 'postmaster.pid'),
      `${process.pid}\n${dataDir}/postgres\n0\n5432\n`,
    )
    const second = await start()
    expect(await query(second.url, 'select 1')).toEqual([1])
  })

  test('refuses a cluster of another major version in one line', async () => {
    const first = await start()
    await first.stop()
    const file = join(dataDir, 'postgres', 'PG_VERSION')
    const original = readFileSync(file)
    writeFileSync(file, '14\n')
    await expect(start()).rejects.toMatchObject({
      code: 'database_version',
      message: expect.stringMatching(/PostgreSQL 14/),
    })
    writeFileSync(file, original)
    expect(await query((await start()).url, 'select 1')).toEqual([1])
  })

  test('says so when the stored password is not the one it was made with', async () => {
    await (await start()).stop()
    await expect(startEmbedded({ dataDir, password: 'other' })).rejects.toMatchObject({
      code: 'database_unavailable',
      message: expect.stringMatching(/older version of Aval, or secrets\.json[^\n]+choose another DATA_DIR/),
    })
  })

  test('begins anew when the first start was cut off half-way', async () => {
    mkdirSync(join(dataDir, 'postgres.new-abc', 'base'), { recursive: true })
    running = await startEmbedded({ dataDir, password })
    expect(await query(running.url, 'select 1')).toEqual([1])
    expect(readdirSync(dataDir).sort()).toEqual(['logs', 'postgres'])
  })

  test('runs in a folder that is closed to other accounts, for root too', async () => {
    chmodSync(dataDir, 0o700)
    expect(await query((await start()).url, 'select 1')).toEqual([1])
  })
})

test('a throw-away database leaves nothing behind, even when its maker was killed', async () => {
  const script = `
    const { startEphemeral } = await import(${JSON.stringify(new URL('./ephemeral.ts', import.meta.url).href)})
    const { pid } = await startEphemeral()
    console.log(pid)
    process.kill(process.pid, 'SIGKILL')`
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
  const orphan = Number.parseInt(stdout, 10)
  expect(orphan).toBeGreaterThan(0)
  const next = await startEphemeral()
  // Another test program that starts at this moment may be the one that sweeps; it is gone either way, a moment later.
  await vi.waitFor(() => expect(() => process.kill(orphan, 0)).toThrow(/ESRCH/), { timeout: 240_000 })
  await next.stop()
  expect(existsSync(join(dataDir, 'postgres'))).toBe(false)
})
