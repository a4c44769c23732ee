import { accountXpub } from '@aval/tron'
import { describe, expect, it } from 'vitest'
import { ConfigRefusal, parseConfig } from './config.ts'

const KEY = 'ab'.repeat(32)
const devnet = {
  ROLE: 'api',
  DATABASE_URL: 'postgres://aval@localhost/aval',
  JWT_KEY: KEY,
  CAPTCHA_KEY: KEY,
}
const xpub = accountXpub('legal winner thank year wave sausage worth useful legal winner thank yellow')
const publicly = { ...devnet, TRON_NETWORK: 'nile', TRON_XPUB: xpub, PUBLIC_URL: 'https://office.example' }

function linesOf(env: NodeJS.ProcessEnv): readonly string[] {
  try {
    parseConfig(env)
  } catch (error) {
    if (error instanceof ConfigRefusal) return error.lines
    throw error
  }
  return []
}

describe('the environment', () => {
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
    for (const name of [
      'ROLE',
      'PORT',
      'DATABASE_URL',
      'JWT_KEY',
      'CAPTCHA_KEY',
      'CAPTCHA',
      'TRON_XPUB',
      'PUBLIC_URL',
    ])
      expect(names).toContain(name)
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

describe('a public network', () => {
  it('is pinned to its own USDT', () => {
    expect(parseConfig(publicly)).toMatchObject({ network: 'nile', depositXpub: xpub, devnetUrl: null })
    expect(parseConfig({ ...publicly, TRON_NETWORK: 'mainnet' }).usdtContract).toBe(
      'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
    )
  })

  it('refuses what only development may do', () => {
    const lines = linesOf({ ...devnet, TRON_NETWORK: 'mainnet', CAPTCHA: 'off', DEMO: 'on' })
    expect(lines.map((line) => line.split(':')[0])).toEqual(['CAPTCHA', 'DEMO', 'TRON_XPUB', 'PUBLIC_URL'])
  })

  it('refuses the keys that everybody knows', () => {
    const known = parseConfig(devnet).depositXpub
    expect(linesOf({ ...publicly, TRON_XPUB: known })).toHaveLength(1)
  })

  it('tells contradictions together with what is broken', () => {
    const lines = linesOf({ ...publicly, PORT: 'x', CAPTCHA: 'off' })
    expect(lines.map((line) => line.split(':')[0])).toEqual(['PORT', 'CAPTCHA'])
  })
})
