/** The check of what tests prove is shown faults. That promises are kept, and attempts refused, is checked at the end of `npm test`. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from './core/config.ts'
import { promiseFaults, readPromises } from './promises.ts'

test('the promises are many, and each cites a file that is there', () => {
  const { cited, faults } = readPromises(readFileSync(join(root, 'docs/promises.md'), 'utf8'))
  expect(faults).toEqual([])
  expect(new Set(cited.map(({ promise }) => promise)).size).toBeGreaterThan(150)
})

test('what was tried once is many attempts, and each cites a file that is there', () => {
  const { cited, faults } = readPromises(readFileSync(join(root, 'docs/security/attempts.md'), 'utf8'))
  expect(faults).toEqual([])
  expect(new Set(cited.map(({ promise }) => promise)).size).toBeGreaterThan(25)
})

test('the commands of the README are the ones that tests are cited for', () => {
  const commandsIn = (text: string) =>
    new Set([...text.matchAll(/(?:^|`)(npm (?:start|test|run [\w:]+))/gm)].map(([, command = '']) => command))
  const readme = commandsIn(readFileSync(join(root, 'README.md'), 'utf8'))
  const { cited } = readPromises(readFileSync(join(root, 'docs/promises.md'), 'utf8'))
  const proved = commandsIn(cited.map(({ promise }) => promise).join('\n'))
  expect([...readme].sort()).toEqual([...proved].sort())
})

const file = 'tools/promises.test.ts'
const here = `\`${file}\``
const document = (line: string) => `| What | Proof |\n| ---- | ----- |\n${line}\n`
/** What the runner lists after a run in which one test passed. This comment says "left out". */
const executed = [{ file, title: 'a group › is paid once' }]

describe('a document of promises', () => {
  test.each([
    [`| a | ${here} › is paid once |`],
    [`| a | ${here} › a group › is paid |`],
    [`| a \\| b | ${here} › is paid once |`],
  ])('is kept by tests that passed: %s', (line) => {
    expect(promiseFaults(document(line), executed)).toEqual([])
  })

  test.each([
    ['a file that is not there', '| a | `tools/none.test.ts` › x |', 'a: there is no tools/none.test.ts'],
    ['a title that was renamed', `| a | ${here} › is paid twice |`, 'no test "is paid twice" passed'],
    ['words of a comment', `| a | ${here} › left out |`, 'no test "left out" passed'],
    [
      'a test of another file',
      '| a | `tools/lock.test.ts` › is paid once |',
      'in tools/lock.test.ts no test "is paid once" passed',
    ],
    ['no proof', '| a |  |', 'a: no proof'],
    ['something else than a test', '| a | `README.md` › Aval |', 'a: this cites no test'],
    ['one of two that is wrong', `| a | ${here} › is paid<br>\`x.test.ts\` › y |`, 'there is no x.test.ts'],
    ['a line of one cell', '| a |', 'not a line of two cells'],
  ])('is refused for %s', (_what, line, fault) => {
    expect(promiseFaults(document(line), executed)).toEqual([expect.stringContaining(fault)])
  })

  test('is refused when the test it cites did not run, or failed', () => {
    const faults = promiseFaults(document(`| a | ${here} › is paid once |`), [])
    expect(faults).toEqual([`a: in ${file} no test "is paid once" passed`])
  })
})
