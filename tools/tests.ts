/** Runs the test programs, counts what they found, and lists the tests that ran. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { setPriority, tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { childEnvironment, root } from './core/config.ts'

export interface Tally {
  readonly passed: number
  readonly failed: number
}

/** A test that passed, or a step of one. */
export interface Executed {
  /** From the project's folder. */
  readonly file: string
  /** With the groups it stands in: `group › test › step`. */
  readonly title: string
}

export interface Outcome extends Tally {
  readonly executed: readonly Executed[]
}

export function sum(...tallies: readonly Tally[]): Tally {
  return tallies.reduce((a, b) => ({ passed: a.passed + b.passed, failed: a.failed + b.failed }), {
    passed: 0,
    failed: 0,
  })
}

/** Prints the last line and sets the exit code. A run in which nothing was tested is a failure. */
export function conclude({ passed, failed }: Tally): void {
  process.exitCode = failed === 0 && passed > 0 ? 0 : 1
  console.log(`${passed} passed, ${failed} failed`)
}

const nothing: Outcome = { passed: 0, failed: 1, executed: [] }

const vitestReport = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      assertionResults: z.array(
        z.object({ ancestorTitles: z.array(z.string()), title: z.string(), status: z.string() }),
      ),
    }),
  ),
})

export interface VitestRun {
  readonly env?: Record<string, string | undefined>
  /** Leaves the processor to what runs beside it. */
  readonly yields?: boolean
}

/** All projects, or what the arguments narrow them to. A file that cannot be loaded counts as one failure. */
export async function runVitest(args: readonly string[], run: VitestRun = {}): Promise<Outcome> {
  const { code, report } = await runReported(
    'vitest',
    ['run', '--reporter=default', '--reporter=json', ...args],
    (file) => ({ args: [`--outputFile.json=${file}`], env: run.env ?? {} }),
    run.yields,
  )
  const parsed = vitestReport.safeParse(report)
  if (!parsed.success) return nothing
  const { numPassedTests: passed, numFailedTests, testResults } = parsed.data
  const unloadable = testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  )
  const executed = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'passed')
      .map(({ ancestorTitles, title }) => ({
        file: relative(root, name),
        title: [...ancestorTitles, title].join(' › '),
      })),
  )
  return agree({ passed, failed: numFailedTests + unloadable.length, executed }, code)
}

const step = z.object({
  title: z.string(),
  get steps() {
    return z.array(step).optional()
  },
})
const suite = z.object({
  title: z.string(),
  specs: z.array(
    z.object({
      title: z.string(),
      file: z.string(),
      ok: z.boolean(),
      tests: z.array(z.object({ results: z.array(z.object({ steps: z.array(step).optional() })) })),
    }),
  ),
  get suites() {
    return z.array(suite).optional()
  },
})
const playwrightReport = z.object({
  config: z.object({ rootDir: z.string() }),
  suites: z.array(suite),
  stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number() }),
})

export function hasJourneys(): boolean {
  return globSync('e2e/**/*.e2e.ts', { cwd: root }).length > 0
}

/** All journeys, or those that the arguments name. */
export async function runPlaywright(
  args: readonly string[],
  env: Record<string, string | undefined>,
): Promise<Outcome> {
  const { code, report } = await runReported('playwright', ['test', '--reporter=list,json'], (file) => ({
    args,
    env: { ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: file },
  }))
  const parsed = playwrightReport.safeParse(report)
  if (!parsed.success) return nothing
  const { config, suites, stats } = parsed.data
  const executed = suites.flatMap((file) => passedIn(file, config.rootDir, []))
  return agree({ passed: stats.expected, failed: stats.unexpected + stats.flaky, executed }, code)
}

/** @param above titles of the groups around this one; the outermost is the file, which is no part of a title */
function passedIn(of: z.infer<typeof suite>, folder: string, above: readonly string[]): Executed[] {
  const own = of.specs
    .filter(({ ok }) => ok)
    .flatMap(({ title, file, tests }) => {
      const here = [...above, title]
      const steps = tests.flatMap(({ results }) => stepTitles(results.at(-1)?.steps ?? [], here))
      return [here, ...steps].map((titles) => ({
        file: relative(root, join(folder, file)),
        title: titles.join(' › '),
      }))
    })
  return [...own, ...(of.suites ?? []).flatMap((inner) => passedIn(inner, folder, [...above, inner.title]))]
}

function stepTitles(steps: readonly z.infer<typeof step>[], above: readonly string[]): string[][] {
  return steps.flatMap(({ title, steps: inner = [] }) => {
    const here = [...above, title]
    return [here, ...stepTitles(inner, here)]
  })
}

/** A program that ended badly although every test passed found something outside of the tests. */
function agree(outcome: Outcome, code: number | null): Outcome {
  return code !== 0 && outcome.failed === 0 ? { ...outcome, failed: 1 } : outcome
}

/** The tests start some hundred processes of ours. */
const compiled = join(root, 'node_modules/.cache/compiled')
/** Of 19: enough for what runs beside it to come first. */
const YIELDING = 10

async function runReported(
  program: string,
  args: readonly string[],
  place: (file: string) => { args: readonly string[]; env: Record<string, string | undefined> },
  yields = false,
): Promise<{ code: number | null; report: unknown }> {
  const folder = await mkdtemp(join(tmpdir(), 'aval-tests-'))
  const file = join(folder, 'report.json')
  const { args: more, env } = place(file)
  try {
    const child = spawn(process.execPath, [join(root, 'node_modules/.bin', program), ...args, ...more], {
      cwd: root,
      env: childEnvironment({ NODE_COMPILE_CACHE: compiled, ...env }),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    // Two programs write at once: a line stays whole.
    for (const stream of [child.stdout, child.stderr])
      createInterface({ input: stream }).on('line', (line) => console.log(line))
    if (yields && child.pid !== undefined) setPriority(child.pid, YIELDING)
    const [code] = await once(child, 'close')
    return { code, report: JSON.parse(await readFile(file, 'utf8').catch(() => 'null')) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
