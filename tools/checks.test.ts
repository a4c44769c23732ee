/** Every check is shown a planted fault: a check that cannot fail checks nothing. */
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  deadCode,
  format,
  imports,
  type MachineCheck,
  runMachineCheck,
  sizes,
  types,
} from './checks/machine.ts'
import { houseRules } from './checks/rules.ts'
import { type Fixture, lines, makeFixture } from './checks/testing/fixture.ts'
import { root } from './config.ts'
import { routeFiles } from './web-route.ts'

let fixture: Fixture

beforeEach(() => {
  fixture = makeFixture()
})

afterEach(() => fixture.remove())

async function outcome(check: MachineCheck): Promise<string> {
  const { passed, output } = await runMachineCheck(check, fixture.folder)
  return passed ? 'passed' : output
}

test.each([format, types, imports, deadCode])('$name: passes on a sound project', async (check) => {
  expect(await outcome(check)).toBe('passed')
})

test.each([
  ['bad layout', 'export const a = "double";\n', 'format'],
  ['an any', 'export const a: any = 1\n', 'noExplicitAny'],
  ['a non-null assertion', 'export const a = (b: string | null) => b!.length\n', 'noNonNullAssertion'],
  ['a default export', 'export default 1\n', 'noDefaultExport'],
  ['an unused variable', 'const a = 1\n', 'noUnusedVariables'],
  ['a console', "console.log('hello')\n", 'noConsole'],
])('format and lint: finds %s', async (_, text, rule) => {
  fixture.write('apps/server/src/fault.ts', text)
  const said = await outcome(format)
  expect(said).toContain('apps/server/src/fault.ts')
  expect(said).toContain(rule)
})

test.each([
  ['a wrong type', 'export const a: string = 1\n'],
  ['an unchecked index', 'export const a = (b: string[]): string => b[0]\n'],
  ['syntax that cannot be stripped', 'export enum A {\n  b,\n}\n'],
])('types: finds %s', async (_, text) => {
  fixture.write('apps/server/src/fault.ts', text)
  expect(await outcome(types)).toContain('apps/server/src/fault.ts')
})

const features = 'apps/server/src/features'

test.each([
  ['money-needs-nothing', 'packages/money/src/fault.ts', "import { share } from '@aval/plan'"],
  ['packages-never-import-apps', 'packages/plan/src/fault.ts', "import '../../../apps/server/src/main.ts'"],
  ['rules-are-pure', `${features}/plans/fault.rules.ts`, "import { readFile } from 'node:fs/promises'"],
  ['rules-are-pure', `${features}/plans/fault.rules.ts`, "import { stored } from './plans.sql.ts'"],
  [
    'routes-and-jobs-run-commands',
    `${features}/plans/fault.routes.ts`,
    "import { stored } from './plans.sql.ts'",
  ],
  [
    'commands-know-no-http',
    `${features}/plans/fault.commands.ts`,
    "import { route } from './plans.routes.ts'",
  ],
  [
    'sql-is-its-features-own',
    `${features}/other/fault.commands.ts`,
    "import { stored } from '../plans/plans.sql.ts'",
  ],
  [
    'sql-knows-the-database-only',
    `${features}/plans/fault.sql.ts`,
    "import { command } from './plans.commands.ts'",
  ],
  ['apps-never-import-each-other', 'apps/gateway/src/fault.ts', "import '../../server/src/main.ts'"],
  ['web-features-are-apart', 'apps/web/src/features/a/fault.ts', "import '../b/other.ts'"],
  ['ui-knows-no-feature', 'apps/web/src/ui/fault.ts', "import '../features/b/other.ts'"],
  ['nothing-imports-tests', `${features}/plans/fault.ts`, "import './plans.test.ts'"],
  ['resolvable', 'packages/plan/src/fault.ts', "import './nowhere.ts'"],
  ['no-circles', 'packages/plan/src/share.ts', "export { share as other } from './index.ts'"],
])('import rules: %s', async (rule, path, text) => {
  fixture.write('apps/web/src/features/b/other.ts', 'export const other = 1\n')
  fixture.write(`${features}/plans/plans.test.ts`, 'export const other = 1\n')
  fixture.write(path, lines(text))
  const said = await outcome(imports)
  expect(said).toContain(`error ${rule}: `)
  expect(said).toContain(path)
})

test.each([
  ['a file nobody uses', 'apps/server/src/fault.ts', 'export const a = 1\n', 'src/fault.ts'],
  [
    'an export nobody uses',
    'packages/plan/src/share.ts',
    lines(
      "import { half } from '@aval/money'",
      '',
      'export const share = half(2n)',
      'export const fault = half(4n)',
    ),
    'fault',
  ],
  [
    'a dependency nobody uses',
    'apps/server/package.json',
    JSON.stringify({
      name: '@aval/server',
      type: 'module',
      dependencies: { '@aval/plan': '0.1.0', pg: '8.0.0' },
    }),
    'pg',
  ],
  [
    'a dependency nobody lists',
    'apps/server/src/main.ts',
    "import 'fastify'\nimport './features/plans/plans.routes.ts'\n",
    'fastify',
  ],
])('dead code: finds %s', async (_, path, text, named) => {
  fixture.write(path, text)
  expect(await outcome(deadCode)).toContain(named)
})

