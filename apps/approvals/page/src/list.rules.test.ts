import { describe, expect, it } from 'vitest'
import {
  approvalRows,
  askedIn,
  barOf,
  type Filter,
  lookedFor,
  type Order,
  type Row,
  reviewed,
  shownRows,
  sumsOf,
  windowOf,
} from './list.rules.ts'

const base: Row = {
  id: '1',
  memberId: '10',
  username: 'ana',
  name: 'Ana Lima',
  amount: 5_000_000n,
  fee: 1_000_000n,
  wallet: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8',
  requestedAt: '2026-11-23T10:00:00Z',
  dueAt: null,
  soonAt: null,
  risks: [],
  daySum: 5_000_000n,
  walletChangedAt: null,
  needed: 1,
  approvals: [],
  waiting: [],
}
const row = (id: number, changes: Partial<Row> = {}): Row => ({ ...base, id: String(id), ...changes })
const chosenOf = (...rows: Row[]) => new Map(rows.map((each) => [each.id, each]))
const olga = { operator: '7', name: 'olga' }

describe('a list that is read again', () => {
  it('keeps what was chosen, as it was chosen', () => {
    const chosen = chosenOf(row(1), row(2))
    expect(shownRows([row(1), row(2), row(3)], chosen).map(({ mark }) => mark)).toEqual([null, null, null])
  })

  it.each<[string, Partial<Row>]>([
    ['amount', { amount: 6_000_000n }],
    ['fee', { fee: 2_000_000n }],
    ['wallet', { wallet: 'TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf' }],
    ['member', { memberId: '11' }],
  ])('marks a chosen row whose %s changed, and shows what is there now', (_what, change) => {
    const [shown] = shownRows([row(1, change)], chosenOf(row(1)))
    expect(shown).toEqual({ row: row(1, change), mark: 'changed' })
    expect(barOf({ row: row(1, change), mark: 'changed' }, null)).toBe('changed')
  })

  it('marks no row that nobody chose, and none whose approvals alone are others', () => {
    expect(shownRows([row(1, { amount: 9n })], new Map())[0]?.mark).toBeNull()
    expect(shownRows([row(1, { approvals: [olga] })], chosenOf(row(1)))[0]?.mark).toBeNull()
  })

  it('shows a chosen row that is gone, in front, and marked', () => {
    expect(shownRows([row(2)], chosenOf(row(1)))).toEqual([
      { row: row(1), mark: 'gone' },
      { row: row(2), mark: null },
    ])
  })
})

describe('what an operator cannot approve', () => {
  it.each<[string, Partial<Row>, string | null, string | null]>([
    ['nothing of the rest', {}, '7', null],
    ['their own', { memberId: '7' }, '7', 'own'],
    ['what they approved', { approvals: [olga] }, '7', 'approved'],
    ['what they handed in', { waiting: [olga] }, '7', 'waiting'],
    ['nothing that another approved', { approvals: [olga] }, '8', null],
    ['nothing, as long as nobody said who', { memberId: '7' }, null, null],
  ])('%s', (_what, changes, operator, bar) => {
    expect(barOf({ row: row(1, changes), mark: null }, operator)).toBe(bar)
  })
})

