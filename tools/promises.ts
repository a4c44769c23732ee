/**
 * `docs/promises.md` and `docs/security/attempts.md`: every line cites the tests that prove it, by file and by words of the title.
 * Those tests must have passed; a comment with the same words proves nothing.
 */
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { root } from './core/config.ts'
import { conclude, type Executed, failureOf, type Tally } from './tests.ts'

/** A line of a table that is neither its head nor the rule below that. */
const ROW = /^\| (?!What +\|)(?!-)(.+?) \| (.*?) ?\|$/
/** `path/to/test.ts` › words of the title */
const PROOF = /^`([^`]+\.(?:test|e2e)\.tsx?)` › (.+)$/
const PIPE = '\u0001'

interface Cited {
  readonly promise: string
  readonly file: string
  readonly words: string
}

/** What the document cites, and what is wrong with it by itself. */
export function readPromises(document: string): { cited: Cited[]; faults: string[] } {
  const cited: Cited[] = []
  const faults: string[] = []
  for (const line of document.split('\n')) {
    if (!line.startsWith('|') || /^\| (What +\||-)/.test(line)) continue
    const [, promise, cell = ''] = ROW.exec(line.replaceAll('\\|', PIPE)) ?? []
    if (promise === undefined) faults.push(`not a line of two cells: ${line}`)
    else if (cell.trim() === '') faults.push(`${promise}: no proof`)
    else {
      for (const proof of cell.split('<br>').map((text) => text.replaceAll(PIPE, '|').trim())) {
        const [, file = '', words = ''] = PROOF.exec(proof) ?? []
        if (file === '') faults.push(`${promise}: this cites no test: ${proof}`)
        else if (!existsSync(join(root, file))) faults.push(`${promise}: there is no ${file}`)
        else cited.push({ promise, file, words })
      }
    }
  }
  return { cited, faults }
}

/** What is wrong with a document of promises after these tests passed. */
export function promiseFaults(document: string, executed: readonly Executed[]): string[] {
  const { cited, faults } = readPromises(document)
  const titles = Map.groupBy(executed, ({ file }) => file)
  const unproved = cited.filter(
    ({ file, words }) => !titles.get(file)?.some(({ title }) => title.includes(words)),
  )
  return [
    ...faults,
    ...unproved.map(({ promise, file, words }) => `${promise}: in ${file} no test "${words}" passed`),
  ]
}

/** Documents whose lines are proved by tests. */
export const PROVED = ['docs/promises.md', 'docs/security/attempts.md'] as const

const recorded = join(root, 'node_modules/.cache/executed-tests.json')

/** Compares and prints. The list of executed tests stays for `node tools/promises.ts`. */
export async function checkPromises(executed: readonly Executed[]): Promise<Tally> {
  await mkdir(dirname(recorded), { recursive: true })
  await writeFile(recorded, JSON.stringify(executed))
  const failures: Tally['failures'][number][] = []
  for (const document of PROVED) {
    const faults = promiseFaults(await readFile(join(root, document), 'utf8'), executed)
    if (faults.length > 0) failures.push(failureOf(document, faults.join('\n')))
  }
  return { passed: PROVED.length - failures.length, failed: failures.length, failures }
}

if (import.meta.main) {
  conclude(await checkPromises(JSON.parse(await readFile(recorded, 'utf8'))))
}
