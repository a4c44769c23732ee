import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { createTestDatabase, type TestDatabase } from '@aval/db/testing'
import { accountXpub } from '@aval/tron'
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest'

const MAIN = new URL('main.ts', import.meta.url)

let database: TestDatabase
let port: number
const children = new Set<ChildProcess>()

async function freePort(): Promise<{ port: number; server: Server }> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return { port: typeof address === 'object' && address !== null ? address.port : 0, server }
}

beforeAll(async () => {
  database = await createTestDatabase(inject('ownerUrl'))
  const found = await freePort()
  found.server.close()
  port = found.port
})
afterEach(() => {
  for (const child of children) child.kill('SIGKILL')
  children.clear()
})
afterAll(() => database?.drop())

interface Started {
  child: ChildProcess
  message: { ready?: boolean; url?: string | null; fatal?: string }
  exit: Promise<number | null>
  stderr: () => string
}

/** Starts the program with this environment alone (and what the tests have compiled), and waits for what it says first. */
async function start(
  overrides: Record<string, string>,
  stdout: 'ignore' | 'pipe' | number = 'ignore',
): Promise<Started> {
  const env = {
    ROLE: 'api',
    PORT: String(port),
    DATABASE_URL: database.serverUrl,
    JWT_KEY: 'ab'.repeat(32),
    CAPTCHA_KEY: 'cd'.repeat(32),
    SEAL_KEY: 'ef'.repeat(32),
    LOG_LEVEL: 'silent',
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
    ...overrides,
  }
  const child = fork(MAIN, { env, execArgv: [], stdio: ['ignore', stdout, 'pipe', 'ipc'] })
  children.add(child)
  let stderr = ''
  child.stderr?.on('data', (chunk) => {
    stderr += String(chunk)
  })
  const exit = once(child, 'exit').then(([code]) => code as number | null)
  const [message] = (await once(child, 'message')) as [Started['message']]
  return { child, message, exit, stderr: () => stderr }
}

/** Where metrics do not stand, however one writes it. */
const DISGUISES = [
  '/metrics',
  '/api/metrics',
  '/api/metrics/',
  '/api/Metrics',
  '/API/METRICS',
  '/api/%6detrics',
  '/api//metrics',
  '/api/auth/../metrics',
  '/api/auth/%2e%2e/metrics',
  '/api/metrics%00',
  '/api/metrics;a=b',
]

describe('the api', () => {
  it('reports to its parent where it listens, answers, and stops when asked', async () => {
    const { child, message, exit, stderr } = await start({})
    expect(message).toEqual({ ready: true, url: `http://127.0.0.1:${port}` })
    const answer = await fetch(`${message.url}/api/health/ready`)
    expect(await answer.json()).toEqual({ status: 'ok' })
    child.kill('SIGTERM')
    expect(await exit).toBe(0)
    expect(stderr()).toBe('')
  })

  it('shares its port with others that are told to, and with nobody else', async () => {
    const together = [await start({ SHARED_PORT: 'on' }), await start({ SHARED_PORT: 'on' })]
    if (process.platform !== 'linux')
      return expect(together[0]?.message.fatal).toContain(`PORT: cannot listen on 127.0.0.1:${port}`)
    for (const { message } of together) expect(message).toMatchObject({ ready: true })
    expect((await start({})).message.fatal).toContain(`PORT: ${port} on 127.0.0.1 is in use`)
    together[0]?.child.kill('SIGKILL')
    await together[0]?.exit
    expect((await fetch(`http://127.0.0.1:${port}/api/health/ready`)).status).toBe(200)
  })

  it('gives its metrics to this machine, at an address of their own', async () => {
    const found = await freePort()
    found.server.close()
    const { message } = await start({ METRICS_PORT: String(found.port) })
    const metrics = `http://127.0.0.1:${found.port}`
    expect(await (await fetch(`${metrics}/metrics`)).text()).toContain('process_cpu_seconds_total')
    expect((await fetch(`${metrics}/metrics/x`)).status).toBe(404)
    for (const path of DISGUISES) {
      const answer = await fetch(`${message.url}${path}`)
      expect(await answer.text(), path).not.toContain('process_cpu_seconds_total')
      expect(answer.status, path).toBeGreaterThanOrEqual(400)
    }
  })

  it('gives them to this machine alone where it answers everybody else', async () => {
    const found = await freePort()
    found.server.close()
    await start({ METRICS_PORT: String(found.port), HOST: '0.0.0.0' })
    // Another address of this machine: it is refused like that of another machine would be.
    await expect(fetch(`http://127.0.0.2:${found.port}/metrics`)).rejects.toThrow('fetch failed')
  })

  it('answers although nothing can be written into its log', async () => {
    // Linux's file on a disk that is always full; elsewhere a log whose reader has gone.
    const full = process.platform === 'linux' ? openSync('/dev/full', 'w') : null
    const { child, message } = await start({ LOG_LEVEL: 'debug' }, full ?? 'pipe')
    if (full === null) child.stdout?.destroy()
    else closeSync(full)
    for (let call = 0; call < 3; call += 1) {
      const response = await fetch(`${message.url}/api/auth/token/`, { method: 'POST', body: '{' })
      expect(response.status).toBe(415)
    }
    expect(child.exitCode).toBeNull()
  })

  it('goes when its parent goes', async () => {
    const { child, exit } = await start({})
    child.disconnect()
    expect(await exit).toBe(0)
  })
})

describe('the worker', () => {
  it('starts and stops in the same way', async () => {
    const { child, message, exit } = await start({ ROLE: 'worker' })
    expect(message).toEqual({ ready: true, url: null })
    child.kill('SIGINT')
    expect(await exit).toBe(0)
  })
})

describe('a start that cannot be', () => {
  it.each(['PORT', 'METRICS_PORT'])('on a busy %s says so in one line', async (name) => {
    const busy = await freePort()
    const { message, exit, stderr } = await start({ [name]: String(busy.port) })
    expect(message).toEqual({ fatal: `${name}: ${busy.port} on 127.0.0.1 is in use by another program.` })
    expect(stderr()).toBe(`${message.fatal}\n`)
    expect(await exit).toBe(1)
    busy.server.close()
  })

  it('with broken values names all of them', async () => {
    const { message, exit } = await start({ PORT: 'x', JWT_KEY: 'short', TRON_NETWORK: 'moon' })
    expect(message.fatal?.split('\n').map((line) => line.split(':')[0])).toEqual([
      'PORT',
      'JWT_KEY',
      'TRON_NETWORK',
    ])
    expect(await exit).toBe(1)
  })

  it('without its database says so in one line', async () => {
    const { message, exit } = await start({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' })
    expect(message.fatal).toMatch(/^DATABASE_URL: the database cannot be reached \(.+\)\.$/)
    expect(await exit).toBe(1)
  })

  it('on the database of another network says so in one line', async () => {
    const first = await start({})
    first.child.kill('SIGTERM')
    await first.exit
    const { message, exit } = await start({
      TRON_NETWORK: 'nile',
      PUBLIC_URL: 'https://office.example',
      SMTP_URL: 'smtps://mail.example',
      TRON_XPUB: accountXpub('legal winner thank year wave sausage worth useful legal winner thank yellow'),
    })
    expect(message.fatal).toMatch(/^TRON_NETWORK: this database belongs to devnet, not to nile/)
    expect(await exit).toBe(1)
  })
})