describe('looking for rows', () => {
  const rows = [
    row(1, { username: 'zoe', name: 'Zoe Paz', amount: 9_000_000n, risks: ['new_wallet'] }),
    row(2, { username: 'ana', amount: 20_000_000n, needed: 2, risks: ['first_withdrawal'] }),
    row(10, { username: 'luis', name: 'Luis Mora', amount: 9_000_000n, approvals: [olga] }),
  ]
  const found = (typed = '', filter: Filter = 'all', order: Order = 'oldest') =>
    lookedFor(shownRows(rows, new Map()), { asked: null, typed, filter, order }).map((each) => each.row.id)

  it.each<[string, string[]]>([
    ['', ['1', '2', '10']],
    ['ana', ['2']],
    ['MORA luis', ['10']],
    ['10', ['10']],
    ['tjrab', ['1', '2', '10']],
    ['nobody', []],
  ])('%j finds %j', (typed, ids) => {
    expect(found(typed)).toEqual(ids)
  })

  it('shows those with warnings, or those that two operators approve', () => {
    expect(found('', 'risky')).toEqual(['1'])
    expect(found('', 'second')).toEqual(['2', '10'])
  })

  it('orders by age as a number, by amount, by member', () => {
    expect(found('', 'all', 'largest')).toEqual(['2', '1', '10'])
    expect(found('', 'all', 'member')).toEqual(['2', '10', '1'])
  })

  it('never hides what changed since it was chosen', () => {
    const shown = shownRows(rows, chosenOf(row(5), row(2, { amount: 1n })))
    const ids = lookedFor(shown, {
      asked: new Set(['1']),
      typed: 'nobody',
      filter: 'risky',
      order: 'oldest',
    }).map((each) => each.row.id)
    expect(ids).toEqual(['5', '2'])
  })
})

describe('sums', () => {
  it('are exact, of rows and of members', () => {
    const rows = [row(1, { amount: 2n ** 60n }), row(2, { amount: 1n }), row(3, { memberId: '11' })]
    expect(sumsOf(rows)).toEqual({ count: 3, members: 2, amount: 2n ** 60n + 5_000_001n, fee: 3_000_000n })
    expect(sumsOf([])).toEqual({ count: 0, members: 0, amount: 0n, fee: 0n })
  })

  it('stand beside a member who has several, who gets most first', () => {
    const rows = [
      row(1, { memberId: '11', amount: 8n }),
      row(2, { memberId: '12', amount: 5n }),
      row(3, { memberId: '12', amount: 6n }),
    ]
    expect(reviewed(rows).map((each) => [each.row.id, each.member])).toEqual([
      ['3', { count: 2, amount: 11n }],
      ['2', null],
      ['1', null],
    ])
  })
})

describe('what is signed', () => {
  it('is in the order of the numbers, whatever the order of the list', () => {
    expect(approvalRows([row(10), row(9), row(100)]).map(({ withdrawalId }) => withdrawalId)).toEqual([
      9n,
      10n,
      100n,
    ])
    expect(approvalRows([row(4)])).toEqual([
      { withdrawalId: 4n, memberId: 10n, amount: 5_000_000n, fee: 1_000_000n, wallet: base.wallet },
    ])
  })
})

describe('which rows are drawn', () => {
  it.each([
    ['a list that begins further down', -500, [0, 9]],
    ['its beginning', 0, [0, 14]],
    ['its middle', 50_000, [494, 514]],
    ['its end', 999_200, [9986, 10_000]],
    ['beyond it', 2_000_000, [10_000, 10_000]],
  ])('%s', (_what, top, range) => {
    expect(windowOf(top, 800, 100, 10_000)).toEqual(range)
  })

  it('are none of an empty list', () => {
    expect(windowOf(0, 800, 100, 0)).toEqual([0, 0])
  })
})

describe('an address that names withdrawals', () => {
  it.each([
    ['#withdrawals=3', ['3']],
    ['#withdrawals=3,15,3', ['3', '15']],
    ['#withdrawals=', null],
    ['#withdrawals=3,<b>', null],
    ['#withdrawals=0', null],
    [`#withdrawals=${Array.from({ length: 101 }, (_, at) => at + 1)}`, null],
    ['#enrol', null],
    ['', null],
  ])('%s asks for %j alone', (hash, ids) => {
    const asked = askedIn(hash)
    expect(asked === null ? null : [...asked]).toEqual(ids)
  })

  it('shows those, and what was chosen before and changed', () => {
    const rows = [row(1), row(2), row(3)]
    const chosen = chosenOf(row(1, { amount: 1n }))
    const looked = { asked: new Set(['3']), typed: '', filter: 'all', order: 'oldest' } as const
    expect(lookedFor(shownRows(rows, chosen), looked).map((each) => each.row.id)).toEqual(['1', '3'])
  })
})
