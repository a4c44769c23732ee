/** What lies under `deploy/` names programs, settings, ports and files that are there, and the runbook names what lies there. */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DEVNET } from '@aval/tron'
import { describe, expect, test } from 'vitest'
import { parseStartConfig, root, settingNames } from './core/config.ts'
import { execArguments } from './supervisor/processes.ts'

const read = (file: string): string => readFileSync(join(root, file), 'utf8')
const RELEASE = '/opt/aval/current/'

/** `NAME=value` lines of a file for the service manager. */
const settingsIn = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
  )

/** Lines `key=value` of a unit, each key with all its values. */
const linesOf = (unit: string, key: string): string[] =>
  [...unit.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value = '']) => value)

const environmentOf = (unit: string): Record<string, string> =>
  settingsIn(linesOf(unit, 'Environment').join('\n'))

const product = read('deploy/systemd/aval.service')
const signer = read('deploy/systemd/aval-signer.service')
const productEnv = { ...settingsIn(read('deploy/env/aval.env')), ...environmentOf(product) }
const signerEnv = { ...settingsIn(read('deploy/env/signer.env')), ...environmentOf(signer) }
const runbook = read('docs/runbooks/deploying.md')

describe('the units', () => {
  test.each([product, signer])('start programs that a release has, in a folder that it has', (unit) => {
    const paths = [...unit.matchAll(new RegExp(`${RELEASE}([\\w./-]+)`, 'g'))].map(([, path = '']) => path)
    expect(paths.length).toBeGreaterThan(1)
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([])
    const [folder = ''] = linesOf(unit, 'WorkingDirectory')
    const relative = linesOf(unit, 'ExecStart').flatMap((line) =>
      line.split(' ').filter((word) => /^[a-z].*\.ts$/.test(word)),
    )
    for (const path of relative)
      expect(existsSync(join(root, folder.slice(RELEASE.length - 1), path)), path).toBe(true)
  })

  test('the product has settings that it knows and accepts, once the empty ones are filled', () => {
    const filled = {
      ...productEnv,
      TRON_XPUB:
        'xpub6BosfCnifzxcFwrSzQiqu2DBVTshkCXacvNsWGYJVVhhawA7d4R5WSWGFNbi8Aw6ZRc1brxMyWMzG3DSSSSoekkudhUd9yLb6qx39T9nMdj',
      TRON_HOT_ADDRESS: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
      TRON_COLD_ADDRESS: 'TXLAQ63Xg1NAzckPwKHvzw7CSEmLMEqcdj',
    }
    expect(Object.keys(productEnv).filter((name) => !settingNames.includes(name))).toEqual([])
    expect(filled.TRON_XPUB).not.toBe(DEVNET.xpub)
    expect(parseStartConfig(filled).custody.signer).toMatchObject({
      mode: 'apart',
      socket: signerEnv['SIGNER_SOCKET'],
    })
  })

  test('so has the signer', () => {
    const address = 'postgres://aval_signer_login:x@127.0.0.1:5432/aval'
    const names = new Set(
      [...read('apps/gateway/src/signer/config.ts').matchAll(/^ {2}([A-Z_]+):/gm)].map(([, name]) => name),
    )
    expect(Object.keys(signerEnv).filter((name) => name !== 'NODE_ENV' && !names.has(name))).toEqual([])
    const env = {
      ...signerEnv,
      DATABASE_URL: address,
      SIGNER_PASSPHRASE: 'x'.repeat(12),
      SIGNER_KEYS: '/nowhere/signer.json',
    }
    const { status, stderr } = spawnSync(process.execPath, [join(root, 'apps/gateway/src/signer/main.ts')], {
      env,
    })
    // It comes as far as its key file, which is not here.
    expect(String(stderr)).toMatch(/^signer: .*\/nowhere\/signer\.json.*\n$/)
    expect(status).toBe(1)
  })

  test('the signer runs as the supervisor would run it: no addons, no programs, and of the disk what is its own', () => {
    const words = linesOf(signer, 'ExecStart')[0]?.split(' ') ?? []
    for (const flag of [...execArguments(512), '--permission', '--no-experimental-sqlite'])
      expect(words).toContain(flag)
    expect(words.filter((word) => /^--allow-(?!fs-)/.test(word))).toEqual([])
    const writes = words.flatMap((word) => word.split('--allow-fs-write=')[1] ?? [])
    expect(writes).toEqual(['/run/aval-signer', '/var/lib/aval-signer'])
    // What systemd makes for it, and nothing wider than the group may enter: the socket's folder refuses more.
    expect(linesOf(signer, 'RuntimeDirectoryMode')).toEqual(['0710'])
    expect(linesOf(signer, 'Group')).toEqual(linesOf(product, 'SupplementaryGroups'))
    expect(linesOf(signer, 'User')).not.toEqual(linesOf(product, 'User'))
  })
})

test('the signer’s drop-in lets it reach addresses that a person writes, and opens nothing else', () => {
  expect(linesOf(signer, 'IPAddressDeny')).toEqual(['any'])
  expect(linesOf(signer, 'IPAddressAllow')).toEqual(['localhost'])
  const lines = read('deploy/systemd/aval-signer-nodes.conf')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  expect(lines.shift()).toBe('[Service]')
  for (const line of lines) expect(line).toMatch(/^IPAddressAllow=[0-9a-f.:]+(\/\d+)?$/)
  // Of documentation: a machine on which nobody wrote its own reaches no node.
  expect(lines.every((line) => /=(192\.0\.2\.|2001:db8:)/.test(line))).toBe(true)
})

test('the proxy and Prometheus speak to the ports that the product listens on', () => {
  const { port, approvals } = parseStartConfig({})
  const upstreams = [...read('deploy/caddy/Caddyfile').matchAll(/reverse_proxy localhost:(\d+)/g)].map(
    ([, found]) => Number(found),
  )
  expect(upstreams).toEqual([port, approvals.port])
  expect(read('deploy/prometheus/prometheus.yml')).toContain(`127.0.0.1:${productEnv['METRICS_PORT']}`)
  // One proxy, which is trusted.
  expect(productEnv['TRUST_PROXY']).toBe('1')
})

test('the runbooks name files, scripts and programs that are there, and leave out none of deploy/', () => {
  const both = runbook + read('docs/runbooks/high-availability.md')
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  const named = [...both.matchAll(/npm run (?:-s )?([\w:-]+)/g)].map(([, name = '']) => name)
  expect(named.filter((name) => scripts[name] === undefined)).toEqual([])
  const files = [...both.matchAll(/(?<![\w/])((?:deploy|tools|docs)\/[\w./-]*\w)/g)].map(
    ([, file = '']) => file,
  )
  expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([])
  const others = [...both.matchAll(/`([\w-]+\.md)`/g)].map(([, file = '']) => file)
  expect(
    others.filter((file) => !existsSync(join(root, 'docs/runbooks', file)) && !existsSync(join(root, file))),
  ).toEqual([])
  const all = readdirSync(join(root, 'deploy'), { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  expect(
    all.map(({ name }) => name).filter((name) => !both.includes(name) && !name.includes('.rules.')),
  ).toEqual([])
})

test('the container runs the same program as the unit', () => {
  const [, entry = ''] = /^ENTRYPOINT (\[.*\])$/m.exec(read('deploy/container/Containerfile')) ?? []
  const [node = '', program] = JSON.parse(entry) as string[]
  expect(existsSync(join(root, node.replace('/opt/aval/', '')))).toBe(true)
  expect(linesOf(product, 'ExecStart')[0]?.split(' ').at(-1)).toBe(program)
})
