/** What the cluster stands on: Debian's packages, and a network of this machine's own with a name space for each node. */
import { execFile, execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { childEnvironment } from '../../tools/core/config.ts'
import { Refusal } from '../../tools/core/refusal.ts'

const run = promisify(execFile)
/** Not everybody's path has the programs of root. */
const env = childEnvironment({ PATH: `${childEnvironment()['PATH']}:/usr/sbin:/sbin` })

const PACKAGES = ['postgresql', 'patroni', 'python3-etcd', 'etcd-server', 'haproxy', 'iproute2', 'iptables']
const POLICY = '/usr/sbin/policy-rc.d'
const POSTGRES = '/usr/lib/postgresql'

const BRIDGE = 'avalha0'
/** Where the product runs. */
export const HERE = '10.66.0.1'
const NODES = [1, 2, 3] as const

export interface Node {
  readonly name: string
  readonly address: string
  /** Its name space. */
  readonly space: string
}

export const nodes: readonly Node[] = NODES.map((n) => ({
  name: `db${n}`,
  address: `10.66.0.1${n}`,
  space: `avalha${n}`,
}))

const call = async (command: string, ...args: readonly string[]): Promise<string> =>
  (await run(command, [...args], { maxBuffer: 1 << 26, env })).stdout

/** Runs a command in a node's part of the network. */
export const inSpace = (node: Node, ...command: readonly string[]): Promise<string> =>
  call('ip', 'netns', 'exec', node.space, ...command)

/** Processes of a node, by what they are called. */
export async function pidsOf(node: Node, names: readonly string[]): Promise<number[]> {
  const pids = (await call('ip', 'netns', 'pids', node.space)).split('\n').filter(Boolean).map(Number)
  const nameOf = (pid: number) => {
    try {
      return readFileSync(`/proc/${pid}/comm`, 'utf8').trim()
    } catch {
      return ''
    }
  }
  return pids.filter((pid) => names.includes(nameOf(pid)))
}

/** SIGKILL for each that is still there: some go with others. */
export function end(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It has gone.
    }
  }
}

/** @throws Refusal where this machine cannot carry the cluster */
export async function prepareMachine(say: (line: string) => void): Promise<void> {
  if (process.getuid?.() !== 0)
    throw new Refusal(
      'The failover drill needs root: it makes network name spaces and starts PostgreSQL as its own user.',
    )
  const release = existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : ''
  if (!/^ID=debian$/m.test(release))
    throw new Refusal(
      'The failover drill needs Debian: it installs Patroni, etcd and HAProxy from its packages.',
    )
  const missing = PACKAGES.filter((name) => !isInstalled(name))
  if (missing.length > 0) {
    say(`Installing ${missing.join(', ')} from Debian`)
    await install(missing)
  }
  await call('ip', 'netns', 'list').catch((error: Error) => {
    throw new Refusal(`The failover drill needs network name spaces: ${error.message}`)
  })
}

function isInstalled(name: string): boolean {
  try {
    return execFileSync('dpkg', ['-s', name], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
      .toString()
      .includes('ok installed')
  } catch {
    return false
  }
}

/** Without their services being started, which would take the ports of others. */
async function install(names: readonly string[]): Promise<void> {
  const isOurs = !existsSync(POLICY)
  if (isOurs) writeFileSync(POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  try {
    await call('apt-get', 'update', '-qq')
    await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', '--no-upgrade', ...names], {
      env: { ...env, DEBIAN_FRONTEND: 'noninteractive' },
      maxBuffer: 1 << 26,
    })
  } finally {
    if (isOurs) rmSync(POLICY)
  }
}

/** The newest PostgreSQL that is installed. */
export function postgresVersion(): string {
  const versions = readdirSync(POSTGRES).filter((name) => existsSync(`${POSTGRES}/${name}/bin/postgres`))
  const newest = versions.sort((one, other) => Number(other) - Number(one))[0]
  if (newest === undefined) throw new Refusal(`There is no PostgreSQL in ${POSTGRES}.`)
  return newest
}

/** A bridge, and a name space for each node, joined by a pair of interfaces. */
export async function makeNetwork(): Promise<void> {
  await removeNetwork()
  await call('ip', 'link', 'add', BRIDGE, 'type', 'bridge')
  await call('ip', 'addr', 'add', `${HERE}/24`, 'dev', BRIDGE)
  await call('ip', 'link', 'set', BRIDGE, 'up')
  for (const node of nodes) {
    const [outside, inside] = [`${node.space}o`, `${node.space}i`]
    await call('ip', 'netns', 'add', node.space)
    await call('ip', 'link', 'add', outside, 'type', 'veth', 'peer', 'name', inside)
    await call('ip', 'link', 'set', inside, 'netns', node.space)
    await call('ip', 'link', 'set', outside, 'master', BRIDGE, 'up')
    await inSpace(node, 'ip', 'addr', 'add', `${node.address}/24`, 'dev', inside)
    await inSpace(node, 'ip', 'link', 'set', inside, 'up')
    await inSpace(node, 'ip', 'link', 'set', 'lo', 'up')
  }
}

export async function removeNetwork(): Promise<void> {
  for (const node of nodes) {
    end(await pidsInSpace(node))
    await call('ip', 'netns', 'del', node.space).catch(() => undefined)
    await call('ip', 'link', 'del', `${node.space}o`).catch(() => undefined)
  }
  await call('ip', 'link', 'del', BRIDGE).catch(() => undefined)
}

const pidsInSpace = async (node: Node): Promise<number[]> =>
  (await call('ip', 'netns', 'pids', node.space).catch(() => '')).split('\n').filter(Boolean).map(Number)

/** What a node does not hear of any more, and does not reach: an address, or a port of it. */
export interface Cut {
  readonly address: string
  readonly ports?: string
}

/** Drops packets without a word, as a cable that was pulled out. @returns joins them again */
export async function cutOff(node: Node, cuts: readonly Cut[]): Promise<() => Promise<void>> {
  for (const { address, ports } of cuts) {
    const far = ports === undefined ? [] : ['-p', 'tcp', '-m', 'multiport', '--ports', ports]
    await inSpace(node, 'iptables', '-w', '-A', 'INPUT', '-s', address, ...far, '-j', 'DROP')
    await inSpace(node, 'iptables', '-w', '-A', 'OUTPUT', '-d', address, ...far, '-j', 'DROP')
  }
  return async () => void (await inSpace(node, 'iptables', '-w', '-F'))
}