describe('the size of the login route', () => {
  /** A build whose sign-in page weighs about that many bytes of text that does not compress. */
  function writeWeb(bytes: number): void {
    const part = (name: string) => [`src/${name}/locales/es.json`, { file: 'small.js' }]
    const manifest = {
      'index.html': { file: 'small.js', imports: ['_shared.js'], css: ['small.css'] },
      '_shared.js': { file: 'shared.js' },
      'src/features/auth/components/SignInPage.tsx': { file: 'small.js' },
      'src/features/other/components/OtherPage.tsx': { file: 'other.js' },
      ...Object.fromEntries(['app', 'ui', 'features/auth'].map(part)),
    }
    const dist = 'apps/web/dist'
    fixture.write(`${dist}/.vite/manifest.json`, JSON.stringify(manifest))
    for (const name of ['small.js', 'small.css']) fixture.write(`${dist}/${name}`, 'small')
    fixture.write(`${dist}/shared.js`, randomBytes(bytes).toString('latin1'))
    fixture.write(`${dist}/other.js`, randomBytes(500_000).toString('latin1'))
    const needs = { 'size-limit': '14.3.0', '@size-limit/file': '14.3.0' }
    fixture.write('package.json', JSON.stringify({ type: 'module', devDependencies: needs }))
    fixture.write('tools/web-route.ts', readFileSync(join(root, 'tools/web-route.ts'), 'utf8'))
  }

  test('is within its budget on a small app, whatever other pages weigh', async () => {
    writeWeb(50_000)
    expect(await outcome(sizes)).toBe('passed')
  })

  test('is told when it is over', async () => {
    writeWeb(150_000)
    expect(await outcome(sizes)).toContain('exceeded')
  })

  test('counts what is imported, and only that', () => {
    const chunks = {
      'index.html': { file: 'a.js', imports: ['b'], css: ['a.css'] },
      b: { file: 'b.js', imports: ['index.html'], css: ['b.css'] },
      c: { file: 'c.js', imports: [], css: [] },
    }
    expect(routeFiles(chunks, [/^index\.html$/])).toEqual({ js: ['a.js', 'b.js'], css: ['a.css', 'b.css'] })
    expect(() => routeFiles(chunks, [/gone/])).toThrow('gone')
  })
})

const planted: Readonly<Record<string, readonly [path: string, text: string]>> = {
  'no file is longer than 300 lines': ['apps/a.ts', 'const a = 1\n'.repeat(301)],
  'every function fits a screen (70 lines)': [
    'apps/a.ts',
    `export function a() {\n${'  b()\n'.repeat(70)}}\n`,
  ],
  'no amount goes through parseFloat; charts may': ['apps/a.ts', "const a = Number.parseFloat('1')\n"],
  'money, plan, ledger and rules never turn an amount into a Number': [
    'apps/server/src/a.rules.ts',
    'const a = Number(1n)\n',
  ],
  'no file is called utils, helpers or misc': ['apps/web/src/dateUtils/utils.ts', ''],
  'only config.ts reads the environment': ['apps/a.ts', "const a = process.env['A']\n"],
  'apps write SQL in *.sql.ts only': ['apps/a.ts', 'const a = sql<number>`SELECT 1`\n'],
  'no test sleeps: it waits for what it expects (or says "a moment, not a wait")': [
    'apps/a.test.ts',
    'await sleep(100)\n',
  ],
  'no test is skipped or alone': ['apps/a.test.ts', "test.only('a', () => undefined)\n"],
  'nothing is left for later, and no check is switched off in passing': ['apps/a.ts', '// TODO: later\n'],
  '*.rules.ts know no clock, chance, environment or promise': ['apps/a.rules.ts', 'const a = Date.now()\n'],
  'no barrels but a package’s index.ts': ['apps/a.ts', "export * from './b.ts'\n"],
  'generated files say so, and by what': ['apps/a.generated.ts', 'export const a = 1\n'],
  'migrations are called 0001-what-it-does.sql': ['db/migrations/fix.sql', ''],
}

describe('the house rules', () => {
  test('are each shown a fault', () => {
    expect(Object.keys(planted).sort()).toEqual(houseRules.map(({ name }) => name).sort())
  })

  test.each(houseRules)('$name', ({ name, check }) => {
    const [path, text] = planted[name] ?? ['', '']
    expect(check({ path, text })).not.toEqual([])
    expect(
      check({ path: 'apps/server/src/sound.ts', text: '// TODOS los días\nexport const a = 1\n' }),
    ).toEqual([])
  })
})
