import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { parseStartConfig, root } from '../core/config.ts'
import { product } from './layout.ts'
import { accessOf, type Program, permissionArguments } from './permissions.ts'
import { runTask } from './processes.ts'
import type { Attempt } from './testing/fake-intruder.ts'

const dataDir = realpathSync(mkdtempSync(join(tmpdir(), 'aval-permissions-')))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))
const place = (name: string) => join(dataDir, name)

const config = parseStartConfig({ DATA_DIR: dataDir })
const signer = { keyFile: place('keys/signer.json'), passphrase: '', socket: place('socket/signer.sock') }

/** As `npm start` leaves a data folder. */
const FILES = [
  'secrets.json',
  'run.json',
  'demo.json',
  'keys/signer.json',
  'postgres/PG_VERSION',
  'logs/api.log',
  'logs/signer.log',
  'outbox/20260503T150000000Z-1-1.eml',
  'devnet/chain.sqlite',
  'socket/journal',
]
beforeAll(() => {
  for (const folder of [
    'postgres',
    'logs',
    'outbox',
    'devnet',
    'socket',
    'keys',
    'cache/api',
    'cache/signer',
  ])
    mkdirSync(place(folder), { recursive: true })
  for (const file of FILES) writeFileSync(place(file), 'x')
})

const said = z.object({ outcomes: z.array(z.string()) })

/** What becomes of the attempts of code inside a program that was started as `npm start` starts it. */
async function tried(program: Program, attempts: readonly Attempt[]): Promise<string[]> {
  let outcomes: string[] = []
  await runTask(
    {
      name: program,
      failure: 'the intruder failed',
      entry: join(root, 'tools/supervisor/testing/fake-intruder.ts'),
      args: [JSON.stringify(attempts)],
      env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: place(`cache/${program}`) },
      heapMb: 128,
      access: accessOf(program, config, product, signer),
    },
    dataDir,
    () => undefined,
    (message) => {
      outcomes = said.parse(message).outcomes
    },
  )
  return outcomes
}

test('the API reads mail although it started before anything was sent', async () => {
  rmSync(place('outbox'), { recursive: true })
  try {
    expect(await tried('api', [{ what: 'read', on: place('outbox/later.eml') }])).toEqual(['ENOENT'])
  } finally {
    mkdirSync(place('outbox'), { recursive: true })
    writeFileSync(place('outbox/20260503T150000000Z-1-1.eml'), 'x')
  }
})

const PROGRAMS = ['api', 'worker', 'pictures', 'gateway', 'signer', 'approvals', 'auditor', 'devnet'] as const
const LOAD_ADDONS: readonly Program[] = ['api', 'pictures']

describe.each<[Program, string[], string[]]>([
  ['api', ['outbox'], []],
  ['worker', ['outbox'], ['outbox']],
  ['pictures', [], []],
  ['gateway', [], []],
  ['signer', ['keys', 'socket'], ['socket', 'keys']],
  ['approvals', [], []],
  ['auditor', [], []],
  ['devnet', ['devnet'], ['devnet']],
])('of the data folder the %s', (program, readable, writable) => {
  const isIn = (folders: readonly string[]) => (file: string) => folders.some((name) => file.startsWith(name))

  test(`reads ${readable.join(', ') || 'nothing'}`, async () => {
    const outcomes = await tried(
      program,
      FILES.map((file) => ({ what: 'read', on: place(file) })),
    )
    const read = FILES.filter((_, index) => outcomes[index] === 'done')
    expect(read).toEqual(FILES.filter(isIn(readable)))
    expect(new Set(outcomes)).toEqual(
      new Set([...(readable.length > 0 ? ['done'] : []), 'ERR_ACCESS_DENIED']),
    )
  })

  test(`writes ${writable.join(', ') || 'nothing'}`, async () => {
    const outcomes = await tried(
      program,
      FILES.map((file) => ({ what: 'write', on: place(file) })),
    )
    expect(FILES.filter((_, index) => outcomes[index] === 'done')).toEqual(FILES.filter(isIn(writable)))
  })
})

