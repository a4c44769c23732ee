/** Every check is shown planted faults: a check that cannot fail checks nothing. */
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  deadCode,
  folders,
  format,
  imports,
  type MachineCheck,
  runMachineCheck,
  sizes,
  types,
} from './checks/machine.ts'
import { type Fixture, lines, makeFixture } from './checks/testing/fixture.ts'
import { root } from './core/config.ts'
import { routeFiles } from './web-route.ts'

let fixture: Fixture

async function outcome(check: MachineCheck): Promise<string> {
  const { passed, output } = await runMachineCheck(check, fixture.folder)
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
function finds(check: MachineCheck, faults: readonly Fault[], around: () => void = () => undefined): void {
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

const features = `${server}/features`
const breaks = (rule: string, path: string, text: string): Fault => [
  rule,
  path,
  lines(text),
  `error ${rule}: ${path}`,
]

finds(
  imports,
  [
    breaks('money-needs-nothing', 'packages/money/src/fault.ts', "import { share } from '@aval/plan'"),
    breaks(
      'packages-never-import-apps',
      'packages/plan/src/fault.ts',
      "import '../../../apps/server/src/main.ts'",
    ),
    breaks(
      'packages-need-only-money-and-contract',
      'packages/tron/src/fault.ts',
      "import { share } from '@aval/plan'",
    ),
    breaks(
      'rules-are-pure',
      `${features}/plans/clock.rules.ts`,
      "import { readFile } from 'node:fs/promises'",
    ),
    breaks('rules-are-pure', `${features}/plans/fault.rules.ts`, "import { stored } from './plans.sql.ts'"),
    breaks(
      'routes-and-jobs-run-commands',
      `${features}/plans/fault.routes.ts`,
      "import { stored } from './plans.sql.ts'",
    ),
    breaks(
      'commands-know-no-http',
      `${features}/plans/fault.commands.ts`,
      "import { route } from './plans.routes.ts'",
    ),
    breaks(
      'sql-is-its-features-own',
      `${features}/other/fault.commands.ts`,
      "import { stored } from '../plans/plans.sql.ts'",
    ),
    breaks(
      'sql-is-its-features-own',
      `${features}/other/fault.sql.ts`,
      "import { stored } from '../plans/plans.sql.ts'",
    ),
    breaks(
      'sql-is-not-passed-on',
      `${features}/plans/fault.queries.ts`,
      "export { stored } from './plans.sql.ts'",
    ),
    breaks(
      'http-knows-no-feature',
      `${server}/http/fault.ts`,
      "import type {} from '../features/plans/plans.commands.ts'",
    ),
    breaks(
      'sql-knows-the-database-only',
      `${features}/plans/fault.sql.ts`,
      "import { command } from './plans.commands.ts'",
    ),
    breaks(
      'postings-are-written-by-the-ledger',
      `${features}/plans/other.sql.ts`,
      "import '../../ledger/ledger.sql.ts'",
    ),
    breaks('apps-never-import-each-other', 'apps/gateway/src/fault.ts', "import '../../server/src/main.ts'"),
    breaks('keys-stay-in-the-gateway', `${server}/fault.ts`, "import '../../gateway/src/signer/socket.ts'"),
    breaks(
      'the-signer-is-behind-its-socket',
      'apps/gateway/src/outgoing/fault.ts',
      "import '../signer/signer.ts'",
    ),
    breaks('gateway-core-points-down', 'apps/gateway/src/core/fault.ts', "import '../chain/other.ts'"),
    breaks('gateway-chain-points-down', 'apps/gateway/src/chain/fault.ts', "import '../ingest/other.ts'"),
    breaks('gateway-ingest-points-down', 'apps/gateway/src/ingest/fault.ts', "import '../outgoing/other.ts'"),
    breaks(
      'gateway-outgoing-points-down',
      'apps/gateway/src/outgoing/upwards.ts',
      "import type {} from '../custody/other.ts'",
    ),
    breaks('gateway-custody-points-down', 'apps/gateway/src/custody/fault.ts', "import '../ingest/other.ts'"),
    breaks('keys-have-one-reader', 'apps/gateway/src/other/fault.ts', "import './between.ts'"),
    breaks('the-signer-needs-little', 'apps/gateway/src/signer/fault.ts', "import 'fastify'"),
    breaks('web-features-are-apart', 'apps/web/src/features/a/fault.ts', "import '../b/other.ts'"),
    breaks('ui-knows-no-feature', 'apps/web/src/ui/fault.ts', "import '../features/b/other.ts'"),
    breaks('web-api-knows-no-screen', 'apps/web/src/api/fault.ts', "import '../features/b/other.ts'"),
    breaks('nothing-imports-tests', `${features}/plans/fault.ts`, "import './plans.test.ts'"),
    breaks(
      'resolvable',
      'packages/plan/src/fault.ts',
      "import './nowhere.ts'\nimport '../../../apps/server/src/main.ts'",
    ),
    breaks('no-circles', 'packages/plan/src/one.ts', "import type { Other } from './other.ts'"),
    breaks('no-circles', 'packages/tron/src/one.ts', "export const later = () => import('./other.ts')"),
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
      `${features}/plans/plans.test.ts`,
      `${server}/ledger/ledger.sql.ts`,
      'apps/gateway/src/chain/other.ts',
      'apps/gateway/src/custody/other.ts',
      'apps/gateway/src/ingest/other.ts',
      'apps/gateway/src/outgoing/other.ts',
      'apps/gateway/src/signer/socket.ts',
      'apps/gateway/src/signer/signer.ts',
      'apps/gateway/src/signer/keys/key-file.ts',
    ]) {
      fixture.write(path, 'export const other = 1\n')
    }
    fixture.write('packages/plan/src/other.ts', "import './one.ts'\n\nexport type Other = string\n")
    fixture.write('packages/tron/src/other.ts', "import './one.ts'\n")
    // Two steps away, because a way is what the rule is about.
    fixture.write('apps/gateway/src/other/between.ts', "import '../signer/keys/key-file.ts'\n")
  },
)

finds(folders, [
  [
    'folders that import types of each other',
    `${features}/plans/fault.ts`,
    "import type { Other } from '../other/other.ts'\n\nexport type Fault = Other\n",
    'error no-folder-circles: apps/server/src/features/plans',
  ],
  [
    'the other half of it',
    `${features}/other/other.ts`,
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

  /** A build in which these files weigh about so many bytes that do not compress; any other weighs next to nothing. */
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

  test('is within its budget on a small app, whatever other pages weigh', async () => {
    writeWeb({ 'shared.js': 50_000, 'other.js': 500_000 })
    expect(await outcome(sizes)).toBe('passed')
  })

  test.each([
    ['sign-in page: JavaScript', { 'shared.js': 150_000 }],
    ['sign-in page: styles', { 'small.css': 30_000 }],
    ['dashboard: JavaScript', { 'member.js': 200_000 }],
    ['dashboard: styles', { 'member.css': 40_000 }],
  ])('is told when it is over: %s', async (name, bytes) => {
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
