import { describe, expect, it } from 'vitest'
import {
  compare,
  coverage,
  type Figures,
  isWorthKeeping,
  judge,
  nextStop,
  type Suspect,
} from './reserves.rules.ts'

const NOW = new Date('2026-05-03T15:00:00Z')
const ago = (minutes: number) => new Date(NOW.getTime() - minutes * 60_000)
const reading = (usdt: bigint, fromBlock = 100n, toBlock = 100n) => ({ usdt, fromBlock, toBlock })
const held = (amount: bigint, ...moves: [block: bigint, change: bigint][]) => ({
  amount,
  moves: moves.map(([block, change]) => ({ block, change })),
})

describe('a reading', () => {
  it('matches what the address held at its block, to the micro-USDT', () => {
    expect(judge(reading(50n), held(50n), 100n)).toEqual({ expected: 50n, difference: 0n })
    expect(judge(reading(49n), held(50n), 100n)).toEqual({ expected: 50n, difference: -1n })
    expect(judge(reading(51n), held(50n), 100n)).toEqual({ expected: 50n, difference: 1n })
  })

  it('says nothing until every block that it may be of is read', () => {
    expect(judge(reading(50n, 100n, 102n), held(70n), 101n)).toBeNull()
    expect(judge(reading(50n, 100n, 102n), held(70n), 102n)).not.toBeNull()
  })

  it.each([
    [50n, 0n],
    [40n, 0n],
    [45n, 0n],
    [46n, 1n],
    [39n, -1n],
    [42n, 2n],
  ])(
    'of %s between blocks in which 10 left and 5 came differs by %s from the nearest',
    (usdt, difference) => {
      const moved = held(50n, [102n, 5n], [101n, -10n])
      expect(judge(reading(usdt, 100n, 102n), moved, 102n)?.difference).toBe(difference)
    },
  )

  it('knows no balance in the middle of a block', () => {
    const moved = held(50n, [101n, -10n], [101n, 5n])
    expect(judge(reading(40n, 100n, 101n), moved, 101n)?.difference).toBe(-5n)
  })
})

const suspect = (change: Partial<Suspect> = {}): Suspect => ({
  address: 'hot',
  role: 'hot',
  ...reading(70n),
  ...held(70n),
  readAt: ago(1),
  outflow: false,
  ...change,
})
const hot = suspect()
const cold = suspect({ address: 'cold', role: 'cold', usdt: 20n, amount: 20n })
const figures = (change: Partial<Figures> = {}): Figures => ({
  scanned: 100n,
  holdings: { hot: 70n, cold: 20n, deposits: 10n },
  books: { hot: 70n, cold: 20n, deposits: 10n },
  pending: { hot: 0n, cold: 0n, deposits: 0n },
  suspects: [hot, cold],
  more: false,
  depositsReadAt: ago(1),
  inFlight: 0n,
  owed: { principal: 60n, balances: 20n, held: 3n, pending: 2n, due: 5n },
  creditedSeq: 100n,
  bookedUntil: NOW,
  comparedUntil: ago(30),
  ...change,
})

