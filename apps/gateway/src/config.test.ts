import { DEVNET, depositAddress, devnetAddress } from '@aval/tron'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { readConfig } from './config.ts'

const good = {
  DATABASE_URL: 'postgres://gateway:secret@127.0.0.1/aval',
  TRON_NETWORK: 'devnet',
  DEVNET_URL: 'http://127.0.0.1:3001',
}

const [HOT, COLD] = [depositAddress(DEVNET.xpub, 1), depositAddress(DEVNET.xpub, 2)]
const onNile = {
  ...good,
  TRON_NETWORK: 'nile',
  TRON_NODES: 'https://a.example',
  TRON_HOT_ADDRESS: HOT,
  TRON_COLD_ADDRESS: COLD,
}

describe('the environment of this process', () => {
  afterEach(() => vi.unstubAllEnvs())

  it('does not keep the address of the database', () => {
    for (const [name, value] of Object.entries(good)) vi.stubEnv(name, value)
    expect(readConfig()).toMatchObject({ ok: true, config: { databaseUrl: good.DATABASE_URL } })
    expect(process.env['DATABASE_URL']).toBeUndefined()
  })
})

describe('the environment', () => {
  it('gives each node its own key and budget, where there is one', () => {
    const TRON_NODES = 'https://a.example,https://b.example,https://c.example'
    const read = readConfig({
      ...onNile,
      TRON_NODES,
      TRON_API_KEYS: 'k1,,X-Key:k:3',
      TRON_CALLS_PER_DAY: ',5000',
    })
    expect(read).toMatchObject({
      ok: true,
      config: {
        nodes: [
          { headers: { 'TRON-PRO-API-KEY': 'k1' }, callsPerDay: null },
          { headers: {}, callsPerDay: 5_000 },
          { headers: { 'X-Key': 'k:3' }, callsPerDay: null },
        ],
      },
    })
  })

  it('of the development network needs no list of nodes', () => {
    expect(readConfig(good)).toEqual({
      ok: true,
      config: {
        databaseUrl: good.DATABASE_URL,
        network: 'devnet',
        nodes: [{ url: 'http://127.0.0.1:3001', headers: {}, callsPerDay: null }],
        pollMs: 400,
        wallets: {
          hot: devnetAddress('hotWallet'),
          cold: devnetAddress('coldWallet'),
          sweepFrom: 100_000_000n,
          hotMaximum: 50_000_000_000n,
          hotTarget: 25_000_000_000n,
        },
        signerSocket: null,
        lifetimeMs: 60_000,
        feeLimit: 100_000_000n,
        tracing: null,
      },
    })
  })

  it('of a public network names the company’s wallets, and transfers are valid for ten minutes', () => {
    const read = readConfig({ ...onNile, SIGNER_SOCKET: '/run/signer.sock', SWEEP_FROM: '500' })
    expect(read).toMatchObject({
      ok: true,
      config: { wallets: { hot: HOT, cold: COLD, sweepFrom: 500_000_000n }, lifetimeMs: 600_000 },
    })
    expect(read).toMatchObject({ ok: true, config: { signerSocket: '/run/signer.sock' } })
    const offline = { ...onNile, SIGNER_SOCKET: '/run/signer.sock', SIGNER: 'offline' }
    expect(readConfig(offline)).toMatchObject({ ok: true, config: { signerSocket: null } })
  })

  it('of a public network names its nodes, and polls less often', () => {
    const read = readConfig({ ...onNile, TRON_NODES: 'https://a.example, https://b.example/x,' })
    expect(read).toMatchObject({
      ok: true,
      config: { nodes: [{ url: 'https://a.example' }, { url: 'https://b.example/x' }], pollMs: 2_000 },
    })
  })

  it('takes an empty value for none', () => {
    const config = { nodes: [{ url: 'http://127.0.0.1:3001', headers: {}, callsPerDay: null }], pollMs: 400 }
    expect(readConfig({ ...good, TRON_NODES: '', POLL_MS: '' })).toMatchObject({ ok: true, config })
  })

  it.each<[string, Record<string, string | undefined>, RegExp[]]>([
    [
      'nothing at all',
      { DATABASE_URL: undefined, TRON_NETWORK: undefined, DEVNET_URL: undefined },
      [/^DATABASE_URL is missing/, /^TRON_NETWORK must be one of .*missing/, /^TRON_NODES is missing/],
    ],
    [
      'an unknown network',
      { TRON_NETWORK: 'main', TRON_NODES: 'https://a' },
      [/^TRON_NETWORK .*not "main"$/],
    ],
    ['a development node on a public network', { ...onNile, TRON_NODES: '' }, [/^TRON_NODES is missing/]],
    [
      'invalid amounts and times',
      { SWEEP_FROM: '0', FEE_LIMIT_TRX: '1.5', TRANSFER_SECONDS: '90000', SIGNER: 'off' },
      [/^SWEEP_FROM is no whole number from 1/, /^FEE_LIMIT_TRX/, /^TRANSFER_SECONDS/, /^SIGNER is "on"/],
    ],
    [
      'a key with a space',
      { TRON_API_KEYS: 'secret key' },
      [/^TRON_API_KEYS is no list of keys[^:]*Header:key, separated by commas$/],
    ],
    [
      'more keys and budgets than nodes',
      { TRON_API_KEYS: 'a,b', TRON_CALLS_PER_DAY: '100,100' },
      [/^TRON_API_KEYS has more entries/, /^TRON_CALLS_PER_DAY has more entries/],
    ],
    ['a budget of a few calls', { TRON_CALLS_PER_DAY: '99' }, [/^TRON_CALLS_PER_DAY is no list/]],
    ['a node that is no address', { TRON_NODES: 'http://a,localhost:90' }, [/^TRON_NODES: entry 2 /]],
    [
      'a node of a public network that anybody can listen to',
      { ...onNile, TRON_NODES: 'http://127.0.0.1:90,http://a.example' },
      [/^TRON_NODES: entry 2 has to begin with https/],
    ],
    [
      'a database of a public network that anybody can listen to',
      { ...onNile, DATABASE_URL: 'postgres://gateway:secret@db.example/aval?sslmode=require' },
      [/^DATABASE_URL has to say sslmode=verify-full/],
    ],
    [
      'a collector of a public network that anybody can listen to',
      {
        ...onNile,
        OTEL_EXPORTER_OTLP_ENDPOINT: 'http://traces.example',
        OTEL_EXPORTER_OTLP_HEADERS: 'key=secret',
      },
      [/^OTEL_EXPORTER_OTLP_ENDPOINT has to begin with https/],
    ],
    ['a pause of zero', { POLL_MS: '0' }, [/^POLL_MS .*not "0"$/]],
    ['a pause in words', { POLL_MS: '1e3' }, [/^POLL_MS/]],
    ['two things', { POLL_MS: 'x', DATABASE_URL: 'x' }, [/^DATABASE_URL is no address/, /^POLL_MS/]],
  ])('with %s is refused, each problem in a line', (_name, changes, lines) => {
    const read = readConfig({ ...good, ...changes })
    expect(read.ok).toBe(false)
    const problems = read.ok ? [] : read.problems
    expect(problems).toHaveLength(lines.length)
    for (const [index, line] of lines.entries()) expect(problems[index]).toMatch(line)
    expect(problems.join()).not.toContain('secret')
  })
})
