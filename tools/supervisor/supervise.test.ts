import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { clearLeftovers } from '../../db/src/embedded-leftovers.ts'
import { freePort } from '../testing/free-port.ts'
import { type RunFile, runningIn } from './run-file.ts'
import { isAlive, type Started, startProduct } from './testing/product.ts'

let dataDir: string
let env: Record<string, string>
let started: Started[] = []
/** Ends what hangs. */
const patience = { timeout: 240_000, interval: 50 }

/** The first start of a folder makes database, secrets and demo network. Tests that are about later ones begin with a copy. */
let first: { folder: string; url: string; output: string; run: RunFile; modes: number[]; code: number | null }
beforeAll(async () => {
  await openFolder()
  const product = await startReady({ DEMO_PASSWORD: 'correct-horse' })
  const run = await runningIn(dataDir)
  const files = [
    'run.json',
    'secrets.json',
    'demo.json',
    'keys/signer.json',
    'logs/api.log',
    'logs/signer.log',
  ]
  const modes = files.map((name) => statSync(join(dataDir, name)).mode & 0o077)
  product.process.kill('SIGUSR1')
  product.process.kill('SIGINT')
  const code = await product.ended
  const url = `http://localhost:${env['PORT']}`
  first = { folder: dataDir, url, output: product.output(), run, modes, code }
})
afterAll(() => rmSync(first.folder, { recursive: true, force: true }))

/** With its owners: as root, the database runs as another user. */
const beginPrepared = () => execFileSync('cp', ['-a', `${first.folder}/.`, dataDir])

beforeEach(openFolder)

async function openFolder(): Promise<void> {
  dataDir = mkdtempSync(join(tmpdir(), 'aval-supervisor-'))
  const [port, devnetPort, approvalsPort] = await Promise.all([freePort(), freePort(), freePort()])
  const ports = { PORT: port, DEVNET_PORT: devnetPort, APPROVALS_PORT: approvalsPort }
  const texts = Object.entries(ports).map(([name, value]) => [name, String(value)])
  env = { DATA_DIR: dataDir, HOST: '127.0.0.1', ...Object.fromEntries(texts) }
  started = []
}

afterEach(async () => {
  for (const { process: child, ended } of started) {
    child.kill('SIGINT')
    await ended
  }
  await clearLeftovers(join(dataDir, 'postgres'))
  rmSync(dataDir, { recursive: true, force: true })
})

function start(changes: Record<string, string> = {}, args: readonly string[] = []): Started {
  const product = startProduct({ ...env, ...changes }, args)
  started.push(product)
  return product
}

async function startReady(
  changes: Record<string, string> = {},
  args: readonly string[] = [],
): Promise<Started> {
  const product = start(changes, args)
  await product.said('Aval is ready')
  return product
}

test('opens no debugger when somebody sends the signal for one', () => {
  expect(first.output).toContain('Stopping')
  expect(first.output).not.toContain('Debugger')
})

test('starts everything, says where to go and how to sign in, and stops clean', () => {
  expect(first.output).toContain(first.url)
  expect(first.output).toMatch(/operator +demo-operator +correct-horse +codes from GEZD GNBV/)
  const { pids, databases } = first.run
  const names = [
    ...[
      'api',
      'approvals',
      'auditor',
      'devnet',
      'gateway',
      'pictures',
      'postgres',
      'signer',
      'supervisor',
      'worker',
    ],
  ]
  expect(Object.keys(pids).sort()).toEqual(names)
  expect(new URL(databases.api).username).not.toBe(new URL(databases.owner).username)
  expect(first.modes).toEqual([0, 0, 0, 0, 0, 0])
  expect(first.code).toBe(0)
  expect(Object.values(pids).filter(isAlive)).toEqual([])
  expect(existsSync(join(first.folder, 'run.json'))).toBe(false)
  expect(readFileSync(join(first.folder, 'logs', 'gateway.log'), 'utf8')).toContain('left in order')
})

test('lets the demo’s operators approve, by their numbers, once they are there, and pins the members’ app', () => {
  const asked = readFileSync(join(first.folder, 'logs', 'signer-keys.log'), 'utf8')
    .trim()
    .split('\n')
  const file = join(first.folder, 'keys/signer.json')
  expect(asked).toEqual([
    `devnet --out ${file}`,
    expect.stringMatching(/^approver devnet --out .+ --members 7 --origin http:\/\/localhost:\d+$/),
  ])
})

