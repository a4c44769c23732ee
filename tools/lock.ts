/**
 * `npm run lock`: completes package-lock.json with the optional packages of other platforms.
 *
 * npm leaves them out when it locks from a tree that is already installed or from a registry that does not carry them,
 * and `npm ci` then refuses the lock on every machine. The versions are the exact ones their parents ask for.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'

const entry = z.object({
  dev: z.boolean().optional(),
  optionalDependencies: z.record(z.string(), z.string()).optional(),
})
const lockFile = z.object({ packages: z.record(z.string(), entry) })

const untouched = z.record(z.string(), z.unknown())

type Entry = z.infer<typeof entry>
type Platform = { os?: string[]; cpu?: string[]; libc?: string[] }

const systems: Record<string, string> = { windows: 'win32' }
const knownSystems = [
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
]
const knownCpus = [
  'arm64',
  'x64',
  'ia32',
  'arm',
  'ppc64',
  'riscv64',
  's390x',
  'loong64',
  'mips64el',
  'wasm32',
]

export function readLock(text: string): Record<string, Entry> {
  return lockFile.parse(JSON.parse(text)).packages
}

/** The packages some entry names as optional and no folder on its path holds. */
export function missingOptional(
  packages: Record<string, Entry>,
): { name: string; version: string; dev: boolean }[] {
  return Object.entries(packages).flatMap(([path, { optionalDependencies = {}, dev = false }]) =>
    Object.entries(optionalDependencies)
      .filter(([name]) => !isFound(packages, path, name))
      .map(([name, version]) => ({ name, version, dev })),
  )
}

function isFound(packages: Record<string, Entry>, from: string, name: string): boolean {
  for (let base = from; ; ) {
    if (packages[`${base === '' ? '' : `${base}/`}node_modules/${name}`]) return true
    if (base === '') return false
    base = base.slice(0, Math.max(0, base.lastIndexOf('/node_modules/')))
  }
}

/** Reads `linux-arm64-musl` and its like out of a package's name. */
export function platformOf(name: string): Platform {
  const words = name.slice(name.indexOf('/') + 1).split('-')
  const os = words.map((word) => systems[word] ?? word).filter((word) => knownSystems.includes(word))
  const cpu = words.filter((word) => knownCpus.includes(word))
  const libc = words.some((word) => word.startsWith('musl'))
    ? ['musl']
    : words.some((word) => word.startsWith('gnu'))
      ? ['glibc']
      : []
  return { ...(os.length && { os }), ...(cpu.length && { cpu }), ...(libc.length && { libc }) }
}

function complete(file: string): number {
  const text = readFileSync(file, 'utf8')
  const missing = missingOptional(readLock(text))
  const lock = untouched.parse(JSON.parse(text)) // in npm's own order, so that the difference stays small
  const packages = untouched.parse(lock['packages'])
  for (const { name, version, dev } of missing) {
    const { os, cpu, libc } = platformOf(name)
    if (!os && !cpu) throw new Error(`${name}: cannot tell its platform by its name`)
    if (!/^\d+\.\d+\.\d+/.test(version)) throw new Error(`${name}: ${version} is no exact version`)
    packages[`node_modules/${name}`] = { version, cpu, ...(dev && { dev }), libc, optional: true, os }
  }
  const sorted = Object.entries(packages).sort(([a], [b]) => a.localeCompare(b, 'en'))
  const completed = { ...lock, packages: Object.fromEntries(sorted) }
  if (missing.length > 0) writeFileSync(file, `${JSON.stringify(completed, null, 2)}\n`)
  return missing.length
}

if (import.meta.main) {
  const added = complete(fileURLToPath(new URL('../package-lock.json', import.meta.url)))
  console.log(
    added === 0 ? 'package-lock.json is complete' : `package-lock.json: ${added} platform packages added`,
  )
}
