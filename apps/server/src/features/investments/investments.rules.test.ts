import { micro } from '@aval/money'
import { describe, expect, it } from 'vitest'
import { assignUnconfirmed, type InvoiceFacts, unfinishedSince, viewInvoice } from './investments.rules.ts'

const EXPIRES = new Date('2026-05-03T12:00:00Z')
const minutes = (count: number) => new Date(EXPIRES.getTime() + count * 60_000)
const DUE = micro(1_005_000_000n)
const facts = (overrides: Partial<InvoiceFacts> = {}): InvoiceFacts => ({
  state: 'open',
  amount: micro(1_000_000_000n),
  fee: micro(5_000_000n),
  received: micro(0n),
  expires_at: EXPIRES,
  onTheWay: null,
  inTime: micro(0n),
  late: micro(0n),
  ...overrides,
})
const part = micro(300_000_000n)
const seen = (value: bigint, confirmations = 3) => ({ value: micro(value), confirmations })

describe('an invoice', () => {
  it.each([
    ['waits while nothing is seen', {}, -1, 'waiting'],
    ['confirms what is seen', { onTheWay: seen(DUE) }, -1, 'confirming'],
    ['still confirms what was sent just in time', { onTheWay: seen(DUE) }, 1, 'confirming'],
    ['confirms a further part', { received: part, onTheWay: seen(5n) }, -1, 'confirming'],
    ['is partly paid', { received: part }, -1, 'partly_paid'],
    ['confirms to the end of its ten minutes of grace', { onTheWay: seen(7n) }, 10, 'confirming'],
    ['confirms nothing after that', { onTheWay: seen(7n) }, 11, 'expired'],
    ['waits in its last instant', {}, 0, 'waiting'],
    ['expires', {}, 1, 'expired'],
    ['expires with a part, too', { received: part }, 1, 'expired'],
    ['is expired where it was stored so', { state: 'expired' }, -1, 'expired'],
    ['is cancelled', { state: 'cancelled' }, -1, 'cancelled'],
    ['is paid, whatever else is on its way', { state: 'paid', onTheWay: seen(7n) }, 60, 'paid'],
  ] as const)('%s', (_sentence, given, after, expected) => {
    expect(viewInvoice(facts(given), minutes(after), 19).state).toBe(expected)
  })

  it.each([
    ['all of it', {}, DUE],
    ['the rest after a part', { received: part }, 705_000_000n],
    ['not what is on its way', { received: part, onTheWay: seen(5_000_000n) }, 700_000_000n],
    ['nothing where more than enough is on its way', { onTheWay: seen(DUE + 1n) }, 0n],
  ] as const)('asks for what is missing: %s', (_sentence, given, missing) => {
    expect(viewInvoice(facts(given), minutes(-1), 19).missing).toBe(missing)
  })

  it.each([
    ['a surplus', { state: 'paid', received: DUE, inTime: micro(DUE + 96n) }, 96n],
    ['what came late', { state: 'expired', late: micro(7n) }, 7n],
    ['the part of one that expired', { state: 'expired', received: part, inTime: part }, part],
    ['all parts of one that was cancelled', { state: 'cancelled', inTime: part, late: micro(7n) }, part + 7n],
    ['nothing of one that is open', { received: part, inTime: part }, 0n],
  ] as const)('says what went to the balance: %s', (_sentence, given, toBalance) => {
    expect(viewInvoice(facts(given), minutes(-1), 19).toBalance).toBe(toBalance)
  })

  it.each([
    ['is open and has none', {}, { isOpen: true, onTheWay: 0n, confirmations: 0 }],
    ['is open, of what is seen', { onTheWay: seen(7n, 3) }, { isOpen: true, onTheWay: 7n, confirmations: 3 }],
    ['is open: never more than are needed', { onTheWay: seen(7n, 25) }, { confirmations: 19 }],
    ['is paid: all', { state: 'paid' }, { isOpen: false, onTheWay: 0n, confirmations: 19, missing: 0n }],
    ['has expired: all', { state: 'expired', received: part }, { isOpen: false, missing: DUE - part }],
  ] as const)('that %s, says its confirmations', (_sentence, given, view) => {
    expect(viewInvoice(facts(given), minutes(-1), 19)).toMatchObject(view)
  })

  it('that is over says nothing of what is sent to the member later', () => {
    const later = { state: 'expired', onTheWay: seen(777_000_000n) } as const
    expect(viewInvoice(facts(later), minutes(60), 19)).toMatchObject({ state: 'expired', onTheWay: 0n })
  })
})

it('an invoice that ended unpaid is shown for a day', () => {
  expect(unfinishedSince(EXPIRES)).toEqual(minutes(-24 * 60))
})

it('what is on its way is for the oldest invoice until that is paid, then for the next one', () => {
  const open = (id: bigint, received = micro(0n)) => ({ ...facts({ received }), id })
  const transfers = [seen(300_000_000n, 7), seen(800_000_000n, 5), seen(9n, 2), seen(1n, 1)]
  expect([...assignUnconfirmed(transfers, [open(1n), open(2n), open(3n)])]).toEqual([
    [1n, { value: 1_100_000_000n, confirmations: 5 }],
    [2n, { value: 10n, confirmations: 1 }],
  ])
  expect([...assignUnconfirmed(transfers, [])]).toEqual([])
})
