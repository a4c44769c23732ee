/** Runs the test programs and counts what they found. */
import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { childEnvironment, root } from './config.ts'

export interface Tally {
  readonly passed: number
  readonly failed: number
}

export function sum(...tallies: readonly Tally[]): Tally {
  return tallies.reduce((a, b) => ({ passed: a.passed + b.passed, failed: a.failed + b.failed }), {
    passed: 0,
    failed: 0,
  })
}

/** Prints the last line, and gives the verdict to the shell: nothing tested is a failure. */
export function conclude({ passed, failed }: Tally): void {
  process.exitCode = failed === 0 && passed > 0 ? 0 : 1
  console.log(`${passed} passed, ${failed} failed`)
}

const vitestReport = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  testResults: z.array(z.object({ status: z.string(), assertionResults: z.array(z.unknown()) })),
})

/** All projects, or what the arguments narrow it to. A file that cannot be loaded counts as one failure. */
export async function runVitest(
  args: readonly string[],
  env: Record<string, string | undefined> = {},
): Promise<Tally> {
  const { code, report } = await runReported(
    'vitest',
    ['run', '--reporter=default', '--reporter=json', ...args],
    (file) => ({
      args: [`--outputFile.json=${file}`],
      env,
    }),
  )
  const parsed = vitestReport.safeParse(report)
  if (!parsed.success) return { passed: 0, failed: 1 }
  const { numPassedTests: passed, numFailedTests, testResults } = parsed.data
  const unloadable = testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  )
  return agree({ passed, failed: numFailedTests + unloadable.length }, code)
}

const playwrightReport = z.object({
  stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number() }),
})

export function hasJourneys(): boolean {
  return globSync('e2e/**/*.e2e.ts', { cwd: root }).length > 0
}

export async function runPlaywright(env: Record<string, string | undefined>): Promise<Tally> {
  const { code, report } = await runReported('playwright', ['test', '--reporter=list,json'], (file) => ({
    args: [],
    env: { ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: file },
  }))
  const parsed = playwrightReport.safeParse(report)
  if (!parsed.success) return { passed: 0, failed: 1 }
  const { expected, unexpected, flaky } = parsed.data.stats
  return agree({ passed: expected, failed: unexpected + flaky }, code)
}

/** A program that ended badly although every test passed found something outside of the tests. */
function agree(tally: Tally, code: number | null): Tally {
  return code !== 0 && tally.failed === 0 ? { ...tally, failed: 1 } : tally
}

/** The tests start some hundred processes of ours. */
const compiled = join(root, 'node_modules/.cache/compiled')

async function runReported(
  program: string,
  args: readonly string[],
  place: (file: string) => { args: readonly string[]; env: Record<string, string | undefined> },
): Promise<{ code: number | null; report: unknown }> {
  const folder = await mkdtemp(join(tmpdir(), 'aval-tests-'))
  const file = join(folder, 'report.json')
  const { args: more, env } = place(file)
  try {
    const child = spawn(process.execPath, [join(root, 'node_modules/.bin', program), ...args, ...more], {
      cwd: root,
      env: childEnvironment({ NODE_COMPILE_CACHE: compiled, ...env }),
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject).once('close', resolve)
    })
    return { code, report: JSON.parse(await readFile(file, 'utf8').catch(() => 'null')) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