test('makes the demo network once, and completes one whose operators had no codes', async () => {
  expect(first.output).toContain('Day 30/30')
  beginPrepared()
  const second = await startReady()
  expect(second.output()).not.toContain('Day')
  expect(second.output()).toContain('demo-member')
  expect(second.output()).toContain('codes from GEZD')
  second.process.kill('SIGTERM')
  expect(await second.ended).toBe(0)
  const old = { signIns: [{ role: 'operator', username: 'demo-operator', password: 'x' }] }
  writeFileSync(join(dataDir, 'demo.json'), JSON.stringify(old))
  expect((await startReady()).output()).toContain('codes from GEZD')
})

test('a second start on the same data folder says in one line where the first runs', async () => {
  beginPrepared()
  await startReady()
  const second = start()
  expect(await second.ended).toBe(1)
  expect(second.output()).toMatch(/^Aval already runs on .+: http:\/\/localhost:\d+ \(process \d+\)\.\n$/)
})

test('two starts at the same moment: one runs, the other says so', async () => {
  beginPrepared()
  const both = [start(), start()]
  await Promise.any(both.map((product) => product.said('Aval is ready')))
  const loser = await Promise.any(both.map((product) => product.ended.then((code) => ({ product, code }))))
  expect(loser.code).toBe(1)
  expect(loser.product.output()).toContain('already runs')
})

test('a busy port is one line with the variable to change, and nothing is started', async () => {
  const server = createServer().listen(Number(env['DEVNET_PORT']), '127.0.0.1')
  await once(server, 'listening')
  try {
    const product = start()
    expect(await product.ended).toBe(1)
    expect(product.output()).toBe(
      `Port ${env['DEVNET_PORT']} is busy: stop what listens there, or set DEVNET_PORT to another port.\n`,
    )
    expect(readdirSync(dataDir)).toEqual([])
  } finally {
    server.close()
  }
})

test('every broken setting is named, a line each, and nothing is touched', async () => {
  const broken = { PORT: 'http', DEMO: 'maybe', TRON_NETWORK: 'nile', SMTP_URI: 'x' }
  const product = start({ ...broken, DATA_DIR: join(dataDir, 'new') })
  expect(await product.ended).toBe(1)
  const names = product
    .output()
    .trim()
    .split('\n')
    .map((line) => line.split(':')[0])
  expect(names.sort()).toEqual([
    ...['APPROVALS_URL', 'DEMO', 'PORT', 'PUBLIC_URL', 'SIGNER_KEYS', 'SMTP_URI', 'SMTP_URL'],
    ...['TRON_COLD_ADDRESS', 'TRON_HOT_ADDRESS', 'TRON_NODES', 'TRON_XPUB'],
  ])
  expect(existsSync(join(dataDir, 'new'))).toBe(false)
})

test('a database that cannot be reached is one line, without its password', async () => {
  const product = start({ DATABASE_URL: `postgres://someone:secret@127.0.0.1:${await freePort()}/aval` })
  expect(await product.ended).toBe(1)
  const last = product.output().trim().split('\n').at(-1)
  expect(last).toMatch(/^DATABASE_URL: the database at 127\.0\.0\.1:\d+ cannot be reached: /)
  expect(product.output()).not.toContain('secret')
  expect(readdirSync(join(dataDir, 'logs'))).toEqual([])
})

test('damaged secrets are refused, not replaced', async () => {
  writeFileSync(join(dataDir, 'secrets.json'), '{"jwtKey":')
  const product = start()
  expect(await product.ended).toBe(1)
  expect(product.output()).toContain('secrets.json is damaged')
  expect(readFileSync(join(dataDir, 'secrets.json'), 'utf8')).toBe('{"jwtKey":')
})

