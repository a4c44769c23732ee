/** docs/promises.md: each line is proved by tests that are there, under the words by which they are cited. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from './config.ts'

const table = readFileSync(join(root, 'docs/promises.md'), 'utf8')

/** A line of a table that is neither its head nor the rule below that. */
const ROW = /^\| (?!What +\|)(?!-)(.+?) \| (.*?) ?\|$/
/** `path/to/test.ts` › words that stand in it */
const PROOF = /^`([^`]+\.(?:test|e2e)\.ts)` › (.+)$/

const unescaped = (cell: string) => cell.replaceAll('\\|', '|').trim()

/** What is wrong with a document of promises; nothing where all of it is proved. */
function faultsOf(document: string): string[] {
  const lines = document.split('\n').filter((line) => line.startsWith('|'))
  return lines.flatMap((line) => {
    if (/^\| (What +\||-)/.test(line)) return []
    const [, what, cell = ''] = ROW.exec(line.replaceAll('\\|', '\u0001')) ?? []
    if (what === undefined) return [`this is no line of two cells: ${line}`]
    if (cell.trim() === '') return [`${what}: no proof`]
    return cell.split('<br>').flatMap((proof) => {
      const [, file = '', words = ''] = PROOF.exec(unescaped(proof.replaceAll('\u0001', '|'))) ?? []
      if (file === '') return [`${what}: this cites no test: ${proof}`]
      if (!existsSync(join(root, file))) return [`${what}: there is no ${file}`]
      return readFileSync(join(root, file), 'utf8').includes(words)
        ? []
        : [`${what}: ${file} has no "${words}"`]
    })
  })
}

describe('the promises', () => {
  test('are each proved by tests that are there', () => {
    expect(faultsOf(table)).toEqual([])
  })

  test('are many', () => {
    expect(table.split('\n').filter((line) => ROW.test(line)).length).toBeGreaterThan(150)
  })
})

describe('a document with a fault', () => {
  const here = '`tools/promises.test.ts`'

  test.each([
    ['a file that is not there', '| a | `tools/none.test.ts` › x |', 'a: there is no tools/none.test.ts'],
    [
      'words that are not there',
      `| a | ${here} › ${'elsewhere '}only |`,
      'a: tools/promises.test.ts has no ',
    ],
    ['no proof', '| a |  |', 'a: no proof'],
    ['something else than a test', '| a | `README.md` › Aval |', 'a: this cites no test'],
    ['one of two that is wrong', `| a | ${here} › are many<br>\`x.test.ts\` › y |`, 'there is no x.test.ts'],
    ['a line of one cell', '| a |', 'this is no line of two cells'],
  ])('is told of %s', (_what, line, fault) => {
    expect(faultsOf(`| What | Proof |\n| ---- | ----- |\n${line}\n`)).toEqual([
      expect.stringContaining(fault),
    ])
  })
})