describe('a comparison', () => {
  it('matches when the wallets, the deposit addresses and the ledger agree', () => {
    expect(compare(figures(), NOW)).toMatchObject({
      verdict: 'matched',
      reason: null,
      drift: 0n,
      custody: { hot: 70n, cold: 20n, deposits: 10n },
    })
  })

  it.each<[string, Partial<Figures>]>([
    ['before anything is read', { scanned: null }],
    ['without the cold wallet', { suspects: [hot] }],
    [
      'with a reading of the hot wallet that is six minutes old',
      { suspects: [suspect({ readAt: ago(6) }), cold] },
    ],
    ['with a reading of a block to come', { suspects: [suspect({ toBlock: 101n }), cold] }],
    ['while the deposit addresses are not read', { depositsReadAt: ago(6) }],
    ['when none of them ever was', { depositsReadAt: null }],
    ['while there are more addresses than can be looked at', { more: true }],
    [
      'while a deposit address is in question whose blocks are still to be read',
      { suspects: [hot, cold, suspect({ address: 'T1', role: 'deposit', toBlock: 101n })] },
    ],
  ])('waits %s', (_, change) => {
    expect(compare(figures(change), NOW).verdict).toBe('waiting')
  })

  it('does not wait for deposit addresses that hold nothing', () => {
    const empty = { hot: 70n, cold: 20n, deposits: 0n }
    expect(compare(figures({ holdings: empty, books: empty, depositsReadAt: null }), NOW).verdict).toBe(
      'matched',
    )
  })

  it('is unexplained by one difference, however old, whatever else waits', () => {
    const missing = suspect({ usdt: 69n, readAt: ago(600) })
    expect(compare(figures({ suspects: [missing], depositsReadAt: null }), NOW)).toMatchObject({
      verdict: 'unexplained',
      reason: 'missing',
      drift: 1n,
      differences: [{ address: 'hot', expected: 70n, difference: -1n }],
      custody: { hot: 69n, cold: 20n, deposits: 10n },
    })
  })

  it('is unexplained where the addresses and the ledger differ, but for what is still to be booked', () => {
    const books = { hot: 75n, cold: 20n, deposits: 4n }
    const pending = { hot: -5n, cold: 0n, deposits: 6n }
    expect(compare(figures({ books, pending }), NOW).verdict).toBe('matched')
    expect(compare(figures({ books, pending: { ...pending, hot: -6n } }), NOW)).toMatchObject({
      verdict: 'unexplained',
      reason: 'books',
      drift: 1n,
      remainders: [{ wallet: 'hot', amount: 1n }],
    })
  })

  it('counts each difference by its size, so that two never cancel out', () => {
    const suspects = [
      suspect({ usdt: 69n }),
      suspect({ address: 'cold', role: 'cold', usdt: 21n, amount: 20n }),
    ]
    expect(compare(figures({ suspects }), NOW).drift).toBe(2n)
  })

  it.each([
    ['outflow', [{ usdt: 60n, outflow: true }]],
    ['missing', [{ usdt: 60n }]],
    ['surplus', [{ usdt: 80n, outflow: true }]],
    ['missing', [{ usdt: 80n }, { address: 'T1', role: 'deposit', usdt: 1n, amount: 2n }]],
  ] as const)('names the gravest of what it finds: %s', (reason, changes) => {
    expect(compare(figures({ suspects: changes.map(suspect) }), NOW).reason).toBe(reason)
  })

  it('stays within what can be stored, whatever number a node answers', () => {
    const { drift, custody } = compare(figures({ suspects: [suspect({ usdt: 10n ** 60n }), cold] }), NOW)
    expect([drift, custody.hot]).toEqual([10n ** 18n, 10n ** 18n])
  })

  it('has the next one look again at what it could not judge', () => {
    const waits = suspect({ address: 'T1', role: 'deposit', toBlock: 101n, readAt: ago(20) })
    expect(compare(figures(), NOW).comparedUntil).toEqual(ago(10))
    expect(compare(figures({ suspects: [hot, cold, waits] }), NOW).comparedUntil).toEqual(ago(20))
    expect(compare(figures({ more: true }), NOW).comparedUntil).toEqual(ago(30))
  })
})

describe('the stop', () => {
  it.each([
    [false, 'unexplained', 'stop'],
    [true, 'unexplained', 'stay'],
    [true, 'waiting', 'stay'],
    [true, 'matched', 'lift'],
    [false, 'waiting', 'stay'],
    [false, 'matched', 'stay'],
  ] as const)('stopped %s and %s: %s', (stopped, verdict, next) => {
    expect(nextStop(stopped, verdict)).toBe(next)
  })
})

it('a comparison that says nothing is kept when the last one is five minutes old', () => {
  expect(isWorthKeeping('waiting', ago(4), NOW)).toBe(false)
  expect(isWorthKeeping('waiting', ago(6), NOW)).toBe(true)
  expect(isWorthKeeping('waiting', null, NOW)).toBe(true)
  expect(isWorthKeeping('matched', ago(0), NOW)).toBe(true)
})

it('coverage is truncated to hundredths of a percent', () => {
  expect(coverage(1_999_999n, 2_000_000n)).toBe(9999n)
  expect(coverage(3n, 2n)).toBe(15_000n)
  expect(coverage(3n, 0n)).toBeNull()
})
