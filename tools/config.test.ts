import { accountXpub, DEVNET } from '@aval/tron'
import { expect, test } from 'vitest'
import { ConfigRefusal, parseStartConfig } from './config.ts'

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
  TRON_NODES: 'https://nile.example',
  TRON_XPUB: accountXpub('legal winner thank year wave sausage worth useful legal winner thank yellow'),
}

test('nothing set is the local demo', () => {
  expect(parseStartConfig({})).toMatchObject({
    port: 3000,
    host: 'localhost',
    databaseUrl: null,
    publicUrl: 'http://localhost:3000',
    network: 'devnet',
    devnet: { port: 3001, blockMs: 1000, solidLag: 3 },
    demo: true,
    captcha: 'on',
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

test('a public network with all it needs is accepted, without a demo', () => {
  expect(parseStartConfig(nile)).toMatchObject({
    network: 'nile',
    demo: false,
    publicUrl: 'https://aval.example',
  })
})

test.each([
  [{ PORT: '0' }, 'PORT: is no whole number from 1 to 65535'],
  [{ PORT: '3001' }, 'DEVNET_PORT: is the same as PORT'],
  [{ DATABASE_URL: 'mysql://secret@x/y' }, 'DATABASE_URL: is no address of the form'],
  [{ PUBLIC_URL: 'aval.example' }, 'PUBLIC_URL: is no address beginning with'],
  [{ DEMO_PASSWORD: 'short' }, 'DEMO_PASSWORD: has fewer than 8 characters'],
  [{ SMTP_URL: 'mail.example' }, 'SMTP_URL: is no address'],
  [{ ...nile, CAPTCHA: 'off' }, 'CAPTCHA: cannot be off on a public network'],
  [{ ...nile, DEMO: 'on' }, 'DEMO: nothing of the demo can start on a public network'],
  [{ ...nile, TRON_XPUB: accountXpub(DEVNET.mnemonic) }, 'TRON_XPUB: is the development chain'],
  [{ ...nile, TRON_XPUB: 'xpub' }, 'TRON_XPUB: is no account xpub'],
  [{ ...nile, TRON_NODES: 'nile.example' }, 'TRON_NODES: is no list of'],
])('%o is refused in one line', (env, line) => {
  const said = problems(env)
  expect(said).toHaveLength(1)
  expect(said[0]).toContain(line)
  expect(said[0]).not.toContain('secret')
})
