import { expect, it } from 'vitest'
import { parseChainOptions } from './chain-options.ts'
import { UsageError } from './options.ts'

const parse = (line: string) => parseChainOptions(line.split(' ').filter((word) => word !== ''))

it('a benchmark of the chain needs no options', () => {
  expect(parse('')).toMatchObject({ blocks: 5_000, nodes: 1, keep: false })
  expect(parse('--blocks 200 --nodes 2 --port 6000')).toMatchObject({ blocks: 200, nodes: 2, port: 6_000 })
})

it.each([
  [
    '--nodes 9 --blocks x',
    '--blocks is no whole number from 100 to 1000000\n--nodes is no whole number from 1 to 3',
  ],
  ['--members 5', "Unknown option '--members'"],
])('%s is refused, each problem in a line', (line, told) => {
  expect(() => parse(line)).toThrow(UsageError)
  expect(() => parse(line)).toThrow(told)
})
