/** Every check is shown planted faults: a check that cannot fail checks nothing. */
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Check, deadCode, folders, format, imports, runCheck, sizes, types } from './check.ts'
import { type Fixture, lines, makeFixture } from './checks/testing/fixture.ts'
import { root } from './core/config.ts'
import { routeFiles } from './web-route.ts'

let fixture: Fixture

async function outcome(check: Check): Promise<string> {
  const { passed, output } = await runCheck(check, fixture.folder)
  return passed ? 'passed' : output
}

describe('on a sound project', () => {
  beforeAll(() => {
    fixture = makeFixture()
  })
  afterAll(() => fixture.remove())

  test.each([format, types, imports, folders, deadCode])('$name: passes', async (check) => {
    expect(await outcome(check)).toBe('passed')
  })
})

type Fault = readonly [what: string, path: string, text: string, said: string]

/** All faults planted at once; the check runs once and has to name each. */
function finds(check: Check, faults: readonly Fault[], around: () => void = () => undefined): void {
  describe(check.name, () => {
    let said = ''
    beforeAll(async () => {
      fixture = makeFixture()
      around()
      for (const [, path, text] of faults) fixture.write(path, text)
      said = await outcome(check)
    })
    afterAll(() => fixture.remove())

    test.each(faults)('finds %s', (_what, path, _text, words) => {
      const place = words.includes('/') ? words : path
      expect(said).toContain(place)
      expect(said).toContain(words)
    })
  })
}

const server = 'apps/server/src'

finds(format, [
  ['bad layout', `${server}/a.ts`, 'export const a = "double";\n', `${server}/a.ts format`],
  ['an any', `${server}/b.ts`, 'export const a: any = 1\n', 'noExplicitAny'],
  [
    'a non-null assertion',
    `${server}/c.ts`,
    'export const a = (b: string | null) => b!.length\n',
    'noNonNullAssertion',
  ],
  ['a default export', `${server}/d.ts`, 'export default 1\n', 'noDefaultExport'],
  ['an unused variable', `${server}/e.ts`, 'const a = 1\n', 'noUnusedVariables'],
  ['a console', `${server}/f.ts`, "console.log('hello')\n", 'noConsole'],
])

finds(types, [
  ['a wrong type', `${server}/a.ts`, 'export const a: string = 1\n', 'TS2322'],
  [
    'an unchecked index',
    `${server}/b.ts`,
    'export const a = (b: string[]): string => b[0]\n',
    `${server}/b.ts`,
  ],
  ['syntax that cannot be stripped', `${server}/c.ts`, 'export enum A {\n  b,\n}\n', 'TS1294'],
])

const gateway = 'apps/gateway/src'
const plans = `${server}/features/plans`
const other = `${server}/features/other`

