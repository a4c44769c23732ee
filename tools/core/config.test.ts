import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { accountXpub, DEVNET, devnetAddress } from '@aval/tron'
import { describe, expect, it, test } from 'vitest'
import { ConfigRefusal, parseStartConfig, readApis, root, settingNames } from './config.ts'

function problems(env: Record<string, string>): readonly string[] {
  try {
    parseStartConfig(env)
    return []
  } catch (error) {
    if (error instanceof ConfigRefusal) return error.lines
    throw error
  }
}

const nile = {
  TRON_NETWORK: 'nile',
  PUBLIC_URL: 'https://aval.example',
  APPROVALS_URL: 'https://approve.aval.example',
  TRON_NODES: 'https://nile.example',
  TRON_XPUB: accountXpub('legal winner thank year wave sausage worth useful legal winner thank yellow'),
  SMTP_URL: 'smtps://aval:secret@mail.example',
  TRON_HOT_ADDRESS: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
  TRON_COLD_ADDRESS: 'TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf',
  SIGNER_KEYS: 'keys/signer.json',
}

test('nothing set is the local demo', () => {
  expect(parseStartConfig({})).toMatchObject({
    port: 3000,
    host: 'localhost',
    databaseUrl: null,
    publicUrl: 'http://localhost:3000',
    approvals: { url: 'http://localhost:3002', port: 3002, host: 'localhost', plainHttp: 'off' },
    network: 'devnet',
    devnet: { port: 3001, blockMs: 1000, solidLag: 3 },
    demo: true,
    captcha: 'on',
  })
})

test('operators approve on a page of this machine alone, unless a setting says otherwise', () => {
  const approvals = (env: Record<string, string>) => parseStartConfig(env).approvals
  expect(approvals({ PORT: '4000', PUBLIC_URL: 'http://192.168.1.5:4000' })).toEqual({
    url: 'http://localhost:4002',
    port: 4002,
    host: 'localhost',
    plainHttp: 'off',
  })
  expect(approvals({ PUBLIC_URL: 'http://office.lan:3000', APPROVALS_HOST: '0.0.0.0' })).toMatchObject({
    url: 'http://office.lan:3002',
    host: '0.0.0.0',
  })
  expect(approvals({ ...nile, APPROVALS_PORT: '8443' })).toMatchObject({
    url: 'https://approve.aval.example',
    port: 8443,
  })
})

test('an empty value is the default', () => {
  expect(parseStartConfig({ PORT: ' ', DATABASE_URL: '' })).toMatchObject({ port: 3000, databaseUrl: null })
})

test('a database of one’s own has no demo unless it is asked for', () => {
  const DATABASE_URL = 'postgres://someone:secret@127.0.0.1/aval'
  expect(parseStartConfig({ DATABASE_URL }).demo).toBe(false)
  expect(parseStartConfig({ DATABASE_URL, DEMO: 'on' }).demo).toBe(true)
})

test('a proxy on another machine is for who says that what it sends is encrypted', () => {
  expect(problems({ ...nile, HOST: '10.0.0.6', APPROVALS_HOST: '10.0.0.7', PLAIN_HTTP: 'on' })).toEqual([])
})

test('a public network with all it needs is accepted, without a demo', () => {
  expect(parseStartConfig(nile)).toMatchObject({
    network: 'nile',
    demo: false,
    publicUrl: 'https://aval.example',
  })
})

test('the signer has the development chain’s keys, a key file, or none at all', () => {
  const signer = (env: Record<string, string>) => parseStartConfig(env).custody.signer
  expect(signer({})).toEqual({
    mode: 'on',
    socket: null,
    keyFile: null,
    journal: null,
    passphrase: null,
    limits: {},
  })
  expect(signer({ ...nile, SIGNER_PASSPHRASE: 'secret', SIGNER_FUEL_TRX: '60' })).toEqual({
    mode: 'on',
    socket: null,
    keyFile: join(root, 'keys/signer.json'),
    journal: null,
    passphrase: 'secret',
    limits: { SIGNER_FUEL_TRX: '60' },
  })
  const { SIGNER_KEYS, ...rest } = nile
  expect(signer({ ...rest, SIGNER: 'offline' }).mode).toBe('offline')
})

