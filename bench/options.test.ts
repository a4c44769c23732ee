import { describe, expect, it } from 'vitest'
import { parseCommandLine, UsageError } from './options.ts'

const BENCHMARKS = ['payouts', 'tree']
const parse = (line: string) => parseCommandLine(line.split(' '), BENCHMARKS)

function refusalOf(line: string): string {
  try {
    parse(line)
  } catch (error) {
    if (error instanceof UsageError) return error.message
    throw error
  }
  return 'accepted'
}

describe('the command line of a benchmark', () => {
  it('needs a name and a size; the rest has defaults', () => {
    expect(parse('payouts --members 1000')).toEqual({
      name: 'payouts',
      options: {
        members: 1000,
        shape: 'power',
        seed: 1,
        open: 10_000,
        thin: false,
        readers: true,
        registrations: true,
        check: false,
        keep: false,
      },
    })
  })

  it('makes networks thin above three million, unless it is told otherwise', () => {
    expect(parse('payouts --members 10000000').options.thin).toBe(true)
    expect(parse('payouts --members 10000000 --no-thin').options.thin).toBe(false)
    expect(parse('payouts --members 1000 --thin --no-readers').options).toMatchObject({
      thin: true,
      readers: false,
    })
  })

  it('asks for no members where as many are made as are needed', () => {
    const { options } = parseCommandLine(['withdrawals', '--open', '40'], ['withdrawals'])
    expect(options).toMatchObject({ open: 40, members: 100 })
  })

  it('asks for a million members below whom downlines are asked for', () => {
    expect(parseCommandLine(['genealogy'], ['genealogy']).options.members).toBe(1_000_000)
  })

  it.each([
    ['--members 1000', /which benchmark\? payouts, tree/],
    ['withdrawals --members 1000', /withdrawals is none of payouts, tree/],
    ['payouts tree --members 1000', /only one benchmark/],
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
  ])('refuses "%s", and says why', (line, reason) => {
    expect(refusalOf(line)).toMatch(reason)
  })
})