/** The rule, the file that breaks it, and what that imports; a whole statement where the kind of import matters. */
const forbidden: readonly (readonly [rule: string, path: string, imported: string])[] = [
  ['money-needs-nothing', 'packages/money/src/fault.ts', '@aval/plan'],
  ['packages-never-import-apps', 'packages/plan/src/fault.ts', '../../../apps/server/src/main.ts'],
  ['packages-need-only-money-and-contract', 'packages/tron/src/fault.ts', '@aval/plan'],
  ['rules-are-pure', `${plans}/clock.rules.ts`, 'node:fs/promises'],
  ['rules-are-pure', `${plans}/fault.rules.ts`, './plans.sql.ts'],
  ['routes-and-jobs-run-commands', `${plans}/fault.routes.ts`, './plans.sql.ts'],
  ['commands-know-no-http', `${plans}/fault.commands.ts`, './plans.routes.ts'],
  ['sql-is-its-features-own', `${other}/fault.commands.ts`, '../plans/plans.sql.ts'],
  ['sql-is-its-features-own', `${other}/fault.sql.ts`, '../plans/plans.sql.ts'],
  ['sql-is-not-passed-on', `${plans}/fault.queries.ts`, "export { stored } from './plans.sql.ts'"],
  [
    'http-knows-no-feature',
    `${server}/http/fault.ts`,
    "import type {} from '../features/plans/plans.commands.ts'",
  ],
  ['sql-knows-the-database-only', `${plans}/fault.sql.ts`, './plans.commands.ts'],
  ['postings-are-written-by-the-ledger', `${plans}/other.sql.ts`, '../../ledger/ledger.sql.ts'],
  ['apps-never-import-each-other', `${gateway}/fault.ts`, '../../server/src/main.ts'],
  ['keys-stay-in-the-gateway', `${server}/fault.ts`, '../../gateway/src/signer/socket.ts'],
  ['the-signer-is-behind-its-socket', `${gateway}/outgoing/fault.ts`, '../signer/signer.ts'],
  ['gateway-core-points-down', `${gateway}/core/fault.ts`, '../chain/other.ts'],
  ['gateway-chain-points-down', `${gateway}/chain/fault.ts`, '../ingest/other.ts'],
  ['gateway-ingest-points-down', `${gateway}/ingest/fault.ts`, '../outgoing/other.ts'],
  [
    'gateway-outgoing-points-down',
    `${gateway}/outgoing/upwards.ts`,
    "import type {} from '../custody/other.ts'",
  ],
  ['gateway-custody-points-down', `${gateway}/custody/fault.ts`, '../ingest/other.ts'],
  ['keys-have-one-reader', `${gateway}/other/fault.ts`, './between.ts'],
  ['the-signer-needs-little', `${gateway}/signer/fault.ts`, 'fastify'],
  ['pictures-are-decoded-apart', `${server}/decoding.ts`, 'sharp'],
  ['the-approvals-page-needs-little', 'apps/approvals/page/src/fault.ts', 'zod'],
  ['web-features-are-apart', 'apps/web/src/features/a/fault.ts', '../b/other.ts'],
  ['ui-knows-no-feature', 'apps/web/src/ui/fault.ts', '../features/b/other.ts'],
  ['web-api-knows-no-screen', 'apps/web/src/api/fault.ts', '../features/b/other.ts'],
  ['nothing-imports-tests', `${plans}/fault.ts`, './plans.test.ts'],
  ['resolvable', 'packages/plan/src/unresolvable.ts', './nowhere.ts'],
  ['no-circles', 'packages/plan/src/one.ts', "import type { Other } from './other.ts'"],
  ['no-circles', 'packages/tron/src/one.ts', "export const later = () => import('./other.ts')"],
]
const statement = (imported: string) => (imported.includes(' ') ? imported : `import '${imported}'`)

finds(
  imports,
  [
    ...forbidden.map(
      ([rule, path, imported]): Fault => [rule, path, lines(statement(imported)), `error ${rule}: ${path}`],
    ),
    [
      'no-circles',
      'packages/plan/src/share.ts',
      lines("export { share as other } from './index.ts'"),
      'error no-circles: packages/plan/src/',
    ],
  ],
  () => {
    for (const path of [
      'apps/web/src/features/b/other.ts',
      `${plans}/plans.test.ts`,
      `${server}/ledger/ledger.sql.ts`,
      ...['chain', 'custody', 'ingest', 'outgoing'].map((folder) => `${gateway}/${folder}/other.ts`),
      `${gateway}/signer/socket.ts`,
      `${gateway}/signer/signer.ts`,
      `${gateway}/signer/keys/key-file.ts`,
    ]) {
      fixture.write(path, 'export const other = 1\n')
    }
    fixture.write('packages/plan/src/other.ts', "import './one.ts'\n\nexport type Other = string\n")
    fixture.write('packages/tron/src/other.ts', "import './one.ts'\n")
    // Two steps away, because a way is what the rule is about.
    fixture.write(`${gateway}/other/between.ts`, "import '../signer/keys/key-file.ts'\n")
  },
)