test('what is meant for one process is inherited by no other', () => {
  const SMTP_URL = 'smtp://aval:opensesame@mail.example:587'
  const BREACHED_PASSWORDS_URL = 'https://leaks.example/range'
  const { custody, inherited, server } = parseStartConfig({
    ...nile,
    SIGNER_PASSPHRASE: 'sesame',
    SWEEP_FROM: '50',
    SMTP_URL,
    UNBOUND_CODES: 'on',
    BREACHED_PASSWORDS_URL,
  })
  expect(server).toEqual({ SMTP_URL, UNBOUND_CODES: 'on', BREACHED_PASSWORDS_URL })
  expect(custody.gateway).toEqual({
    TRON_HOT_ADDRESS: nile.TRON_HOT_ADDRESS,
    TRON_COLD_ADDRESS: nile.TRON_COLD_ADDRESS,
    SWEEP_FROM: '50',
    SIGNER: 'on',
  })
  expect(JSON.stringify({ ...custody.gateway, ...inherited })).not.toContain('sesame')
})

const hot = devnetAddress('hotWallet')
test.each([
  [{ PORT: '0' }, 'PORT: is no whole number from 1 to 65535'],
  [{ PORT: '3001' }, 'DEVNET_PORT: is the same as PORT'],
  [{ DATABASE_URL: 'mysql://secret@x/y' }, 'DATABASE_URL: is no address of the form'],
  [{ DATABASE_URL: 'postgres://secret@x,,z/y' }, 'DATABASE_URL: has an empty place in its list of hosts'],
  [
    { DATABASE_REPLICA_URL: 'postgres://secret@x/y' },
    'DATABASE_REPLICA_URL: is set without DATABASE_URL: the embedded database has no replica',
  ],
  [
    { DATABASE_URL: 'postgres://x/y', DATABASE_REPLICA_URL: 'postgres://secret@x,z/y' },
    'DATABASE_REPLICA_URL: names several hosts',
  ],
  [{ PUBLIC_URL: 'aval.example' }, 'PUBLIC_URL: is no address beginning with'],
  [{ DEMO_PASSWORD: 'short' }, 'DEMO_PASSWORD: has fewer than 8 characters'],
  [{ SMTP_URL: 'mail.example' }, 'SMTP_URL: is no address'],
  [{ SMTP_URL: 'smtp://secret@mail.example' }, 'SMTP_URL: is no address'],
  [{ MAIL_FROM: 'Aval' }, 'MAIL_FROM: is no sender'],
  [{ UNBOUND_CODES: 'yes' }, 'UNBOUND_CODES: is either "on" or "off"'],
  [{ RETENTION_YEARS: '0' }, 'RETENTION_YEARS: is no whole number from 1 to 30'],
  [{ COOLING_HOURS: '1000' }, 'COOLING_HOURS: is no whole number from 0 to 720'],
  [{ ...nile, COOLING_HOURS: '0' }, 'COOLING_HOURS: cannot be 0 on a public network'],
  [{ ...nile, CAPTCHA: 'off' }, 'CAPTCHA: cannot be off on a public network'],
  [{ ...nile, DEMO: 'on' }, 'DEMO: nothing of the demo can start on a public network'],
  [{ ...nile, TRON_XPUB: DEVNET.xpub }, 'TRON_XPUB: is the development chain'],
  [{ APPROVALS_PORT: '3000' }, 'APPROVALS_PORT: is the same as PORT'],
  [{ PORT: '2999' }, 'APPROVALS_PORT: is the same as DEVNET_PORT'],
  [{ METRICS_PORT: '3000' }, 'METRICS_PORT: is the same as PORT'],
  [{ METRICS_PORT: '3002' }, 'METRICS_PORT: is the same as APPROVALS_PORT'],
  [{ ...nile, APPROVALS_URL: '' }, 'APPROVALS_URL: is missing'],
  [{ ...nile, HOST: '0.0.0.0' }, 'HOST: has to be localhost'],
  [{ ...nile, APPROVALS_HOST: '10.0.0.7' }, 'APPROVALS_HOST: has to be localhost'],
  [{ ...nile, PUBLIC_URL: 'http://aval.example' }, 'PUBLIC_URL: has to begin with https://'],
  [
    { ...nile, TRON_NODES: 'https://a.example, http://b.example' },
    'TRON_NODES: each has to begin with https',
  ],
  [{ ...nile, DATABASE_URL: 'postgres://a:secret@db.example/a' }, 'DATABASE_URL: has to say sslmode'],
  [{ ...nile, APPROVALS_URL: 'http://10.0.0.7:3002' }, 'APPROVALS_URL: has to begin with https://'],
  [
    { BREACHED_PASSWORDS_URL: 'http://leaks.example' },
    'BREACHED_PASSWORDS_URL: is no address beginning with https://',
  ],
  [{ SIGNER: 'apart' }, 'SIGNER_SOCKET: is missing'],
  [{ SIGNER_SOCKET: '/run/a.sock' }, 'SIGNER_SOCKET: is set while SIGNER is on'],
  [
    {
      ...nile,
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://traces.example',
      OTEL_EXPORTER_OTLP_HEADERS: 'key=secret',
    },
    'OTEL_EXPORTER_OTLP_ENDPOINT: has to begin with https://',
  ],
  [{ OTEL_EXPORTER_OTLP_HEADERS: 'secret' }, 'OTEL_EXPORTER_OTLP_HEADERS: is no list'],
  [{ OTEL_TRACES_SAMPLER_ARG: '2' }, 'OTEL_TRACES_SAMPLER_ARG: is no number from 0 to 1'],
  [{ SIGNER: 'off' }, 'SIGNER: is "on", "apart" or "offline"'],
  [{ SWEEP_FROM: '0' }, 'SWEEP_FROM: is no whole number from 1 to'],
  [{ HOT_MAXIMUM: '0' }, 'HOT_MAXIMUM: is no whole number from 1 to'],
  [{ HOT_TARGET: '60000' }, 'HOT_TARGET: is above HOT_MAXIMUM'],
  [{ FEE_LIMIT_TRX: '0' }, 'FEE_LIMIT_TRX: is no whole number from 1 to'],
  [{ TRANSFER_SECONDS: '50000' }, 'TRANSFER_SECONDS: is no whole number from 10 to 43200'],
  [{ SIGNER_FUEL_TRX: '1e6' }, 'SIGNER_FUEL_TRX: is no whole number'],
  [{ SIGNER_DAILY_CAP: '5000' }, 'SIGNER_DAILY_CAP: is a setting no longer: the limit is in the key file'],
  [{ SIGNER_PASSPHRASE: 'secret' }, 'SIGNER_PASSPHRASE: is set without SIGNER_KEYS'],
  [{ TRON_HOT_ADDRESS: hot, TRON_COLD_ADDRESS: hot }, 'TRON_COLD_ADDRESS: is the same as TRON_HOT_ADDRESS'],
  [{ ...nile, SIGNER_KEYS: '' }, 'SIGNER_KEYS: is missing'],
  [{ ...nile, SIGNER: 'offline' }, 'SIGNER_KEYS: is set while SIGNER is offline'],
  [{ ...nile, TRON_COLD_ADDRESS: '' }, 'TRON_COLD_ADDRESS: is missing'],
  [{ ...nile, TRON_HOT_ADDRESS: 'T123' }, 'TRON_HOT_ADDRESS: is no Tron address'],
  [{ ...nile, TRON_HOT_ADDRESS: hot }, "TRON_HOT_ADDRESS: is the development chain's"],
  [{ ...nile, TRON_XPUB: 'xpub' }, 'TRON_XPUB: is no account xpub'],
  [{ ...nile, TRON_NODES: 'nile.example' }, 'TRON_NODES: is no list of'],
])('%o is refused in one line', (env, line) => {
  const said = problems(env)
  expect(said).toHaveLength(1)
  expect(said[0]).toContain(line)
  expect(said[0]).not.toContain('secret')
})

