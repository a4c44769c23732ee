/** Three nodes, each with PostgreSQL under Patroni and a member of etcd, from the files of deploy/ha as they are. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, chownSync, copyFileSync, mkdirSync, openSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openClient } from '@aval/db/client'
import { z } from 'zod'
import { childEnvironment, root } from '../../tools/core/config.ts'
import { untilWithin } from './load.ts'
import { end, HERE, type Node, nodes, pidsOf, postgresVersion } from './machine.ts'

const run = promisify(execFile)
const READY_MS = 180_000
const FILES = join(root, 'deploy/ha')

const clusterState = z.object({
  members: z.array(
    z.object({
      name: z.string(),
      role: z.string(),
      state: z.string(),
      lag: z.union([z.number(), z.string()]).optional(),
    }),
  ),
})

/** The lines `NAME=value` of a file, with what stands in braces filled in. */
function settingsIn(file: string, values: Readonly<Record<string, string>>): Record<string, string> {
  const lines = readFileSync(join(FILES, file), 'utf8').split('\n')
  const settings = lines.filter((line) => /^[A-Z0-9_]+=/.test(line))
  return Object.fromEntries(
    settings.map((line) => {
      const at = line.indexOf('=')
      const value = line.slice(at + 1).replace(/\{(\w+)\}/g, (braces, name: string) => values[name] ?? braces)
      return [line.slice(0, at), value]
    }),
  )
}

/** With folders of its own in the places that the files name: a name space of the network has its own mounts as well. */
const AS_POSTGRES = `mount --bind "$1/etc" /etc/patroni && mount --bind "$1/run" /var/run/postgresql && shift &&
  exec setpriv --reuid=postgres --regid=postgres --init-groups "$@"`