test('several APIs share the port: while one is killed and comes back, the other answers', async () => {
  if (process.platform !== 'linux') {
    const refused = start({}, ['--apis', '2'])
    expect(await refused.ended).toBe(1)
    return expect(refused.output()).toContain('on Linux alone')
  }
  beginPrepared()
  await startReady({}, ['--apis', '2'])
  // A connection each: the system shares connections out, not calls.
  const answer = () =>
    new Promise<number>((resolve, reject) => {
      const asked = get({ port: env['PORT'], host: '127.0.0.1', agent: false }, async (response) =>
        resolve(JSON.parse(String(await response.toArray())).pid),
      )
      asked.once('error', reject)
    })
  const answering = async () => new Set(await Promise.all(Array.from({ length: 20 }, answer)))
  const apis = async () => {
    const { pids } = await runningIn(dataDir)
    return new Set([pids['api'], pids['api-2']])
  }
  const before = await apis()
  expect(before.size).toBe(2)
  await vi.waitFor(async () => expect(await answering()).toEqual(before), patience)
  const [kept = 0, killed = 0] = [...before]
  process.kill(killed, 'SIGKILL')
  await vi.waitFor(() => expect(isAlive(killed)).toBe(false), patience)
  expect(await answering()).toContain(kept)
  await vi.waitFor(async () => expect(await apis()).not.toContain(killed), patience)
  await vi.waitFor(async () => expect(await answering()).toEqual(await apis()), patience)
})

test('the embedded database is started again on the same port', async () => {
  beginPrepared()
  await startReady()
  const { pids, databases } = await runningIn(dataDir)
  process.kill(pids['postgres'] ?? 0, 'SIGKILL')
  await vi.waitFor(async () => {
    expect((await runningIn(dataDir)).pids['postgres']).not.toBe(pids['postgres'])
    const client = new pg.Client({ connectionString: databases.api })
    await client.connect()
    await client.end()
  }, patience)
})

test('a process that cannot start ends the start with its own line', async () => {
  beginPrepared()
  writeFileSync(join(dataDir, 'orders.json'), '{"worker":"fatal"}')
  const product = start()
  expect(await product.ended).toBe(1)
  expect(product.output()).toContain(
    'The worker process does not stay up: a stand-in that cannot start (see ',
  )
})

test('a process that was ready once is started again as long as it takes, through a long outage too', async () => {
  beginPrepared()
  const product = await startReady()
  writeFileSync(join(dataDir, 'orders.json'), '{"worker":"crash"}')
  process.kill((await runningIn(dataDir)).pids['worker'] ?? 0, 'SIGKILL')
  const crashes = () =>
    readFileSync(join(dataDir, 'logs', 'worker.log'), 'utf8').split('Error: a stand-in').length - 1
  await vi.waitFor(() => expect(crashes()).toBeGreaterThan(5), patience)
  expect(product.output()).toContain('it is tried again every few seconds')
  writeFileSync(join(dataDir, 'orders.json'), '{}')
  await vi.waitFor(async () => expect((await runningIn(dataDir)).pids['worker']).toBeGreaterThan(0), patience)
  expect(product.process.exitCode).toBeNull()
})

test('a process that keeps crashing before it was ever ready is given up, and its log named', async () => {
  beginPrepared()
  writeFileSync(join(dataDir, 'orders.json'), '{"api":"crash"}')
  const product = start()
  expect(await product.ended).toBe(1)
  expect(product.output()).toContain(`it ended with code 1 (see ${dataDir}/logs/api.log)`)
  expect(readFileSync(join(dataDir, 'logs', 'api.log'), 'utf8')).toContain('a stand-in that crashes')
})

test('after kill -9 of the supervisor its children leave, and the next start is whole', async () => {
  beginPrepared()
  const killed = await startReady()
  const { pids } = await runningIn(dataDir)
  killed.process.kill('SIGKILL')
  await killed.ended
  const children = ['api', 'worker', 'pictures', 'gateway', 'signer', 'devnet'].map((name) => pids[name] ?? 0)
  await vi.waitFor(() => expect(children.filter(isAlive)).toEqual([]), patience)
  const second = await startReady()
  expect(second.output()).not.toContain('Day')
})

test('after kill -9 while the database is being made the next start is whole', async () => {
  const killed = start()
  await killed.said('Starting the database')
  killed.process.kill('SIGKILL')
  await killed.ended
  await startReady()
})

test('a stop while it is still starting leaves nothing running', async () => {
  const product = start()
  await product.said('Starting the database')
  product.process.kill('SIGINT')
  expect(await product.ended).toBe(0)
  await startReady()
})
