import { describe, expect, it } from 'vitest'
import {
  nameOf,
  parseChainOptions,
  parseEventsOptions,
  parseNoOptions,
  parsePayoutsOptions,
  parseYearsOptions,
  UsageError,
} from './options.ts'

const wordsOf = (line: string) => line.split(' ').filter((word) => word !== '')
const parse = (line: string) => {
  const { name, rest } = nameOf(wordsOf(line), ['payouts', 'catchup', 'tree'])
  if (name === 'tree') return parseNoOptions(rest)
  return name === 'payouts' ? parsePayoutsOptions(rest) : parseChainOptions(rest)
}

describe('the command line of a benchmark', () => {
  it('needs a name and a size; the rest has defaults', () => {
    expect(parse('payouts --members 1000')).toEqual({
      members: 1000,
      shape: 'power',
      seed: 1,
      open: 10_000,
      thin: false,
      readers: true,
      registrations: true,
      check: false,
      keep: false,
    })
  })

  it('makes networks thin above three million, unless asked otherwise', () => {
    expect(parse('payouts --members 10000000')).toMatchObject({ thin: true })
    expect(parse('payouts --members 10000000 --no-thin')).toMatchObject({ thin: false })
    expect(parse('payouts --members 1000 --thin --no-readers')).toMatchObject({ thin: true, readers: false })
  })

  it('asks for as many members as the benchmark has by default', () => {
    expect(parsePayoutsOptions([], { members: '1000000' }).members).toBe(1_000_000)
    expect(parsePayoutsOptions(['--open', '40'], { members: '100' })).toMatchObject({
      open: 40,
      members: 100,
    })
  })

  it('opens ten thousand streams unless asked otherwise', () => {
    expect(parseEventsOptions([])).toMatchObject({ streams: 10_000 })
    expect(parseEventsOptions(['--streams', '200'])).toMatchObject({ streams: 200 })
    expect(() => parseEventsOptions(['--streams', '99'])).toThrow('--streams is no whole number from 100')
  })

  it('pays a network of a hundred thousand for a year', () => {
    expect(parseYearsOptions([])).toMatchObject({ members: 100_000, days: 365, thin: false })
    expect(() => parseYearsOptions(['--days', '7'])).toThrow('--days is no whole number from 13')
  })

  it('needs no options for a chain', () => {
    expect(parse('catchup')).toMatchObject({ blocks: 5_000, nodes: 1, keep: false })
    expect(parse('catchup --blocks 200 --nodes 2 --port 6000')).toMatchObject({
      blocks: 200,
      nodes: 2,
      port: 6_000,
    })
  })

  it.each([
    ['', /which benchmark\? payouts, catchup, tree/],
    ['--members 1000', /which benchmark\? payouts, catchup, tree/],
    ['genealogy --members 1000', /genealogy is none of payouts, catchup, tree/],
    ['payouts tree --members 1000', /Unexpected argument 'tree'/],
    ['payouts', /--members is missing/],
    ['payouts --members 1000 --open 19', /--open is no whole number from 20/],
    ['payouts --members 1e6', /--members is no whole number from 100/],
    ['payouts --members 99', /--members is no whole number from 100/],
    [
      'payouts --members 1000 --seed x --shape ring',
      /--shape is none of power, chain, star\n--seed is no whole/,
    ],
    ['payouts --members 1000 --member 5', /--member/],
    ['payouts --members 1000 --database-url mysql://x', /--database-url is no address/],
    ['payouts --members 1000 --thin --check', /--check needs a whole network/],
    [
      'catchup --nodes 9 --blocks x',
      /--blocks is no whole number from 100 to 1000000\n--nodes is no whole number from 1 to 3/,
    ],
    ['catchup --members 5', /Unknown option '--members'/],
    ['tree --members 5', /Unknown option '--members'/],
  ])('refuses "%s", and says why', (line, reason) => {
    expect(() => parse(line)).toThrow(UsageError)
    expect(() => parse(line)).toThrow(reason)
  })
})
