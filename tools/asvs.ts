/**
 * `docs/security/asvs.md`: a line for each requirement of OWASP ASVS 5.0.0 that is asked of us, with its state and what shows it.
 * `tools/asvs-numbers.json` has their numbers and levels. What is met cites tests, as promises do, or a file where no test can show it.
 *
 * `npm run asvs` compares cited titles with the words of the test files; `npm run test:all` with the tests that passed.
 */
import { existsSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { root } from './core/config.ts'
import { conclude, type Executed, failureOf, type Tally } from './tests.ts'

const STATES = ['met', 'not applicable', 'exception', 'open'] as const
type State = (typeof STATES)[number]
const isState = (text: string): text is State => STATES.some((state) => state === text)

interface Row {
  readonly number: string
  readonly level: number
  readonly asks: string
  readonly state: State
  readonly where: string
}

/** Level of each requirement, by its number. */
type Numbers = Readonly<Record<string, number>>
/** Whether a test with these words in its title stands in a file. */
type IsTest = (file: string, words: string) => boolean

const MOST_WORDS = 12
const PIPE = '\u0001'
const NUMBER = /^\d+\.\d+\.\d+$/
/** `path/to/test.ts` › words of the title */
const TEST = /^`([^`]+\.(?:test|e2e)\.tsx?)` › (.+)$/
/** `path/to/file`, and what it shows */
const PLACE = /^`([^`]+)`(?:$|[:,] )/

function readRow(line: string): Row | string {
  const cells = line
    .replaceAll('\\|', PIPE)
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.replaceAll(PIPE, '|').trim())
  const [number = '', level = '', asks = '', state = '', where = ''] = cells
  if (cells.length !== 5) return `not a line of five cells: ${line}`
  if (!isState(state)) return `${number}: "${state}" is no state`
  return { number, level: Number(level), asks, state, where }
}

/** The lines of the tables whose first cell is a number, and what is wrong with a line by itself. */
export function readAsvs(document: string): { rows: Row[]; faults: string[] } {
  const read = document
    .split('\n')
    .filter((line) => /^\| *\d/.test(line))
    .map(readRow)
  return {
    rows: read.filter((row) => typeof row !== 'string'),
    faults: read.filter((row) => typeof row === 'string'),
  }
}

function proofFault(number: string, proof: string, isTest: IsTest): string[] {
  const [, test = '', words = ''] = TEST.exec(proof) ?? []
  const [, place = ''] = PLACE.exec(proof) ?? []
  const file = test === '' ? place : test
  if (file === '') return [`${number}: this cites no test and no file: ${proof}`]
  if (!existsSync(join(root, file))) return [`${number}: there is no ${file}`]
  if (test === '' && /\.(?:test|e2e)\.tsx?$/.test(place))
    return [`${number}: no title of a test in ${place} is cited`]
  return test !== '' && !isTest(file, words) ? [`${number}: in ${file} there is no test "${words}"`] : []
}

function rowFaults({ number, level, asks, state, where }: Row, numbers: Numbers, isTest: IsTest): string[] {
  const wanted = NUMBER.test(number) ? numbers[number] : undefined
  if (wanted === undefined) return [`${number}: no such requirement is asked of us`]
  const faults = [
    ...(level === wanted ? [] : [`${number}: its level is ${wanted}`]),
    ...(asks === '' || asks.split(' ').length > MOST_WORDS
      ? [`${number}: what it asks takes 1 to ${MOST_WORDS} words`]
      : []),
  ]
  if (where === '') return [...faults, `${number}: ${state === 'met' ? 'nothing shows it' : 'no reason'}`]
  if (state !== 'met') return faults
  return [...faults, ...where.split('<br>').flatMap((proof) => proofFault(number, proof.trim(), isTest))]
}

/** All that is wrong with the table. */
export function asvsFaults(document: string, numbers: Numbers, isTest: IsTest): string[] {
  const { rows, faults } = readAsvs(document)
  const byNumber = Map.groupBy(rows, ({ number }) => number)
  const missing = Object.keys(numbers).filter((number) => !byNumber.has(number))
  const twice = [...byNumber].filter(([, same]) => same.length > 1)
  return [
    ...faults,
    ...missing.map((number) => `${number}: missing`),
    ...twice.map(([number]) => `${number}: more than once`),
    ...rows.flatMap((row) => rowFaults(row, numbers, isTest)),
    ...countFaults(document, rows),
  ]
}

/** Such as `253 met, 7 not applicable, 0 exception, 24 open`. */
export function countsOf(rows: readonly Row[]): string {
  const count = (state: State) => rows.filter((row) => row.state === state).length
  return STATES.map((state) => `${count(state)} ${state}`).join(', ')
}

function countFaults(document: string, rows: readonly Row[]): string[] {
  const counts = countsOf(rows)
  return document.includes(`**${counts}**`) ? [] : [`the introduction does not say **${counts}**`]
}

const table = join(root, 'docs/security/asvs.md')
const numbersFile = join(root, 'tools/asvs-numbers.json')

export const readNumbers = (): Numbers =>
  z.record(z.string(), z.number()).parse(JSON.parse(readFileSync(numbersFile, 'utf8')))

/** The last part of the title stands in the file, as it was written. */
export const isWritten: IsTest = (file, words) =>
  readFileSync(join(root, file), 'utf8').includes(words.split(' › ').at(-1) ?? words)

async function check(isTest: IsTest): Promise<Tally> {
  const document = await readFile(table, 'utf8')
  console.log(`ASVS 5.0.0: ${countsOf(readAsvs(document).rows)}`)
  const faults = asvsFaults(document, readNumbers(), isTest)
  if (faults.length === 0) return { passed: 1, failed: 0, failures: [] }
  return { passed: 0, failed: 1, failures: [failureOf('docs/security/asvs.md', faults.join('\n'))] }
}

/** Compares the table with the tests that passed, and prints how many requirements are in which state. */
export function checkAsvs(executed: readonly Executed[]): Promise<Tally> {
  const titles = Map.groupBy(executed, ({ file }) => file)
  return check((file, words) => titles.get(file)?.some(({ title }) => title.includes(words)) === true)
}

if (import.meta.main) conclude(await check(isWritten))
