import { accountXpub } from '@aval/tron'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ConfigRefusal, parseConfig, readConfig } from './config.ts'

const KEY = 'ab'.repeat(32)
const devnet = {
  ROLE: 'api',
  DATABASE_URL: 'postgres://aval@localhost/aval',
  JWT_KEY: KEY,
  CAPTCHA_KEY: KEY,
  SEAL_KEY: KEY,
}
const xpub = accountXpub('legal winner thank year wave sausage worth useful legal winner thank yellow')
const publicly = {
  ...devnet,
  TRON_NETWORK: 'nile',
  TRON_XPUB: xpub,
  PUBLIC_URL: 'https://office.example',
  SMTP_URL: 'smtps://aval:secret@mail.example',
}

function linesOf(env: NodeJS.ProcessEnv): readonly string[] {
  try {
    parseConfig(env)
  } catch (error) {
    if (error instanceof ConfigRefusal) return error.lines
    throw error
  }
  return []
}

describe('the environment of this process', () => {
  afterEach(() => vi.unstubAllEnvs())

  it('has no secret any more when it was read', () => {
    for (const [name, value] of Object.entries({ ...publicly, LOG_LEVEL: 'silent' })) vi.stubEnv(name, value)
    const { sealKey, smtp } = readConfig()
    expect([Buffer.from(sealKey).toString('hex'), smtp !== null]).toEqual([KEY, true])
    const left = Object.entries(process.env).filter(
      ([, value]) => value?.includes(KEY) || value?.includes('secret@'),
    )
    expect(left).toEqual([])
    expect(process.env['DATABASE_URL']).toBeUndefined()
    expect(process.env['LOG_LEVEL']).toBe('silent')
  })
})

describe('the environment', () => {
  it('keeps money in for a day after a change, or as long as configured; never for nothing where money is real', () => {
    expect(parseConfig(devnet).coolingHours).toBe(24)
    expect(parseConfig({ ...devnet, COOLING_HOURS: '0' }).coolingHours).toBe(0)
    expect(linesOf({ ...publicly, COOLING_HOURS: '0' })).toEqual([
      'COOLING_HOURS: cannot be 0 on a public network (nile)',
    ])
    expect(parseConfig(devnet).retentionYears).toBe(10)
    expect(linesOf({ ...devnet, RETENTION_YEARS: '0' })).toEqual([
      'RETENTION_YEARS: is no whole number from 1 to 30',
    ])
    expect(linesOf({ ...devnet, COOLING_HOURS: '721' })).toEqual([
      'COOLING_HOURS: is no whole number from 0 to 720',
    ])
  })

  it('makes codes for any amount in development alone, unless it is set', () => {
    expect(parseConfig(devnet).unboundCodes).toBe(true)
    expect(parseConfig({ ...devnet, UNBOUND_CODES: 'off' }).unboundCodes).toBe(false)
    for (const TRON_NETWORK of ['nile', 'shasta', 'mainnet'])
      expect(parseConfig({ ...publicly, TRON_NETWORK }).unboundCodes).toBe(false)
    expect(parseConfig({ ...publicly, UNBOUND_CODES: 'on' }).unboundCodes).toBe(true)
  })

  it('has defaults for all but role, database and keys', () => {
    expect(parseConfig(devnet)).toMatchObject({
      role: 'api',
      port: 3000,
      host: '127.0.0.1',
      publicUrl: 'http://localhost:3000',
      captcha: true,
      network: 'devnet',
      demo: false,
      webDist: null,
      devnetUrl: null,
      explorerUrl: null,
    })
  })

  it('lists every problem at once, one line each, by the name to change', () => {
    const lines = linesOf({
      ROLE: 'boss',
      PORT: '99999',
      CAPTCHA: 'maybe',
      TRON_XPUB: 'xpub1',
      PUBLIC_URL: 'here',
    })
    const names = lines.map((line) => line.split(':')[0])
    const wrong = 'ROLE PORT DATABASE_URL JWT_KEY CAPTCHA_KEY SEAL_KEY CAPTCHA TRON_XPUB PUBLIC_URL'.split(
      ' ',
    )
    for (const name of wrong) expect(names).toContain(name)
    expect(new Set(names).size).toBe(names.length)
    for (const line of lines) expect(line).not.toContain('\n')
  })

  it('counts an empty value as absent', () => {
    expect(parseConfig({ ...devnet, PORT: '', TRON_NETWORK: ' ' })).toMatchObject({
      port: 3000,
      network: 'devnet',
    })
  })

  it.each([['3000x'], ['-1'], ['1e3'], ['0x10'], ['65536']])('has no port %s', (port) => {
    expect(linesOf({ ...devnet, PORT: port })).toEqual(['PORT: is no whole number from 0 to 65535'])
  })

  it('names a folder without a built web app', () => {
    expect(linesOf({ ...devnet, WEB_DIST: '/no/such/folder' })).toEqual([
      'WEB_DIST: has no index.html; the web app is not built there',
    ])
    expect(linesOf({ ...devnet, ROLE: 'worker', WEB_DIST: '/no/such/folder' })).toEqual([])
  })

  it('drops the slash at the end of an address', () => {
    expect(parseConfig({ ...devnet, PUBLIC_URL: 'https://office.example/' }).publicUrl).toBe(
      'https://office.example',
    )
  })
})

