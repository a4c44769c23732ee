/** Every house rule is held by every file of the project, and shown a planted fault. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { retiredWords } from './checks/glossary.ts'
import { bareTexts } from './checks/jsx.ts'
import { houseRules } from './checks/rules.ts'
import { readSources } from './checks/sources.ts'
import { root } from './core/config.ts'
import { missingOptional, readLock } from './lock.ts'

const planted: Readonly<Record<string, readonly [path: string, text: string]>> = {
  'no word that the glossary replaced comes back': ['apps/a.ts', 'export const chainTransfer = 1\n'],
  'no file is longer than 500 lines': ['apps/a.ts', 'const a = 1\n'.repeat(501)],
  'every function fits a screen (70 lines)': [
    'apps/a.ts',
    `export function a() {\n${'  b()\n'.repeat(70)}}\n`,
  ],
  'text stands alone in its element, so that a translated page can change': [
    'apps/web/src/a.tsx',
    'export const A = ({ busy, text }: Props) => <p>{busy ? <Spinner /> : null}{text}</p>\n',
  ],
  'no amount goes through parseFloat; charts may': ['apps/a.ts', "const a = Number.parseFloat('1')\n"],
  'money, plan, ledger and rules never turn an amount into a Number': [
    'apps/server/src/a.rules.ts',
    'const a = Number(1n)\n',
  ],
  'no file is called utils, helpers or misc': ['apps/web/src/dateUtils/utils.ts', ''],
  'only config.ts reads the environment': ['apps/a.ts', "const a = process.env['A']\n"],
  'apps write SQL in *.sql.ts, *.queries.ts and the ledger only': [
    'apps/a.ts',
    'const a = sql<number>`SELECT 1`\n',
  ],
  'no text becomes markup or a program': ['apps/web/src/a.ts', 'element.innerHTML = name\n'],
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

describe('text in JSX', () => {
  const faultsOf = (children: string) =>
    bareTexts({
      path: 'a.tsx',
      text: `const A = ({ a, label, icon, children }: Props) => (${children})\n${TYPES}`,
    })
  const TYPES = 'interface Props { a: boolean; label: string; icon: ReactNode }'

  test.each([
    '<p>Total {a ? <b /> : null}</p>',
    '<p>{label} <b /></p>',
    '<p>{a ? label : null}<b /></p>',
    '<p>{a && `text`}<b /></p>',
    "<p>{t('a')}{t('b')}</p>",
    '<A><b />{file.name}</A>',
    "<p>{a ? <>{t('a')}</> : <b />}</p>",
  ])('does not stand beside others: %s', (children) => {
    expect(faultsOf(children)).not.toEqual([])
  })

  test.each([
    '<p>{label}</p>',
    '<p>{a ? label : <b />}</p>',
    '<p><span>{label}</span> {a ? <b /> : null}</p>',
    '<p>{icon}{children}<b /></p>',
    '<ul>{list.map((one) => <li key={one}>{one}</li>)}<li /></ul>',
    '<p>{/* why */}{label}</p>',
  ])('stands alone: %s', (children) => {
    expect(faultsOf(children)).toEqual([])
  })
})

describe('the project', () => {
  const sources = readSources()

  test('all Spanish texts are read for words that the glossary replaced', () => {
    const spanish = sources.filter(({ path }) => /(^|\/)es(\.json$|\/)/.test(path))
    expect(spanish.length).toBeGreaterThan(10)
    for (const { path } of spanish)
      expect(retiredWords({ path, text: '"a": "La corrida."' }), path).toHaveLength(1)
  })

  test('is found, file by file', () => {
    expect(sources.length).toBeGreaterThan(100)
    expect(sources.map(({ path }) => path)).toContain('packages/money/src/micro.ts')
  })

  test.each(houseRules)('$name', ({ check }) => {
    expect(sources.flatMap(check)).toEqual([])
  })

  test('package-lock.json knows the optional packages of every platform (else: npm run lock)', () => {
    expect(missingOptional(readLock(readFileSync(join(root, 'package-lock.json'), 'utf8')))).toEqual([])
  })
})
