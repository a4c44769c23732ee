/** A small project with the real configuration of the checks, in which a fault can be planted. */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { root } from '../../core/config.ts'

export interface Fixture {
  readonly folder: string
  write(path: string, text: string): void
  remove(): void
}

const configuration = [
  'biome.json',
  'tsconfig.json',
  '.dependency-cruiser.cjs',
  '.dependency-cruiser.folders.cjs',
  'knip.json',
  '.size-limit.mjs',
]

/** Sound on its own: every check passes on it. */
const sound: Readonly<Record<string, string>> = {
  'package.json': pretty({
    name: 'fixture',
    private: true,
    type: 'module',
    workspaces: ['packages/*', 'apps/*'],
  }),
  'packages/money/package.json': manifest('money'),
  'packages/money/src/index.ts': "export { half } from './half.ts'\n",
  'packages/money/src/half.ts': 'export const half = (amount: bigint): bigint => amount / 2n\n',
  'packages/plan/package.json': manifest('plan', 'money'),
  'packages/plan/src/index.ts': "export { share } from './share.ts'\n",
  'packages/plan/src/share.ts': "import { half } from '@aval/money'\n\nexport const share = half(2n)\n",
  'apps/server/package.json': manifest('server', 'plan'),
  'apps/server/src/main.ts': "import { route } from './features/plans/plans.routes.ts'\n\nroute()\n",
  'apps/server/src/features/plans/plans.routes.ts': lines(
    "import { command } from './plans.commands.ts'",
    '',
    'export const route = (): bigint => command()',
  ),
  'apps/server/src/features/plans/plans.commands.ts': lines(
    "import { rule } from './plans.rules.ts'",
    "import { stored } from './plans.sql.ts'",
    '',
    'export const command = (): bigint => rule() + stored()',
  ),
  'apps/server/src/features/plans/plans.rules.ts': lines(
    "import { share } from '@aval/plan'",
    '',
    'export const rule = (): bigint => share',
  ),
  'apps/server/src/features/plans/plans.sql.ts': 'export const stored = (): bigint => 1n\n',
}

function manifest(name: string, ...needs: string[]): string {
  const exports = './src/index.ts'
  const dependencies = Object.fromEntries(needs.map((need) => [`@aval/${need}`, '0.1.0']))
  return pretty({ name: `@aval/${name}`, type: 'module', exports, dependencies })
}

function pretty(content: unknown): string {
  return `${JSON.stringify(content, null, 2)}\n`
}

export function lines(...text: string[]): string {
  return `${text.join('\n')}\n`
}

export function makeFixture(): Fixture {
  const folder = mkdtempSync(join(tmpdir(), 'aval-checks-'))
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  for (const name of configuration) cpSync(join(root, name), join(folder, name))
  for (const [path, text] of Object.entries(sound)) write(path, text)
  write('.gitignore', 'node_modules/\n')
  linkModules(folder)
  return { folder, write, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** The installed modules, but with the fixture's own packages under @aval. */
function linkModules(folder: string): void {
  const modules = join(folder, 'node_modules')
  mkdirSync(join(modules, '@aval'), { recursive: true })
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (name !== '@aval') symlinkSync(join(root, 'node_modules', name), join(modules, name))
  }
  for (const name of ['money', 'plan'])
    symlinkSync(join(folder, 'packages', name), join(modules, '@aval', name))
}