test('the approvals page has a host of its own on a public network', () => {
  const same = 'https://aval.example:8443'
  expect(problems({ ...nile, APPROVALS_URL: same })).toEqual([
    expect.stringContaining('APPROVALS_URL: has the host of PUBLIC_URL'),
  ])
  expect(problems(nile)).toEqual([])
  // On the development chain all of it is one machine.
  expect(problems({ APPROVALS_URL: 'http://localhost:3002' })).toEqual([])
})

test('the table of the README names every setting, and no other', () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const table = readme.slice(readme.indexOf('## Settings'), readme.indexOf('`GET /api/docs/`'))
  const rows = [...table.matchAll(/^\| (`[^|]+`) +\|/gm)].map(([, cell = '']) => cell)
  const named = rows.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name))
  expect(named.sort()).toEqual([...settingNames].sort())
})

describe('--apis', () => {
  it.each([
    [[], 1],
    [['--apis', '2'], 2],
    [['--apis=3'], 3],
    [['--apis', '0'], '--apis: is no whole number from 1 to 4'],
    [['--apis', '99'], '--apis: is no whole number from 1 to 4'],
    [['--apis', 'x'], '--apis: is no whole number from 1 to 4'],
    [['--apis'], '--apis: is no whole number from 1 to 4'],
    [['--api', '2'], 'npm start knows --apis alone: npm start -- --apis 2, not --api 2'],
    [['--apis', '2', '3'], 'npm start knows --apis alone: npm start -- --apis 2, not --apis 2 3'],
  ])('%j is %s', (args, apis) => {
    expect(readApis(args, 'linux')).toBe(apis)
  })

  it('above 1 needs Linux, whose ports can be shared', () => {
    expect(readApis(['--apis', '2'], 'darwin')).toBe('--apis: more than 1 share a port on Linux alone')
    expect(readApis(['--apis', '1'], 'darwin')).toBe(1)
  })

  it('is reported with every other problem', () => {
    expect(() => parseStartConfig({ PORT: 'x' }, ['--apis', '0'])).toThrow(/--apis: is no .*\nPORT: is no/s)
  })
})