/** A certificate for each node, signed by an authority of this run. @returns the authority's file */
async function certify(
  folder: string,
  etcOf: (node: Node) => string,
  { uid, gid }: { uid: number; gid: number },
): Promise<string> {
  const ca = join(folder, 'ca')
  const openssl = (...args: readonly string[]) => run('openssl', [...args])
  const fresh = ['-nodes', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-days', '2']
  await openssl(
    'req',
    '-x509',
    ...fresh,
    '-subj',
    '/CN=failover',
    '-keyout',
    `${ca}.key`,
    '-out',
    `${ca}.crt`,
  )
  for (const node of nodes) {
    const [key, certificate] = [join(etcOf(node), 'server.key'), join(etcOf(node), 'server.crt')]
    const name = [
      '-subj',
      `/CN=${node.name}`,
      '-addext',
      `subjectAltName=IP:${node.address},DNS:${node.name}`,
    ]
    const signed = ['-CA', `${ca}.crt`, '-CAkey', `${ca}.key`]
    await openssl('req', '-x509', ...fresh, ...name, ...signed, '-keyout', key, '-out', certificate)
    for (const file of [key, certificate]) chownSync(file, uid, gid)
  }
  return `${ca}.crt`
}

function start(
  node: Node,
  folder: string,
  name: string,
  command: readonly string[],
  env: Record<string, string>,
) {
  const log = openSync(join(folder, `${name}.log`), 'a')
  const child = spawn(
    'ip',
    ['netns', 'exec', node.space, 'sh', '-c', AS_POSTGRES, 'sh', folder, ...command],
    {
      stdio: ['ignore', log, log],
      env: childEnvironment({ ...env, HOME: '/var/lib/postgresql' }),
      detached: true,
      cwd: folder,
    },
  )
  child.unref()
  return child
}

/** Folders, settings and certificates of the nodes, and what starts their programs. */
async function furnish(folder: string, version: string, password: string) {
  const { uid, gid } = statSync('/var/lib/postgresql')
  chmodSync(folder, 0o755)
  const own = (path: string) => {
    mkdirSync(path, { recursive: true, mode: 0o700 })
    chownSync(path, uid, gid)
    return path
  }
  const values = (node: Node) => ({
    node: node.name,
    address: node.address,
    version,
    password,
    etcd: nodes.map(({ address }) => `${address}:2379`).join(),
    cluster: nodes.map(({ name, address }) => `${name}=http://${address}:2380`).join(),
  })
  const place = (node: Node) => own(join(folder, node.name))
  const etcOf = (node: Node) => own(join(place(node), 'etc'))
  for (const node of nodes) {
    own(join(place(node), 'run'))
    copyFileSync(join(FILES, 'patroni.yml'), join(etcOf(node), 'config.yml'))
  }
  return {
    /** The file of who signed the certificates. */
    authority: await certify(folder, etcOf, { uid, gid }),
    startEtcd: (node: Node): ChildProcess =>
      start(node, place(node), 'etcd', ['etcd'], {
        ...settingsIn('etcd.env', values(node)),
        ETCD_DATA_DIR: own(join(place(node), 'etcd')),
      }),
    startPatroni: (node: Node): ChildProcess =>
      start(node, place(node), 'patroni', ['patroni', '/etc/patroni/config.yml'], {
        ...settingsIn('patroni.env', values(node)),
        // Its own places on this machine; the rest is the file's.
        PATRONI_POSTGRESQL_DATA_DIR: join(place(node), 'data'),
        PATRONI_POSTGRESQL_PGPASS: join(place(node), 'pgpass'),
      }),
  }
}

const ask = (node: Node, path: string): Promise<Response | null> =>
  fetch(`http://${node.address}:8008/${path}`, { signal: AbortSignal.timeout(1_000) }).catch(() => null)

/** What the first node that answers says of all. */
async function roles(): Promise<readonly string[]> {
  for (const node of nodes) {
    const answer = await ask(node, 'cluster')
    if (answer?.ok)
      return clusterState.parse(await answer.json()).members.map(({ role, state }) => `${role}:${state}`)
  }
  return []
}

/** Who says so itself, another one than `except`: what is cut off may still be listed as the leader. */
async function leader(except?: Node): Promise<Node | null> {
  const others = nodes.filter(({ name }) => name !== except?.name)
  const asked = others.map(async (node) => ((await ask(node, 'primary'))?.status === 200 ? node : null))
  return (await Promise.all(asked)).find((node) => node !== null) ?? null
}

/** A leader and two synchronous stand-bys: nothing is missing. @returns the leader */
const whole = (): Promise<Node> =>
  untilWithin(READY_MS, 'the cluster to be whole', async () => {
    const found = await roles()
    const standbys = found.filter((each) => /^sync_standby:(running|streaming)$/.test(each))
    return found.includes('leader:running') && standbys.length === 2 ? leader() : null
  })

export type Cluster = Awaited<ReturnType<typeof startCluster>>

/** @param folder an empty one, for data and logs */
export async function startCluster(folder: string, say: (line: string) => void) {
  const version = postgresVersion()
  const password = randomBytes(20).toString('hex')
  const { authority, startEtcd, startPatroni } = await furnish(folder, version, password)
  say(`PostgreSQL ${version} on ${nodes.map(({ address }) => address).join(', ')}; logs in ${folder}`)
  for (const node of nodes) startEtcd(node)
  for (const node of nodes) startPatroni(node)
  await whole()
  const hosts = nodes.map(({ address }) => `${address}:5432`).join()
  const parameters = `target_session_attrs=read-write&sslmode=verify-full&sslrootcert=${authority}`
  let haproxy: ChildProcess | null = null
  return {
    adminUrl: `postgres://postgres:${password}@${hosts}/postgres?${parameters}`,
    parameters,
    hosts,
    leader,
    whole,
    startPatroni,
    /** SIGKILL for Patroni and PostgreSQL; etcd stays. */
    async kill(node: Node): Promise<void> {
      end(await pidsOf(node, ['patroni', 'postgres']))
    },
    /** HAProxy, in front of the three, on this machine. @returns its address */
    startHaproxy(): string {
      const log = openSync(join(folder, 'haproxy.log'), 'a')
      const [DB1 = '', DB2 = '', DB3 = ''] = nodes.map(({ address }) => address)
      const listen = `${HERE}:15432`
      haproxy = spawn('/usr/sbin/haproxy', ['-db', '-f', join(FILES, 'haproxy.cfg')], {
        stdio: ['ignore', log, log],
        env: childEnvironment({ DB1, DB2, DB3, PGLISTEN: listen }),
      })
      haproxy.unref()
      return `postgres://postgres:${password}@${listen}/postgres?sslmode=no-verify`
    },
    async stop(): Promise<void> {
      haproxy?.kill()
      for (const node of nodes) end(await pidsOf(node, ['patroni', 'postgres', 'etcd']))
    },
  }
}

/** The product's database and its owner, made as the runbook says. @returns the address with all hosts */
export async function makeDatabase({ adminUrl, hosts, parameters }: Cluster): Promise<string> {
  const password = randomBytes(20).toString('hex')
  const admin = openClient(adminUrl)
  await admin.connect()
  await admin.query(`CREATE ROLE aval LOGIN CREATEROLE PASSWORD '${password}'`)
  await admin.query('CREATE DATABASE aval OWNER aval')
  await admin.end()
  return `postgres://aval:${password}@${hosts}/aval?${parameters}`
}
