/** A cluster (PostgreSQL's data folder): how its programs are started on it, how it is made, and what its log says. */
import { type StdioOptions, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { chown, mkdtemp, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { type Account, type Binaries, EmbeddedError } from './embedded-account.ts'

export type Cluster = {
  readonly dir: string
  readonly log: string
  readonly account: Account
  readonly binaries: Binaries
}

/**
 * Runs with `paths` as the account sees them. As root on Linux they are passed as open descriptors, which the other
 * account may use although the folders above are closed to it.
 */
export async function withPaths<T>(
  { account, log }: Cluster,
  paths: readonly string[],
  use: (seen: readonly string[], stdio: StdioOptions) => Promise<T>,
): Promise<T> {
  const byDescriptor = account !== null && process.platform === 'linux'
  const output = openSync(log, 'a', 0o600)
  const opened = byDescriptor ? paths.map((path) => openSync(path, 'r')) : []
  try {
    const seen = byDescriptor ? paths.map((_, index) => `/proc/self/fd/${index + 3}`) : paths
    return await use(seen, ['ignore', output, output, ...opened])
  } finally {
    for (const descriptor of [output, ...opened]) closeSync(descriptor)
  }
}

// A session of its own: Ctrl-C at the terminal reaches only the supervisor, which stops the database last.
export const spawnOptions = ({ account }: Cluster) => ({
  ...account,
  cwd: '/',
  detached: true,
  env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
})

export const size = (file: string) =>
  stat(file).then(
    (info) => info.size,
    () => 0,
  )

/** The last FATAL or ERROR the server wrote after that byte, else its last line. */
export async function lastLine(log: string, from: number): Promise<string> {
  const file = await open(log, 'r').catch(() => null)
  if (!file) return 'no log'
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(65_536), 0, 65_536, from)
    const lines = buffer.toString('utf8', 0, bytesRead).trim().split('\n')
    const errors = lines.filter((line) => /FATAL|PANIC|could not bind|error:/.test(line))
    return (errors.at(0) ?? lines.at(-1) ?? '').replace(/^.*?(FATAL|PANIC|LOG|error): +/, '')
  } finally {
    await file.close()
  }
}

export function unavailable({ log }: Cluster, reason: string): EmbeddedError {
  return new EmbeddedError(
    'database_unavailable',
    `The embedded database did not start: ${reason} (see ${log})`,
  )
}

/** The role that owns the database; in an embedded cluster also its superuser. */
export const owner = 'aval_owner'

/** Orders by code point on every machine, and needs no locale of the system. */
const builtinLocale = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C']

/**
 * Makes the cluster in a folder beside, so that one cut off half-way is never taken for a whole one. The folder has a
 * name of its own each time: the `initdb` of a killed start may still be writing into the last one.
 */
export async function initialise(cluster: Cluster, password: string): Promise<void> {
  const draft = await mkdtemp(`${cluster.dir}.new-`)
  const passwordFile = `${draft}.password`
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 })
  if (cluster.account) {
    for (const path of [draft, passwordFile]) await chown(path, cluster.account.uid, cluster.account.gid)
  }
  const auth = ['--auth=scram-sha-256', `--username=${owner}`]
  const locale = ['--encoding=UTF8', ...(cluster.binaries.major >= 17 ? builtinLocale : ['--locale=C.UTF-8'])]
  try {
    await runInitdb(cluster, [draft, passwordFile], ([folder, secret]) => [
      ...[`--pgdata=${folder}`, `--pwfile=${secret}`, '--data-checksums', '--no-sync', '--no-instructions'],
      ...auth,
      ...locale,
    ])
    // One pass over the finished files is far cheaper than forcing each while it is being made.
    await runInitdb(cluster, [draft], ([folder]) => [`--pgdata=${folder}`, '--sync-only'])
    await rm(cluster.dir, { recursive: true, force: true })
    await rename(draft, cluster.dir)
  } finally {
    await rm(passwordFile, { force: true })
    await removeDrafts(cluster.dir)
  }
}

/** Also those of earlier starts; one that is still written to stays until the next time. */
export async function removeDrafts(dir: string): Promise<void> {
  const names = (await readdir(dirname(dir))).filter((name) => name.startsWith(`${basename(dir)}.new`))
  for (const name of names) {
    await rm(join(dirname(dir), name), { recursive: true, force: true }).catch(() => undefined)
  }
}

async function runInitdb(
  cluster: Cluster,
  paths: readonly string[],
  toArguments: (seen: readonly string[]) => string[],
): Promise<void> {
  const code = await withPaths(cluster, paths, async (seen, stdio) => {
    const child = spawn(cluster.binaries.initdb, toArguments(seen), { ...spawnOptions(cluster), stdio })
    return new Promise<number | null>((resolve, reject) => child.once('error', reject).once('exit', resolve))
  })
  if (code !== 0) throw unavailable(cluster, `initdb ended with ${code}: ${await lastLine(cluster.log, 0)}`)
}
