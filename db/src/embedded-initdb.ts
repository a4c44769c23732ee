/** Makes a new cluster. */
import { spawn } from 'node:child_process'
import { chown, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { type Cluster, lastLine, spawnOptions, unavailable, withPaths } from './embedded-cluster.ts'

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

/** Also of earlier starts; one that is still written to stays until the next time. */
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