describe('mail', () => {
  it('is kept in files, from the host that people know, unless something else is said', () => {
    const { smtp, mailFrom } = parseConfig({ ...devnet, PUBLIC_URL: 'http://office.test:3000' })
    expect({ smtp, mailFrom }).toEqual({
      smtp: null,
      mailFrom: { name: 'Aval', address: 'no-reply@office.test' },
    })
  })

  it.each([
    ['smtp://mail.example', { host: 'mail.example', port: 587, secure: false, requireTls: true }],
    ['smtps://mail.example/', { port: 465, secure: true, credentials: null }],
    ['smtp://[::1]:2525', { host: '::1', port: 2525, requireTls: false }],
    [
      'smtp://aval%40example:p%2Fw%40rd@mail.example:25',
      { port: 25, requireTls: true, credentials: { user: 'aval@example', pass: 'p/w@rd' } },
    ],
    ['smtp://aval:secret@127.0.0.1:2525', { requireTls: false }],
  ])('goes to %s', (SMTP_URL, server) => {
    expect(parseConfig({ ...devnet, SMTP_URL }).smtp).toMatchObject(server)
  })

  it.each([
    ['mail.example'],
    ['http://mail.example'],
    ['smtp://'],
    ['smtp://secret@mail.example'],
    ['smtp://:secret@mail.example'],
    ['smtp://aval:%zz@mail.example'],
    ['smtp://mail.example:0'],
    ['smtp://mail.example:99999'],
    ['smtp://mail.example/inbox'],
    ['smtp://mail.example?tls=no'],
  ])('does not go to %s, which is named without what it holds', (SMTP_URL) => {
    const lines = linesOf({ ...devnet, SMTP_URL })
    expect(lines).toEqual([expect.stringMatching(/^SMTP_URL: is no address of the form/)])
    expect(lines[0]).not.toContain('secret')
  })

  it.each([
    ['office@example.com', { name: '', address: 'office@example.com' }],
    ['Aval <office@example.com>', { name: 'Aval', address: 'office@example.com' }],
    ['"Aval, Bogotá" <office@example.com>', { name: 'Aval, Bogotá', address: 'office@example.com' }],
  ])('comes from %s', (MAIL_FROM, from) => {
    expect(parseConfig({ ...devnet, MAIL_FROM }).mailFrom).toEqual(from)
  })

  it.each([
    ['Aval'],
    ['@example.com'],
    ['office@'],
    ['a@b, c@d'],
    ['Aval <office@example.com> <b@c>'],
    ['Aval\r\nBcc: thief@example.com <office@example.com>'],
    ['office@example.com\nBcc: thief@example.com'],
  ])('does not come from %j', (MAIL_FROM) => {
    expect(linesOf({ ...devnet, MAIL_FROM })).toEqual([expect.stringMatching(/^MAIL_FROM: is no sender/)])
  })
})

describe('a public network', () => {
  it('is pinned to its own USDT', () => {
    expect(parseConfig(publicly)).toMatchObject({ network: 'nile', depositXpub: xpub, devnetUrl: null })
    expect(parseConfig({ ...publicly, TRON_NETWORK: 'mainnet' }).usdtContract).toBe(
      'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
    )
  })

  it('refuses what only development may do', () => {
    const lines = linesOf({ ...devnet, TRON_NETWORK: 'mainnet', CAPTCHA: 'off', DEMO: 'on' })
    expect(lines.map((line) => line.split(':')[0])).toEqual([
      'CAPTCHA',
      'DEMO',
      'TRON_XPUB',
      'PUBLIC_URL',
      'SMTP_URL',
    ])
  })

  it('asks about leaked passwords where it is said whom, over TLS alone', () => {
    expect(parseConfig(publicly).breachedPasswordsUrl).toBeNull()
    const asks = (BREACHED_PASSWORDS_URL: string) => ({ ...publicly, BREACHED_PASSWORDS_URL })
    expect(parseConfig(asks('https://leaks.example/range/')).breachedPasswordsUrl).toBe(
      'https://leaks.example/range',
    )
    expect(linesOf(asks('http://leaks.example'))).toEqual([
      'BREACHED_PASSWORDS_URL: is no address beginning with https://',
    ])
  })

  it('refuses the keys that everybody knows', () => {
    const known = parseConfig(devnet).depositXpub
    expect(linesOf({ ...publicly, TRON_XPUB: known })).toHaveLength(1)
  })

  it('is reached with https, and reaches its database with a certificate, unless they are on this machine', () => {
    expect(linesOf({ ...publicly, PUBLIC_URL: 'http://office.example' })).toEqual([
      'PUBLIC_URL: has to begin with https:// on a public network (nile)',
    ])
    expect(linesOf({ ...publicly, PUBLIC_URL: 'http://localhost:3000' })).toEqual([])
    expect(linesOf({ ...publicly, DATABASE_URL: 'postgres://aval:secret@db.example/aval' })).toEqual([
      'DATABASE_URL: has to say sslmode=verify-full, unless the database is on this machine',
    ])
  })

  it('listens on this machine, where its proxy stands, unless something else encrypts what comes', () => {
    expect(linesOf({ ...publicly, HOST: '0.0.0.0' })).toEqual([
      expect.stringMatching(/^HOST: has to be localhost/),
    ])
    expect(linesOf({ ...publicly, HOST: '0.0.0.0', PLAIN_HTTP: 'on' })).toEqual([])
  })

  it('reports contradictions together with what is broken', () => {
    const lines = linesOf({ ...publicly, PORT: 'x', CAPTCHA: 'off' })
    expect(lines.map((line) => line.split(':')[0])).toEqual(['PORT', 'CAPTCHA'])
  })
})
