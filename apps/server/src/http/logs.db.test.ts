import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { createTestServer, join, TEST_PASSWORD, type TestServer } from '../testing/server.ts'

/** What must stand in no log, each as a client sent it or as we answered it. */
const secrets = new Map<string, string>([
  ['the password', TEST_PASSWORD],
  ['a token in an address', 'planted-in-the-address'],
  ['a code', '918273'],
  ['the device', 'planted-device'],
  ['a key of the installation', '11'.repeat(32)],
])

let server: TestServer
let lines: string[]

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as { port: number }
  await new Promise((resolve) => probe.close(resolve))
  return port
}

beforeAll(async () => {
  server = await createTestServer(inject('ownerUrl'))
  await join(server, { username: 'planted', email: 'planted@example.com' })
  secrets.set('the password of the database', new URL(server.database.apiUrl).password)
  const port = await freePort()
  const child = fork(new URL('../main.ts', import.meta.url), {
    env: {
      ROLE: 'api',
      PORT: String(port),
      DATABASE_URL: server.database.apiUrl,
      JWT_KEY: '11'.repeat(32),
      CAPTCHA_KEY: '22'.repeat(32),
      SEAL_KEY: '33'.repeat(32),
      CAPTCHA: 'off',
      LOG_LEVEL: 'debug',
    },
    execArgv: [],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (part) => {
      text += String(part)
    })
  const [message] = (await once(child, 'message')) as [{ url: string }]
  const headers = { 'content-type': 'application/json', 'user-agent': 'planted-device' }
  const post = (path: string, body: object, more = {}) =>
    fetch(`${message.url}/api/${path}`, {
      method: 'POST',
      headers: { ...headers, ...more },
      body: JSON.stringify(body),
    })
  const signIn = () => post('auth/token/', { email: 'planted', password: TEST_PASSWORD })
  try {
    const { access, refresh } = (await (await signIn()).json()) as { access: string; refresh: string }
    secrets.set('an access token', access).set('a refresh token', refresh)
    const authorization = `Bearer ${access}`
    await post('withdrawals/withdrawals/', { amount: 'x', secret_code: '918273' }, { authorization })
    await fetch(`${message.url}/api/core/dashboard/?token=planted-in-the-address`, {
      headers: { authorization: `${authorization}x` },
    })
    // What nobody foresaw: PostgreSQL's error repeats the row, or the value, that it did not take.
    await server.owner.pool.query('ALTER TABLE session ADD CONSTRAINT planted CHECK (false) NOT VALID')
    expect((await signIn()).status).toBe(500)
  } finally {
    child.kill('SIGTERM')
    await once(child, 'close')
  }
  lines = text.trim().split('\n')
})
afterAll(() => server?.close())

it('each line of the log is one object with its time, and names what broke by its place and its constraint', () => {
  const entries = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
  for (const entry of entries)
    expect(entry).toMatchObject({
      level: expect.any(Number),
      time: expect.any(Number),
      msg: expect.any(String),
    })
  expect(entries).toContainEqual(
    expect.objectContaining({
      msg: 'unexpected error',
      route: '/api/auth/token/',
      err: expect.objectContaining({
        code: '23514',
        table: 'session',
        constraint: 'planted',
        stack: expect.stringContaining('.ts:'),
      }),
    }),
  )
})

it('no line has a password, a token, a code, a key, or what PostgreSQL says of a row', () => {
  const text = lines.join('\n')
  expect([...secrets].filter(([, secret]) => text.includes(secret)).map(([name]) => name)).toEqual([])
  expect(text).not.toContain('Failing row')
})