describe('a misspelt setting', () => {
  test.each([
    ['TRON_NETWROK', 'nile', 'did you mean TRON_NETWORK?'],
    ['tron_network', 'nile', 'did you mean TRON_NETWORK?'],
    ['DATABASE_URI', 'postgres://127.0.0.1/aval', 'did you mean DATABASE_URL?'],
    ['COLING_HOURS', '24', 'did you mean COOLING_HOURS?'],
    ['RETENTION_YEAR', '5', 'did you mean RETENTION_YEARS?'],
    ['SMTP_URI', 'smtp://mail.example', 'did you mean SMTP_URL?'],
    ['PROT', '4000', 'did you mean PORT?'],
    ['TRON_NODE_LIST', 'x', 'README.md lists those that there are'],
    ['SIGNER_SOCKT', '/run/x', 'did you mean SIGNER_SOCKET?'],
  ])('%s is named, and nothing starts', (name, value, hint) => {
    expect(problems({ [name]: value })).toEqual([`${name}: is no setting; ${hint}`])
  })

  test('is told of every setting with two letters swapped', () => {
    const swapped = settingNames
      .filter((name) => name !== 'CHROMIUM_PATH')
      .map((name) => ({ name, wrong: `${name.slice(0, -2)}${name.at(-1)}${name.at(-2)}` }))
      .filter(({ name, wrong }) => name !== wrong)
    for (const { name, wrong } of swapped)
      expect(problems({ [wrong]: 'x' })).toContain(`${wrong}: is no setting; did you mean ${name}?`)
  })

  test('is none of what machines, shells and platforms set for themselves', () => {
    const others = [
      ...['HTTP_PROXY', 'http_proxy', 'HOSTNAME', 'LOGNAME', 'SHELL', 'TERM', 'EDITOR', 'MAIL', 'HOSTTYPE'],
      ...[
        'OTEL_SERVICE_NAME',
        'OTEL_RESOURCE_ATTRIBUTES',
        'NODE_ENV',
        'NODE_OPTIONS',
        'CI',
        'DEBUG',
        'npm_config_loglevel',
      ],
      ...[
        'KUBERNETES_PORT',
        'TRON_NODE_SERVICE_HOST',
        'TRON_NODE_PORT_8090_TCP_ADDR',
        'SIGNER_PORT',
        'PGHOST',
        'DISPLAY',
      ],
    ]
    expect(problems(Object.fromEntries(others.map((name) => [name, 'x'])))).toEqual([])
    // The right one is there: the other is another program's.
    expect(problems({ DATABASE_URL: 'postgres://127.0.0.1/aval', DATABASE_URI: 'x' })).toEqual([])
  })
})
