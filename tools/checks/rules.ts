/**
 * The house rules that no other program checks. Each takes a file and names what is wrong with it, by line.
 *
 * A rule looks at text where a word is enough, and at the syntax tree where it is not (`syntax.ts`).
 */
import { retiredWords } from './glossary.ts'
import { bareTexts } from './jsx.ts'
import { isGenerated, isScript, isTest, type Source } from './sources.ts'
import { longFunctions } from './syntax.ts'

export interface HouseRule {
  /** A sentence that holds for the whole project. */
  readonly name: string
  readonly check: (source: Source) => readonly string[]
}

const maxLines = 500

/** Numbers from amounts are made in two places: the wire's two number fields, and a count of remainders. */
const numberMakers: Readonly<Record<string, number>> = {
  'packages/money/src/micro.ts': 1,
  'packages/money/src/ratio.ts': 1,
}
const countsMoney = /^packages\/(plan|money)\/|^apps\/server\/src\/ledger\/|^apps\/(?!devnet).+\.rules\.ts$/

/** Where the environment may be read: configuration, the plain bootstrap, and stand-ins for processes. */
const readsEnvironment = /(^|\/)config\.ts$|^tools\/bootstrap\.mjs$|^tools\/supervisor\/testing\//

/** The rules and their tests are full of what they look for. */
const isAboutRules = ({ path }: Source) => /^tools\/(checks\/|house-rules\.)/.test(path)

/** Lines with a match, outside comments of their own line. */
function linesWith(source: Source, pattern: RegExp, problem: string): string[] {
  return source.text.split('\n').flatMap((line, index) => {
    const code = line.replace(/(^|\s)\/[/*].*$|^\s*\*.*$/, '')
    return pattern.test(code) ? [`${source.path}:${index + 1} ${problem}`] : []
  })
}

/** A rule that no line of these files has a match of the pattern. */
const never = (
  name: string,
  pattern: RegExp,
  problem: string,
  applies: (source: Source) => boolean,
): HouseRule => ({
  name,
  check: (source) => (applies(source) && !isAboutRules(source) ? linesWith(source, pattern, problem) : []),
})

export const houseRules: readonly HouseRule[] = [
  { name: 'no word that the glossary replaced comes back', check: retiredWords },
  {
    name: `no file is longer than ${maxLines} lines`,
    check: (source) => {
      if (isGenerated(source) || !/\.(ts|tsx|mjs|cjs|css)$/.test(source.path)) return []
      const lines = source.text.trimEnd().split('\n').length
      return lines > maxLines ? [`${source.path} has ${lines} lines`] : []
    },
  },
  {
    name: 'every function fits a screen (70 lines)',
    check: (source) => (isScript(source) && !isGenerated(source) ? longFunctions(source) : []),
  },
  {
    name: 'text stands alone in its element, so that a translated page can change',
    check: (source) => (/\.tsx$/.test(source.path) && !isTest(source) ? bareTexts(source) : []),
  },
  never(
    'no amount goes through parseFloat; charts may',
    /\bparseFloat\b/,
    'uses parseFloat',
    (source) => isScript(source) && !/^apps\/web\/src\/ui\/.*[cC]hart/.test(source.path),
  ),
  {
    name: 'money, plan, ledger and rules never turn an amount into a Number',
    check: (source) => {
      if (!countsMoney.test(source.path) || isTest(source)) return []
      const found = linesWith(source, /\bNumber\s*\(|\(Number\)|\bNumber\.parse/, 'makes a Number')
      return found.length > (numberMakers[source.path] ?? 0) ? found : []
    },
  },
  {
    name: 'no file is called utils, helpers or misc',
    check: ({ path }) => (/(^|[/.-])(utils?|helpers?|misc)[./-]/i.test(path) ? [path] : []),
  },
  never(
    'only config.ts reads the environment',
    /\bprocess\.env\b|\bimport\.meta\.env\b/,
    'reads the environment',
    // A test starts processes, which need one.
    (source) => isScript(source) && !readsEnvironment.test(source.path) && !isTest(source),
  ),
  never(
    'apps write SQL in *.sql.ts, *.queries.ts and the ledger only',
    /\bsql(<[^`]*>)?`|\bsql\.raw\b/,
    'writes SQL',
    (source) =>
      /^apps\/(?!server\/src\/ledger\/).*(?<!\.sql|\.queries)\.ts$/.test(source.path) && !isTest(source),
  ),
  never(
    'no text becomes markup or a program',
    /\bdangerouslySetInnerHTML\b|\b(inner|outer)HTML\s*=|\binsertAdjacentHTML\b|\bdocument\.write\b|\beval\(|\bnew Function\(/,
    'makes markup or a program of text',
    (source) =>
      /^(apps\/[\w-]+|packages\/[\w-]+|db)\/(src|page)\//.test(source.path) &&
      isScript(source) &&
      !isTest(source),
  ),
  {
    name: 'no test sleeps: it waits for what it expects (or says "a moment, not a wait")',
    check: (source) => {
      if (!/\.(test|e2e)\.tsx?$/.test(source.path) || isAboutRules(source)) return []
      const lines = source.text.split('\n')
      const sleeps = /\bawait\s+(sleep|setTimeout|delay)\(|\bwaitForTimeout\(|=>\s*\{?\s*(void )?setTimeout\(/
      return linesWith(source, sleeps, 'sleeps').filter((problem) => {
        const at = Number.parseInt(problem.slice(source.path.length + 1), 10)
        return !/a moment, not a wait/.test(`${lines[at - 2] ?? ''}${lines[at - 1] ?? ''}`)
      })
    },
  },
  never(
    'no test is skipped or alone',
    /\b(test|it|describe|suite)(\.\w+)*\.(only|skip\w*|runIf|todo|fixme|fails)\b|\b(xit|xdescribe|fit|fdescribe)\(/,
    'silences a test',
    isScript,
  ),
  {
    name: 'nothing is left for later, and no check is switched off in passing',
    check: (source) => {
      if (isAboutRules(source) || isGenerated(source)) return []
      const words = /\b(TODO|FIXME|XXX|HACK)\b|@ts-(ignore|nocheck)|\b[Ll]orem ipsum\b|^(<<<<<<<|>>>>>>>)/
      return source.text
        .split('\n')
        .flatMap((line, index) =>
          words.test(line) ? [`${source.path}:${index + 1} ${words.exec(line)?.[0]}`] : [],
        )
    },
  },
  never(
    '*.rules.ts know no clock, chance, environment or promise',
    /\basync\b|\bawait\b|\bPromise\b|\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\bprocess\.|\bfetch\(/,
    'is not pure',
    ({ path }) => path.endsWith('.rules.ts'),
  ),
  {
    name: 'no barrels but a package’s index.ts',
    check: (source) => {
      if (/^(packages\/[^/]+|db)\/src\/index\.ts$/.test(source.path) || !isScript(source)) return []
      if (/\/index\.tsx?$/.test(source.path)) return [`${source.path} is a barrel`]
      return linesWith(source, /^export \* from/, 'exports everything of another file')
    },
  },
  {
    name: 'generated files say so, and by what',
    check: (source) => {
      if (!isGenerated(source) || !isScript(source)) return []
      return /generated (by|from)/i.test(source.text.slice(0, 300)) ? [] : [`${source.path} has no header`]
    },
  },
  {
    name: 'migrations are called 0001-what-it-does.sql',
    check: ({ path }) =>
      path.startsWith('db/migrations/') && !/^db\/migrations\/\d{4}-[a-z0-9-]+\.sql$/.test(path)
        ? [path]
        : [],
  },
]
