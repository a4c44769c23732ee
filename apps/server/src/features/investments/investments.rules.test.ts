import { micro } from '@aval/money'
import { describe, expect, it } from 'vitest'
import { type InvoiceFacts, viewInvoice } from './investments.rules.ts'

const EXPIRES = new Date('2026-05-03T12:00:00Z')
const minutes = (count: number) => new Date(EXPIRES.getTime() + count * 60_000)
const facts = (overrides: Partial<InvoiceFacts> = {}): InvoiceFacts => ({
  stored: 'open',
  due: micro(1_005_000_000n),
  expiresAt: EXPIRES,
  unconfirmed: [],
  arrived: micro(0n),
  ...overrides,
})
const unconfirmed = (value: bigint, confirmations = 3) => [{ value, confirmations }]
const state = (given: Partial<InvoiceFacts>, now: Date) => viewInvoice(facts(given), now, 19).state

describe('an invoice', () => {
  it.each([
    ['waits while nothing is seen', {}, -1, 'waiting'],
    ['confirms what is seen', { unconfirmed: unconfirmed(1_005_000_000n) }, -1, 'confirming'],
    [
      'still confirms what was sent just in time',
      { unconfirmed: unconfirmed(1_005_000_000n) },
      1,
      'confirming',
    ],
    ['is short of what it asked', { arrived: micro(5n) }, -1, 'short'],
    ['confirms to the end of its ten minutes of grace', { unconfirmed: unconfirmed(7n) }, 10, 'confirming'],
    ['confirms nothing after that', { unconfirmed: unconfirmed(7n) }, 11, 'expired'],
    ['is not short of what arrived whole', { arrived: micro(1_005_000_000n) }, -1, 'waiting'],
    ['waits in its last instant', {}, 0, 'waiting'],
    ['expires', {}, 1, 'expired'],
    ['is expired where it was stored so', { stored: 'expired' }, -1, 'expired'],
    ['is paid, whatever else is on its way', { stored: 'paid', unconfirmed: unconfirmed(7n) }, 60, 'paid'],
  ] as const)('%s', (_sentence, given, after, expected) => {
    expect(state(given, minutes(after))).toBe(expected)
  })

  it.each([
    ['that covers it, however late it was seen', 1_005_000_000n, 1_005_000_000n, 19, 0n],
    ['that came first, where none covers it', 8n, 7n, 3, 1_004_999_993n],
  ])('shows the transfer %s', (_sentence, second, received, confirmations, missing) => {
    const seen = [...unconfirmed(7n), ...unconfirmed(second, 30)]
    const view = viewInvoice(facts({ unconfirmed: seen }), minutes(-1), 19)
    expect(view).toEqual({ state: 'confirming', received, confirmations, missing })
  })

  it('that lapsed says nothing of what is sent to the member later', () => {
    const later = { stored: 'expired', unconfirmed: unconfirmed(777_000_000n) } as const
    expect(viewInvoice(facts(later), minutes(60), 19)).toMatchObject({ state: 'expired', received: 0n })
  })
})
