/** The checks that are programs of others: each a command in a folder, judged by its exit code. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { childEnvironment, root } from '../core/config.ts'

export interface Verdict {
  readonly name: string
  readonly passed: boolean
  /** What the program said. */
  readonly output: string
  readonly seconds: number
}

export interface MachineCheck {
  readonly name: string
  /** Program below node_modules/.bin, and its arguments. */
  readonly command: readonly [string, ...string[]]
  /** Whether the folder has anything to check. */
  readonly applies?: (folder: string) => boolean
}

/** Ends what hangs. */
const limitMs = 900_000

/** Folders whose imports are checked; those that do not exist yet are left out. */
const sourceFolders = ['packages', 'db', 'apps', 'tools', 'bench', 'simulation', 'e2e']

export const format: MachineCheck = {
  name: 'format and lint',
  command: ['biome', 'check', '--error-on-warnings', '--max-diagnostics=40', '.'],
}

export const types: MachineCheck = { name: 'types', command: ['tsc', '--noEmit', '-p', '.'] }

export const webTypes: MachineCheck = {
  name: 'types of the web app',
  command: ['tsc', '--noEmit', '-p', 'apps/web'],
  applies: (folder) => existsSync(join(folder, 'apps/web/tsconfig.json')),
}

export const folders: MachineCheck = {
  name: 'no circles of folders',
  command: [
    'depcruise',
    '--config',
    '.dependency-cruiser.folders.cjs',
    '--output-type',
    'err-long',
    ...sourceFolders,
  ],
}

export const imports: MachineCheck = {
  name: 'import rules',
  command: [
    'depcruise',
    '--config',
    '.dependency-cruiser.cjs',
    '--output-type',
    'err-long',
    ...sourceFolders,
  ],
}

export const deadCode: MachineCheck = {
  name: 'dead code',
  command: ['knip', '--no-config-hints', '--no-progress'],
}

export const sizes: MachineCheck = {
  name: 'size of the first pages',
  command: ['size-limit'],
  applies: (folder) => existsSync(join(folder, 'apps/web/dist/.vite/arrivals.json')),
}

export async function runMachineCheck(check: MachineCheck, folder = root): Promise<Verdict> {
  const started = Date.now()
  const { code, output } = await run(check.command, folder)
  const seconds = (Date.now() - started) / 1000
  return { name: check.name, passed: code === 0, output: withoutNoise(output), seconds }
}

function run([program, ...args]: readonly [string, ...string[]], folder: string) {
  const existing = args.filter((arg) => !sourceFolders.includes(arg) || existsSync(join(folder, arg)))
  const child = spawn(process.execPath, [join(root, 'node_modules/.bin', program), ...existing], {
    cwd: folder,
    env: childEnvironment({ FORCE_COLOR: undefined, NO_COLOR: '1', CI: '1' }),
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: limitMs,
  })
  let output = ''
  const keep = (part: Buffer) => {
    output += part.toString('utf8')
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  return new Promise<{ code: number | null; output: string }>((resolve, reject) => {
    child.once('error', reject).once('close', (code) => resolve({ code, output }))
  })
}

/** dependency-cruiser reads TypeScript by swc here and still regrets the missing compiler. */
function withoutNoise(output: string): string {
  return (output.split('‼ missing-tsc-transpiler')[0] ?? '').trim()
}
