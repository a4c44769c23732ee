/** `npm run check`: the fast part of `npm test`, programs of others that need no product and no database, judged by their exit code. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { childEnvironment, root } from './core/config.ts'
import { lineOf } from './core/refusal.ts'
import { continueWithOwnNode } from './runtime.ts'
import { ensureWebBuild } from './supervisor/web-build.ts'
import { conclude, failureOf, type Tally } from './tests.ts'

export interface Verdict {
  readonly name: string
  readonly passed: boolean
  /** What the program said. */
  readonly output: string
}

export interface Check {
  readonly name: string
  /** Program below node_modules/.bin, and its arguments. */
  readonly command: readonly [string, ...string[]]
}

/** Ends what hangs. */
const limitMs = 900_000

/** Folders whose imports are checked; those that a small project does not have are left out. */
const sourceFolders = ['packages', 'db', 'apps', 'tools', 'bench', 'simulation', 'e2e']

const cruise = (name: string, config: string): Check => ({
  name,
  command: ['depcruise', '--config', config, '--output-type', 'err-long', ...sourceFolders],
})

export const types: Check = { name: 'types', command: ['tsc', '--noEmit', '--singleThreaded', '-p', '.'] }
export const format: Check = {
  name: 'format and lint',
  command: ['biome', 'check', '--error-on-warnings', '--max-diagnostics=40', '.'],
}
export const imports = cruise('import rules', '.dependency-cruiser.cjs')
export const folders = cruise('no circles of folders', '.dependency-cruiser.folders.cjs')
export const deadCode: Check = { name: 'dead code', command: ['knip', '--no-config-hints', '--no-progress'] }
export const sizes: Check = { name: 'size of the first pages', command: ['size-limit'] }
const houseRules: Check = {
  name: 'house rules',
  command: ['vitest', 'run', '--project', 'unit', '--reporter', 'dot', 'tools/house-rules'],
}

const all: readonly Check[] = [
  types,
  { name: 'types of the web app', command: ['tsc', '--noEmit', '--singleThreaded', '-p', 'apps/web'] },
  {
    name: 'types of the approvals page',
    command: ['tsc', '--noEmit', '--singleThreaded', '-p', 'apps/approvals'],
  },
  format,
  imports,
  folders,
  deadCode,
  houseRules,
  sizes,
]

export async function runCheck({ name, command }: Check, folder = root): Promise<Verdict> {
  const [program, ...args] = command
  const existing = args.filter((arg) => !sourceFolders.includes(arg) || existsSync(join(folder, arg)))
  const child = spawn(process.execPath, [join(root, 'node_modules/.bin', program), ...existing], {
    cwd: folder,
    // The compiler of types is a Go program: it collects its garbage less often.
    env: childEnvironment({ FORCE_COLOR: undefined, NO_COLOR: '1', CI: '1', GOGC: '400' }),
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: limitMs,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => {
      output += part.toString('utf8')
    })
  const [code] = await once(child, 'close')
  // dependency-cruiser reads TypeScript by swc here and still regrets the missing compiler.
  const [said = ''] = output.split('‼ missing-tsc-transpiler')
  return { name, passed: code === 0, output: said.trim() }
}

/** Runs the checks, a few at a time, and prints a line for each. `npm test` runs the house rules with its tests. */
export async function runChecks(options: { withHouseRules: boolean }): Promise<Tally> {
  const waiting = all.filter((check) => options.withHouseRules || check !== houseRules)
  const verdicts: Verdict[] = []
  const work = async () => {
    for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
      const started = Date.now()
      const verdict = await judge(check)
      verdicts.push(verdict)
      const seconds = ((Date.now() - started) / 1000).toFixed(1)
      console.log(`${verdict.passed ? '✓' : '✗'} ${verdict.name} (${seconds} s)`)
      if (!verdict.passed) console.log(verdict.output.replace(/^/gm, '    '))
    }
  }
  await Promise.all(Array.from({ length: Math.max(1, Math.min(3, availableParallelism())) }, work))
  const failed = verdicts.filter(({ passed }) => !passed)
  return {
    passed: verdicts.length - failed.length,
    failed: failed.length,
    failures: failed.map(({ name, output }) => failureOf(name, output)),
  }
}

async function judge(check: Check): Promise<Verdict> {
  try {
    if (check === sizes) await ensureWebBuild()
    return await runCheck(check)
  } catch (error) {
    return { name: check.name, passed: false, output: lineOf(error) }
  }
}

if (import.meta.main) {
  continueWithOwnNode()
  conclude(await runChecks({ withHouseRules: true }))
}
