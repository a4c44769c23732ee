/** Runs the test programs, counts what they found, and lists the tests that ran. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { setPriority, tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { createInterface } from 'node:readline'
import { stripVTControlCharacters } from 'node:util'
import { z } from 'zod'
import { childEnvironment, root } from './core/config.ts'

export interface Tally {
  readonly passed: number
  readonly failed: number
  /** What failed, and the beginning of why. It can name fewer than failed. */
  readonly failures: readonly string[]
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
  return {
    passed: tallies.reduce((all, { passed }) => all + passed, 0),
    failed: tallies.reduce((all, { failed }) => all + failed, 0),
    failures: tallies.flatMap(({ failures }) => failures),
  }
}

/** Prints what failed, then the last line, and sets the exit code. A run in which nothing was tested is a failure. */
export function conclude({ passed, failed, failures }: Tally): void {
  process.exitCode = failed === 0 && passed > 0 ? 0 : 1
  // Two kinds of test write at once, so what one said of a failure can stand thousands of lines further up.
  for (const failure of failures) console.log(`FAILED ${failure}`)
  console.log(`${passed} passed, ${failed} failed`)
}

const WHY_LINES = 20

/** A line that names it, then the beginning of what was said of it. */
export function failureOf(name: string, said: string): string {
  const lines = stripVTControlCharacters(said)
    .split('\n')
    .filter((line) => line.trim() !== '')
  return [name, ...lines.slice(0, WHY_LINES).map((line) => `    ${line}`)].join('\n')
}

/** For a program that ended before it could be read. */
export function failedWhole(name: string, said: string): Outcome {
  return { passed: 0, failed: 1, failures: [failureOf(name, said)], executed: [] }
}

const vitestReport = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string(),
      assertionResults: z.array(
        z.object({
          ancestorTitles: z.array(z.string()),
          title: z.string(),
          status: z.string(),
          failureMessages: z.array(z.string()).nullish(),
        }),
      ),
    }),
  ),
})

export interface VitestRun {
  readonly env?: Record<string, string | undefined>
  /** Leaves the processor to what else runs. */
  readonly yields?: boolean
}

/** Projects of Vitest and of Playwright, as their configurations name them. */
export type Part = 'short' | 'long'
const PROJECTS = {
  vitest: { short: ['unit', 'web', 'components', 'database'], long: ['long proof'] },
  playwright: { short: ['shared', 'members'], long: ['more shared', 'more own', 'more members'] },
} as const

/** The arguments that narrow a run to a part. */
export const only = (program: keyof typeof PROJECTS, part: Part): string[] =>
  PROJECTS[program][part].flatMap((name) => ['--project', name])

