/** The check of docs/security/asvs.md is shown faults. That its tests passed is checked at the end of `npm test`. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { asvsFaults, isWritten, readAsvs, readNumbers } from './asvs.ts'
import { root } from './core/config.ts'

test('the table has a line for each requirement that is asked of us, and each is shown or explained', () => {
  const document = readFileSync(join(root, 'docs/security/asvs.md'), 'utf8')
  expect(asvsFaults(document, readNumbers(), isWritten)).toEqual([])
})

test('the requirements are the 253 of levels 1 and 2, and those of level 3 about operators', () => {
  const levels = Object.values(readNumbers())
  expect(levels.filter((level) => level === 1)).toHaveLength(70)
  expect(levels.filter((level) => level === 2)).toHaveLength(183)
  expect(levels.filter((level) => level === 3)).toHaveLength(31)
})

const here = '`tools/asvs.test.ts`'
const met = `| 1.1.1 | 1 | Something | met | ${here} › a requirement |`
const open = '| 1.1.2 | 2 | Another | open | Nobody wrote it |'
const NUMBERS = { '1.1.1': 1, '1.1.2': 2 }
const isTest = (file: string, words: string) =>
  file === 'tools/asvs.test.ts' && 'a requirement › is met'.includes(words)

function faultsOf(lines: readonly string[], counts = '1 met, 0 not applicable, 0 exception, 1 open') {
  const head = '| Number | Level | What it asks | State | Where |\n| --- | --- | --- | --- | --- |'
  return asvsFaults(`**${counts}**\n${head}\n${lines.join('\n')}\n`, NUMBERS, isTest)
}

describe('a table of requirements', () => {
  test('is kept by a test that passed and a reason', () => {
    expect(faultsOf([met, open])).toEqual([])
  })

  test('is kept by a file where no test can show it', () => {
    expect(faultsOf(['| 1.1.1 | 1 | Something | met | `README.md`, its settings |', open])).toEqual([])
  })

  test.each([
    ['a number that is missing', [met], '1.1.2: missing'],
    ['a number that comes twice', [met, met, open], '1.1.1: more than once'],
    ['a number that nobody asks for', [met, open, open.replace('1.1.2', '9.9.9')], '9.9.9: no such'],
    ['another level', [met.replace('| 1 |', '| 2 |'), open], '1.1.1: its level is 1'],
    ['a state that is none', [met, open.replace('open', 'done')], '1.1.2: "done" is no state'],
    ['a claim that nothing shows', [met.replace(/`.*a requirement/, ''), open], '1.1.1: nothing shows it'],
    ['a state without a reason', [met, open.replace('Nobody wrote it', '')], '1.1.2: no reason'],
    [
      'a claim in words alone',
      [met.replace(/`.*a requirement/, 'Surely'), open],
      '1.1.1: this cites no test',
    ],
    ['a file that is not there', [met.replaceAll('asvs.test', 'none.test'), open], 'there is no tools/none'],
    [
      'a title that was renamed',
      [met.replace('requirement', 'promise'), open],
      'there is no test "a promise"',
    ],
    ['a test file without a title', [met.replace(' › a requirement', ''), open], 'no title of a test'],
    ['a line with a cell less', [met, open.replace('| Another ', '')], 'not a line of five cells'],
    ['too many words', [met, open.replace('Another', 'so many '.repeat(7).trim())], 'takes 1 to 12 words'],
  ])('is refused for %s', (_what, lines, fault) => {
    expect(faultsOf(lines)).toContainEqual(expect.stringContaining(fault))
  })

  test('is refused for counts that are not its own', () => {
    const counts = '2 met, 0 not applicable, 0 exception, 0 open'
    expect(faultsOf([met, open], counts)).toEqual([expect.stringContaining('does not say **1 met')])
  })

  test('has no lines but those whose first cell is a number', () => {
    expect(readAsvs('| Number | Level |\n| --- |\ntext').rows).toEqual([])
  })
})
