import { describe, expect, it } from 'vitest'
import { readConfig } from './config.ts'

const good = {
  DATABASE_URL: 'postgres://gateway:secret@127.0.0.1/aval',
  TRON_NETWORK: 'devnet',
  DEVNET_URL: 'http://127.0.0.1:3001',
}

describe('the environment', () => {
  it('of the development network needs no list of nodes', () => {
    expect(readConfig(good)).toEqual({
      ok: true,
      config: {
        databaseUrl: good.DATABASE_URL,
        network: 'devnet',
        nodes: ['http://127.0.0.1:3001'],
        pollMs: 400,
      },
    })
  })

  it('of a public network names its nodes, and looks less often', () => {
    const read = readConfig({
      ...good,
      TRON_NETWORK: 'nile',
      TRON_NODES: 'https://a.example, https://b.example/x,',
    })
    expect(read).toMatchObject({
      ok: true,
      config: { nodes: ['https://a.example', 'https://b.example/x'], pollMs: 2_000 },
    })
  })

  it('takes an empty value for none', () => {
    const config = { nodes: ['http://127.0.0.1:3001'], pollMs: 400 }
    expect(readConfig({ ...good, TRON_NODES: '', POLL_MS: '' })).toMatchObject({ ok: true, config })
  })

  it.each<[string, Record<string, string | undefined>, RegExp[]]>([
    [
      'nothing at all',
      {},
      [/^DATABASE_URL is missing/, /^TRON_NETWORK must be one of .*missing/, /^TRON_NODES is missing/],
    ],
    [
      'a network nobody knows',
      { ...good, TRON_NETWORK: 'main', TRON_NODES: 'http://a' },
      [/^TRON_NETWORK .*not "main"$/],
    ],
    [
      'a development node on a public network',
      { ...good, TRON_NETWORK: 'mainnet' },
      [/^TRON_NODES is missing/],
    ],
    [
      'a node that is no address',
      { ...good, TRON_NODES: 'http://a,localhost:90' },
      [/^TRON_NODES: entry 2 /],
    ],
    ['a database that is none', { ...good, DATABASE_URL: 'mysql://u:secret@h' }, [/^DATABASE_URL is not/]],
    ['a pause of zero', { ...good, POLL_MS: '0' }, [/^POLL_MS .*not "0"$/]],
    ['a pause in words', { ...good, POLL_MS: '1e3' }, [/^POLL_MS/]],
    ['two things', { ...good, POLL_MS: 'x', DATABASE_URL: 'x' }, [/^DATABASE_URL is not/, /^POLL_MS/]],
  ])('with %s is refused, each problem in a line', (_name, environment, lines) => {
    const read = readConfig(environment)
    expect(read.ok).toBe(false)
    const problems = read.ok ? [] : read.problems
    expect(problems).toHaveLength(lines.length)
    for (const [index, line] of lines.entries()) expect(problems[index]).toMatch(line)
    expect(problems.join()).not.toContain('secret')
  })
})