/** All projects, or what the arguments narrow them to. A file that cannot be loaded counts as one failure. */
export async function runVitest(args: readonly string[], run: VitestRun = {}): Promise<Outcome> {
  const { report, ...ended } = await runReported(
    'vitest',
    ['run', '--reporter=default', '--reporter=json', ...args],
    (file) => ({ args: [`--outputFile.json=${file}`], env: run.env ?? {} }),
    run.yields,
  )
  const parsed = vitestReport.safeParse(report)
  if (!parsed.success) return failedWhole('vitest', 'it left no report')
  const { numPassedTests: passed, numFailedTests, testResults } = parsed.data
  const unloadable = testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  )
  const tests = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ ancestorTitles, title, status, failureMessages }) => ({
      file: relative(root, name),
      title: [...ancestorTitles, title].join(' › '),
      status,
      said: failureMessages?.join('\n') ?? '',
    })),
  )
  const failures = [
    ...unloadable.map(({ name, message }) => failureOf(relative(root, name), message)),
    ...tests
      .filter(({ status }) => status === 'failed')
      .map(({ file, title, said }) => failureOf(`${file} › ${title}`, said)),
  ]
  const executed = tests
    .filter(({ status }) => status === 'passed')
    .map(({ file, title }) => ({ file, title }))
  return agree('vitest', { passed, failed: numFailedTests + unloadable.length, failures, executed }, ended)
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
      tests: z.array(
        z.object({
          results: z.array(
            z.object({
              steps: z.array(step).optional(),
              errors: z.array(z.object({ message: z.string().optional() })).optional(),
              attachments: z.array(z.object({ name: z.string(), path: z.string().optional() })).optional(),
            }),
          ),
        }),
      ),
    }),
  ),
  get suites() {
    return z.array(suite).optional()
  },
})
type Results = z.infer<typeof suite>['specs'][number]['tests'][number]['results']
interface Spec {
  readonly file: string
  readonly titles: readonly string[]
  readonly ok: boolean
  readonly results: Results
}
const playwrightReport = z.object({
  config: z.object({ rootDir: z.string() }),
  suites: z.array(suite),
  errors: z.array(z.object({ message: z.string().optional() })).optional(),
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
  const { report, ...ended } = await runReported('playwright', ['test', '--reporter=list,json'], (file) => ({
    args,
    env: { ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: file },
  }))
  const parsed = playwrightReport.safeParse(report)
  if (!parsed.success) return failedWhole('playwright', 'it left no report')
  const { config, suites, stats, errors = [] } = parsed.data
  const specs = suites.flatMap((file) => specsIn(file, config.rootDir, []))
  const failures = [
    ...errors.map(({ message = '' }) => failureOf('playwright', message)),
    ...(await Promise.all(specs.filter(({ ok }) => !ok).map(failureOfJourney))),
  ]
  const executed = specs
    .filter(({ ok }) => ok)
    .flatMap(({ file, titles, results }) =>
      [titles, ...stepTitles(results.at(-1)?.steps ?? [], titles)].map((all) => ({
        file,
        title: all.join(' › '),
      })),
    )
  const { expected: passed, unexpected, flaky } = stats
  return agree('playwright', { passed, failed: unexpected + flaky, failures, executed }, ended)
}

/** @param above titles of the groups around this one; the outermost is the file, which is no part of a title */
function specsIn(of: z.infer<typeof suite>, folder: string, above: readonly string[]): Spec[] {
  const own = of.specs.map(({ title, file, ok, tests }) => ({
    file: relative(root, join(folder, file)),
    titles: [...above, title],
    ok,
    results: tests.flatMap(({ results }) => results),
  }))
  return [...own, ...(of.suites ?? []).flatMap((inner) => specsIn(inner, folder, [...above, inner.title]))]
}

async function failureOfJourney({ file, titles, results }: Spec): Promise<string> {
  const said = results.flatMap(({ errors = [] }) => errors.map(({ message = '' }) => message))
  const failure = failureOf(`${file} › ${titles.join(' › ')}`, said.join('\n'))
  const shown = await shownBy(results)
  return shown.length === 0 ? failure : [failure, '    The page showed:', ...shown].join('\n')
}

const SHOWN_LINES = 120

/** What the page showed when a journey failed, as Playwright wrote it down: what its parts are and say. */
async function shownBy(results: Results): Promise<readonly string[]> {
  const path = results
    .flatMap(({ attachments = [] }) => attachments)
    .find(({ name }) => name === 'error-context')?.path
  const context = path === undefined ? '' : await readFile(path, 'utf8').catch(() => '')
  const [, page = ''] = /^```yaml\n(.*?)^```/ms.exec(context) ?? []
  return page
    .split('\n')
    .map((line) => line.replaceAll(/ \[(?:ref|cursor)=[^\]]*\]/g, ''))
    .filter(
      (line) => line.trim() !== '' && !line.includes('/url:') && !/- (?:generic|list|listitem):?$/.test(line),
    )
    .slice(0, SHOWN_LINES)
    .map((line) => `      ${line}`)
}

function stepTitles(steps: readonly z.infer<typeof step>[], above: readonly string[]): string[][] {
  return steps.flatMap(({ title, steps: inner = [] }) => {
    const here = [...above, title]
    return [here, ...stepTitles(inner, here)]
  })
}

interface Ended {
  readonly code: number | null
  /** What it printed about errors that no test caught. */
  readonly uncaught: string
}

/** A program that ended badly although every test passed found something outside of the tests. */
function agree(program: string, outcome: Outcome, { code, uncaught }: Ended): Outcome {
  if (code === 0 || outcome.failed > 0) return outcome
  const failure = failureOf(`${program} ended with ${code}, although every test passed`, uncaught)
  return { ...outcome, failed: 1, failures: [...outcome.failures, failure] }
}

/** The tests start some hundred processes of ours. */
const compiled = join(root, 'node_modules/.cache/compiled')
/** Of 19: the journeys come first, and what else keeps the machine busy does not starve the tests. At 10 four loops did. */
const YIELDING_NICENESS = 5
/** Under which Vitest prints what no test caught. */
const UNCAUGHT_HEADING = 'Unhandled Errors'

async function runReported(
  program: string,
  args: readonly string[],
  place: (file: string) => { args: readonly string[]; env: Record<string, string | undefined> },
  yields = false,
): Promise<Ended & { report: unknown }> {
  const folder = await mkdtemp(join(tmpdir(), 'aval-tests-'))
  const file = join(folder, 'report.json')
  const { args: more, env } = place(file)
  try {
    const child = spawn(process.execPath, [join(root, 'node_modules/.bin', program), ...args, ...more], {
      cwd: root,
      env: childEnvironment({ NODE_COMPILE_CACHE: compiled, ...env }),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const uncaught: string[] = []
    // Two programs write at once: a line stays whole.
    createInterface({ input: child.stdout }).on('line', (line) => console.log(line))
    createInterface({ input: child.stderr }).on('line', (line) => {
      console.log(line)
      if (uncaught.length > 0 || line.includes(UNCAUGHT_HEADING)) uncaught.push(line)
    })
    if (yields && child.pid !== undefined) setPriority(child.pid, YIELDING_NICENESS)
    const [code] = await once(child, 'close')
    const report = JSON.parse(await readFile(file, 'utf8').catch(() => 'null'))
    return { code, uncaught: uncaught.join('\n'), report }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
