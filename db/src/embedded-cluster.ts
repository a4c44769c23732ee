/** A cluster as its programs are started on it, and what their log says afterwards. */
import type { StdioOptions } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { open, stat } from 'node:fs/promises'
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

// A session of its own: Ctrl-C at the terminal reaches the supervisor alone, which stops the database last.
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
    const telling = lines.filter((line) => /FATAL|PANIC|could not bind|error:/.test(line))
    return (telling.at(0) ?? lines.at(-1) ?? '').replace(/^.*?(FATAL|PANIC|LOG|error): +/, '')
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
