/**
 * What each program reads and writes on this machine, held by Node's permission model. Everything else is refused to it:
 * `secrets.json`, `run.json`, the key file, the database's folder, other programs' files and logs, `/proc`.
 *
 * A program that loads native addons can load any file as one, and an addon knows no permissions. So it writes nothing.
 */

import { realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { addressesOf } from '@aval/db/address'
import { root, type StartConfig } from '../core/config.ts'
import type { OpenedSigner } from './environment.ts'
import type { Layout } from './layout.ts'

export type Program =
  | 'api'
  | 'worker'
  | 'pictures'
  | 'gateway'
  | 'signer'
  | 'approvals'
  | 'auditor'
  | 'devnet'

export interface Access {
  readonly read: readonly string[]
  /** Folders that another program fills. Made before this one starts: Node allows what is in a folder where the folder is there. */
  readonly readFolders: readonly string[]
  /** Read as well. A folder is made before the program starts. */
  readonly write: readonly string[]
  /** Native addons: argon2 in the API, sharp where pictures are drawn. */
  readonly addons: boolean
  /** node:sqlite opens files without asking for permission. */
  readonly sqlite: boolean
}

const NOTHING: Access = { read: [], readFolders: [], write: [], addons: false, sqlite: false }

/** Code that every program loads, and what names its packages. */
const SHARED = ['packages', 'db', 'node_modules', 'package.json'].map((name) => join(root, name))

/** Of an entry `apps/<app>/src/…`: the app's folder; of a stand-in of a test: its own folder. */
export const appOf = (entry: string): string =>
  entry.startsWith(join(root, 'apps/'))
    ? join(
        root,
        ...entry
          .slice(root.length + 1)
          .split('/')
          .slice(0, 2),
      )
    : dirname(entry)

/** What every process loads before its own code. */
export const supervisedFile = join(import.meta.dirname, 'supervised.ts')

const SSL_FILES = ['sslrootcert', 'sslcert', 'sslkey']

/** Files that the address of a database names: certificates. */
function filesOf(databaseUrl: string | undefined): string[] {
  const parameters = URL.parse(addressesOf(databaseUrl ?? '')[0] ?? '')?.searchParams
  return SSL_FILES.map((name) => parameters?.get(name) ?? '').filter(
    (path) => path !== '' && path !== 'system',
  )
}

/** The table: what a program has besides code, certificates and its cache. */
export function accessOf(
  program: Program,
  config: StartConfig,
  layout: Layout,
  signer: OpenedSigner | null,
): Access {
  // Where mail is handed to a server, nothing is kept on the disk.
  const outbox = config.server['SMTP_URL'] === undefined ? [join(config.dataDir, 'outbox')] : []
  const programs: Readonly<Record<Program, Partial<Access>>> = {
    // Reads the outbox for `/dev/mail`.
    api: { read: layout.web === null ? [] : [join(layout.web, 'dist')], readFolders: outbox, addons: true },
    worker: { write: outbox },
    // Listens at a socket in a folder that it cannot read: the model does not hold sockets.
    pictures: { addons: true },
    gateway: {},
    // Its page is part of its code.
    approvals: {},
    auditor: {},
    signer: {
      // Its journal is made and forced to the disk, folder and all.
      read: signer === null ? [] : [dirname(signer.keyFile)],
      write:
        signer === null
          ? []
          : [dirname(signer.socket), dirname(config.custody.signer.journal ?? signer.keyFile)],
    },
    devnet: { write: [join(config.dataDir, 'devnet')], sqlite: true },
  }
  const { read = [], ...access } = programs[program]
  const orders = (layout.orders ?? []).map((name) => join(config.dataDir, name))
  return { ...NOTHING, ...access, read: [...read, ...orders] }
}

/** A path as it is given, and where it leads. */
function places(path: string): string[] {
  try {
    return [...new Set([path, realpathSync(path)])]
  } catch {
    return [path]
  }
}

/** Node's arguments for a program that may do this and nothing else. */
export function permissionArguments(
  entry: string,
  access: Access,
  env: Readonly<NodeJS.ProcessEnv>,
): string[] {
  const cache = access.addons || env['NODE_COMPILE_CACHE'] === undefined ? [] : [env['NODE_COMPILE_CACHE']]
  const certificates = [
    ...filesOf(env['DATABASE_URL']),
    ...filesOf(env['DATABASE_REPLICA_URL']),
    env['NODE_EXTRA_CA_CERTS'],
  ].filter((path) => path !== undefined)
  const write = [...access.write, ...cache].flatMap(places)
  const read = [
    ...SHARED,
    supervisedFile,
    appOf(entry),
    ...access.read,
    ...access.readFolders,
    ...certificates,
  ].flatMap(places)
  return [
    '--permission',
    ...[...new Set([...read, ...write])].map((path) => `--allow-fs-read=${path}`),
    ...write.map((path) => `--allow-fs-write=${path}`),
    ...(access.addons ? ['--allow-addons', '--disable-warning=SecurityWarning'] : []),
    ...(access.sqlite ? [] : ['--no-experimental-sqlite']),
  ]
}