describe.each(PROGRAMS)('the %s', (program) => {
  test('reads no other process’s environment, no folder above, and changes no code', async () => {
    const outcomes = await tried(program, [
      { what: 'read', on: '/proc/self/environ' },
      { what: 'read', on: `/proc/${process.pid}/environ` },
      { what: 'read', on: '/etc/passwd' },
      { what: 'read', on: root },
      { what: 'read', on: join(root, '.git', 'HEAD') },
      { what: 'read', on: dataDir },
      { what: 'read', on: join(dataDir, 'outbox', '..', 'secrets.json') },
      { what: 'write', on: join(root, 'apps/server/src/main.ts') },
      { what: 'write', on: join(root, 'node_modules/planted.js') },
      { what: 'write', on: place('cache/other') },
    ])
    expect(new Set(outcomes)).toEqual(new Set(['ERR_ACCESS_DENIED']))
  })

  test('starts no program and no thread, links nothing, and has no way around', async () => {
    const attempts: readonly Attempt[] = [
      { what: 'other program', on: '/bin/true' },
      { what: 'thread', on: '' },
      { what: 'debugger', on: '' },
      { what: 'internal binding', on: '' },
      { what: 'symbolic link', on: place('outbox/link') },
      { what: 'hard link', on: place('logs/link') },
      { what: 'report', on: place('logs/report.json') },
      { what: 'engine', on: place('outbox/engine.so') },
      ...(program === 'devnet' ? [] : [{ what: 'sqlite', on: place('outbox/any') } as const]),
      ...(LOAD_ADDONS.includes(program) ? [] : [{ what: 'addon', on: '/lib/any.node' } as const]),
    ]
    const allowed = (await tried(program, attempts)).map((outcome) =>
      [
        'ERR_ACCESS_DENIED',
        'ERR_DLOPEN_DISABLED',
        'ERR_UNKNOWN_BUILTIN_MODULE',
        'ERR_CRYPTO_CUSTOM_ENGINE_NOT_SUPPORTED',
      ].includes(outcome),
    )
    expect(attempts.filter((_, index) => !allowed[index])).toEqual([])
  })
})

describe('what loads addons', () => {
  test('writes nowhere, not even what it compiled: it could load what it wrote', () => {
    for (const program of PROGRAMS) {
      const access = accessOf(program, config, product, signer)
      const args = permissionArguments(product.server, access, { NODE_COMPILE_CACHE: place('cache/api') })
      const writes = args.some((argument) => argument.startsWith('--allow-fs-write'))
      expect([program, args.includes('--allow-addons'), writes]).toEqual([
        program,
        LOAD_ADDONS.includes(program),
        !LOAD_ADDONS.includes(program),
      ])
    }
  })
})

describe('a place that is a link', () => {
  test('is allowed where it leads, too', () => {
    symlinkSync(place('outbox'), place('linked'))
    const access = { read: [place('linked')], readFolders: [], write: [], addons: false, sqlite: false }
    const args = permissionArguments(product.server, access, {})
    expect(args).toEqual(
      expect.arrayContaining([`--allow-fs-read=${place('linked')}`, `--allow-fs-read=${place('outbox')}`]),
    )
  })
})

describe('certificates', () => {
  test('that the database’s address names are read', () => {
    const access = accessOf('gateway', config, product, null)
    const env = { DATABASE_URL: 'postgres://a:b@c/d?sslrootcert=/certs/root.pem&sslmode=verify-full' }
    expect(permissionArguments(product.gateway, access, env)).toContain('--allow-fs-read=/certs/root.pem')
  })
})

/** Vitest would open its debugger. */
beforeAll(() => void process.on('SIGUSR1', () => undefined))

/** The model holds files, not the network and not signals: docs/security/threats.md. */
describe('what the permissions do not hold', () => {
  test('the api connects to a socket whose folder it cannot read', async () => {
    const path = place('socket/open.sock')
    const server = createServer().listen(path)
    expect(await tried('api', [{ what: 'connection', on: path }])).toEqual(['done'])
    server.close()
  })

  test('it signals other processes', async () => {
    expect(await tried('api', [{ what: 'signal', on: String(process.pid) }])).toEqual(['done'])
  })
})