finds(folders, [
  [
    'folders that import types of each other',
    `${plans}/fault.ts`,
    "import type { Other } from '../other/other.ts'\n\nexport type Fault = Other\n",
    'error no-folder-circles: apps/server/src/features/plans',
  ],
  [
    'the other half of it',
    `${other}/other.ts`,
    "import { rule } from '../plans/plans.rules.ts'\n\nexport type Other = typeof rule\n",
    'error no-folder-circles: apps/server/src/features/other',
  ],
])

const unusedExport = lines(
  "import { half } from '@aval/money'",
  '',
  'export const share = half(2n)',
  'export const unwanted = half(4n)',
)
const unusedDependency = {
  name: '@aval/server',
  type: 'module',
  dependencies: { '@aval/plan': '0.1.0', pg: '8.0.0' },
}

finds(deadCode, [
  ['a file nobody uses', `${server}/orphan.ts`, 'export const a = 1\n', `${server}/orphan.ts`],
  ['an export nobody uses', 'packages/plan/src/share.ts', unusedExport, 'unwanted'],
  ['a dependency nobody uses', 'apps/server/package.json', JSON.stringify(unusedDependency), 'pg'],
  [
    'a dependency nobody lists',
    `${server}/main.ts`,
    "import 'fastify'\nimport './features/plans/plans.routes.ts'\n",
    'fastify',
  ],
])

describe('the size of the first pages', () => {
  beforeAll(() => {
    fixture = makeFixture()
  })
  afterAll(() => fixture.remove())

  /** A build in which these files have so many bytes that do not compress; any other has next to none. */
  function writeWeb(bytes: Record<string, number>): void {
    const dist = 'apps/web/dist'
    const page = '<script src="/small.js"></script><link href="/shared.js"><link href="/small.css">'
    fixture.write(`${dist}/index.html`, page)
    const arrivals = { '/auth/login': [], '/dashboard': ['/member.js', '/member.css'] }
    fixture.write(`${dist}/.vite/arrivals.json`, JSON.stringify(arrivals))
    for (const name of ['small.js', 'small.css', 'shared.js', 'member.js', 'member.css', 'other.js'])
      fixture.write(`${dist}/${name}`, randomBytes(bytes[name] ?? 5).toString('latin1'))
    const needs = { 'size-limit': '14.3.0', '@size-limit/file': '14.3.0' }
    fixture.write('package.json', JSON.stringify({ type: 'module', devDependencies: needs }))
    fixture.write('tools/web-route.ts', readFileSync(join(root, 'tools/web-route.ts'), 'utf8'))
  }

  test('is within its budget on a small app, whatever the size of other pages', async () => {
    writeWeb({ 'shared.js': 50_000, 'other.js': 500_000 })
    expect(await outcome(sizes)).toBe('passed')
  })

  test.each([
    ['sign-in page: JavaScript', { 'shared.js': 150_000 }],
    ['sign-in page: styles', { 'small.css': 30_000 }],
    ['dashboard: JavaScript', { 'member.js': 200_000 }],
    ['dashboard: styles', { 'member.css': 40_000 }],
  ])('is refused when it is over: %s', async (name, bytes) => {
    writeWeb(bytes)
    const said = await outcome(sizes)
    expect(said).toContain('exceeded')
    expect(said).toContain(name)
  })

  test('counts what the page names and what its address adds, each once', () => {
    const html =
      '<script type="module" src="/a.js"></script><link rel="icon" href="/a.svg"><link href="/a.css">'
    const arrivals = '{"/here":["/b.css","/a.js","/b.js"],"/there":["/c.js"]}'
    const files = { js: ['/a.js', '/b.js'], css: ['/a.css', '/b.css'] }
    expect(routeFiles(html, arrivals, '/here')).toEqual(files)
    expect(() => routeFiles(html, arrivals, '/gone')).toThrow('/gone')
  })
})
