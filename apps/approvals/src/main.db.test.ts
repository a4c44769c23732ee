import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createTestDatabase } from '@aval/db/testing'
import pg from 'pg'
import { afterAll, expect, inject, it } from 'vitest'
import { createPageFolder } from './testing/page-folder.ts'

const database = await createTestDatabase(inject('ownerUrl'))
const owner = new pg.Client({ connectionString: database.ownerUrl })
await owner.connect()
await owner.query(
  "INSERT INTO installation (network, usdt_contract, deposit_xpub) VALUES ('devnet', 'x', 'x')",
)
const page = await createPageFolder()
afterAll(async () => {
  await owner.end()
  await page.remove()
  await database.drop()
})

function start(changes: Record<string, string> = {}): ChildProcess {
  return fork(join(import.meta.dirname, 'main.ts'), {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    env: {
      DATABASE_URL: database.approvalsUrl,
      APPROVALS_URL: 'http://localhost:3002',
      // Any that is free.
      APPROVALS_PORT: '0',
      TRON_NETWORK: 'devnet',
      APPROVALS_DIST: page.folder,
      ...changes,
    },
  })
}

async function said(child: ChildProcess): Promise<Record<string, unknown>> {
  const [message] = await once(child, 'message')
  return message
}

it('says that it is ready, and ends with the process that started it', async () => {
  const child = start()
  const ended = once(child, 'exit')
  expect(await said(child)).toEqual({ ready: true, url: 'http://localhost:3002' })
  child.disconnect()
  expect(await ended).toEqual([0, null])
})

it('does not start where a byte of the page is not as it was built', async () => {
  await page.changeByte('assets/page-1a2b.js')
  const child = start()
  const ended = once(child, 'exit')
  expect(String((await said(child))['fatal'])).toMatch(/not as it was built: assets\/page-1a2b\.js/)
  expect(await ended).toEqual([1, null])
  await page.restore('assets/page-1a2b.js')
})

it.each([
  [
    'another network',
    { TRON_NETWORK: 'nile' },
    /^TRON_NETWORK: is nile, and this database belongs to devnet/,
  ],
  ['no address', { APPROVALS_URL: '' }, /^APPROVALS_URL /],
  ['no database', { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }, /^DATABASE_URL: /],
])('with %s it says so in one line', async (_what, changes, line) => {
  const child = start(changes)
  const ended = once(child, 'exit')
  expect(String((await said(child))['fatal'])).toMatch(line)
  expect(await ended).toEqual([1, null])
})
