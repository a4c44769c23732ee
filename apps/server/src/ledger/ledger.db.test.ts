import { inTransaction, type Tx } from '@aval/db'
import { micro } from '@aval/money'
import { describe, expect, it } from 'vitest'
import { countOf, query, queryValue } from '../core/query.sql.ts'
import { createLedgerFixture, freshKey, LEDGER_TIME } from '../testing/ledger-fixture.ts'
import { suiteFixture } from '../testing/suite.ts'
import { HOUSE, openInstant, type PostingKind } from './ledger.commands.ts'
import { balancesOf, guardedBalance } from './ledger.queries.ts'

const ledger = await suiteFixture(createLedgerFixture)

describe('a posting', () => {
  it('moves one amount between two accounts, and the balances follow', async () => {
    const member = await ledger.openMember()
    await ledger.book(member, [
      { kind: 'deposit_to_principal', amount: micro(1_000_000_000n) },
      { kind: 'deposit_fee', amount: micro(5_000_000n) },
      { kind: 'deposit_to_balance', amount: micro(7n) },
    ])
    expect(await balancesOf(ledger.server.db, member)).toEqual({
      principal: 1_000_000_000n,
      balance: 7n,
      held: 0n,
      earned: 0n,
      earnedPassive: 0n,
      earnedBinary: 0n,
    })
  })

  it('is posted once under its key; the same event again answers the first journal', async () => {
    const member = await ledger.openMember()
    const key = freshKey()
    const first = await ledger.book(member, [{ kind: 'deposit_to_balance', amount: micro(5n) }], key)
    const again = await ledger.book(member, [{ kind: 'deposit_to_balance', amount: micro(5n) }], key)
    expect(again).toEqual({ id: first.id, replayed: true })
    expect((await balancesOf(ledger.server.db, member)).balance).toBe(5n)
  })

  it('of another event under a used key is an error, for any member', async () => {
    const [member, other] = [await ledger.openMember(), await ledger.openMember()]
    const key = freshKey()
    await ledger.book(member, [{ kind: 'deposit_to_balance', amount: micro(5n) }], key)
    await expect(
      ledger.book(member, [{ kind: 'deposit_to_balance', amount: micro(6n) }], key),
    ).rejects.toThrow(/used for another event/)
    await expect(
      ledger.book(other, [{ kind: 'deposit_to_balance', amount: micro(5n) }], key),
    ).rejects.toThrow(/used for another event/)
  })

  it('fifty times at once under one key is posted once', async () => {
    const member = await ledger.openMember()
    const key = freshKey()
    const all = await Promise.all(
      Array.from({ length: 50 }, () =>
        ledger.book(member, [{ kind: 'deposit_to_balance', amount: micro(9n) }], key),
      ),
    )
    expect(all.filter(({ replayed }) => !replayed)).toHaveLength(1)
    expect((await balancesOf(ledger.server.db, member)).balance).toBe(9n)
  })

  it('cannot take a member below zero, not even by two at once', async () => {
    const member = await ledger.openMember()
    await ledger.book(member, [{ kind: 'deposit_to_balance', amount: micro(10n) }])
    const spend = () => ledger.book(member, [{ kind: 'reinvest', amount: micro(10n) }])
    const results = await Promise.allSettled([spend(), spend(), spend()])
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await balancesOf(ledger.server.db, member)).toMatchObject({ principal: 10n, balance: 0n })
  })

  it('cannot take a pool below zero', async () => {
    await ledger.book(HOUSE, [{ kind: 'company_deposit', amount: micro(100n) }])
    await ledger.book(HOUSE, [{ kind: 'fund_profit', amount: micro(60n) }])
    await expect(ledger.book(HOUSE, [{ kind: 'release_profit', amount: micro(61n) }])).rejects.toThrow(
      /house_not_below_zero/,
    )
    await expect(ledger.book(HOUSE, [{ kind: 'fund_profit', amount: micro(41n) }])).rejects.toThrow(
      /house_not_below_zero/,
    )
    expect(await guardedBalance(ledger.server.db, 'pool:profit')).toBe(60n)
  })

  it('of any kind moves its amount between the two accounts of the chart, and lowers what was earned where it is taken back', async () => {
    const member = await ledger.openMember()
    const { db } = ledger.server
    const FUNDS = [
      'deposit_to_principal',
      'deposit_to_balance',
      'deposit_to_pending',
      'hold_balance',
    ] as const
    for (const [index, kind] of FUNDS.entries())
      await ledger.book(member, [{ kind, amount: micro(500n - BigInt(index) * 100n) }])
    await query(
      ledger.owner.db,
    )`UPDATE member_balance SET earned = 500, earned_passive = 300 WHERE member_id = ${member}`
    const figures = async () => ({
      ...(await balancesOf(db, member)),
      pending: await queryValue<bigint>(db)`SELECT amount FROM member_pending WHERE member_id = ${member}`,
    })
    const chart = await query<{ kind: PostingKind; source: string; destination: string }>(db)`
      SELECT kind::text, source::text, destination::text FROM posting_chart
      WHERE '{principal,balance,held,pending,receivable}'::ledger_account[] && ARRAY[source, destination] AND source::text NOT LIKE 'due:%'
      ORDER BY kind NOT IN ('owed_profit', 'owed_commission'), kind`
    for (const { kind, source, destination } of chart.filter(({ kind }) => !kind.startsWith('repay_'))) {
      const before = await figures()
      // What is recovered settles as much of what is owed.
      const [, pool] = /^recover_(profit|commission)$/.exec(kind) ?? []
      const settled = pool === undefined ? [] : [{ kind: `repay_${pool}` as PostingKind, amount: micro(3n) }]
      await ledger.book(member, [{ kind, amount: micro(3n) }, ...settled])
      const moved = (account: string) => (account === destination ? 3n : 0n) - (account === source ? 3n : 0n)
      const takenBack = /^(clawback|owed)_/.test(kind) ? 3n : 0n
      const after = {
        ...Object.fromEntries(Object.entries(before).map(([name, amount]) => [name, amount + moved(name)])),
        earned: before.earned - takenBack,
        earnedPassive: before.earnedPassive - (kind.endsWith('_profit') ? takenBack : 0n),
      }
      expect([kind, await figures()]).toEqual([kind, after])
    }
  })
})

describe('what a member owes', () => {
  const { db } = ledger.server
  const owing = async (commission: bigint, profit: bigint) => {
    const member = await ledger.openMember()
    await query(
      ledger.owner.db,
    )`UPDATE member_balance SET earned = 500, earned_passive = 300 WHERE member_id = ${member}`
    await ledger.book(member, [
      { kind: 'owed_commission', amount: micro(commission) },
      { kind: 'owed_profit', amount: micro(profit) },
    ])
    return member
  }
  const owed = async (member: bigint) => {
    const rows = await query<{ pool: string; amount: bigint }>(db)`
      SELECT pool, amount FROM member_receivable WHERE member_id = ${member} ORDER BY pool`
    return rows.map(({ pool, amount }) => [pool, amount])
  }
  const recover = (member: bigint) =>
    queryValue<bigint>(db)`SELECT recover_receivable(${member}, ${LEDGER_TIME})`

  it('is paid from the own balance and no more than that: commission first, then profit', async () => {
    const [member, other] = [await owing(4n, 9n), await owing(5n, 8n)]
    for (const [who, amount] of [
      [member, 10n],
      [other, 20n],
    ] as const)
      await ledger.book(who, [{ kind: 'deposit_to_balance', amount: micro(amount) }])
    expect(await recover(member)).toBe(10n)
    expect([await owed(member), (await balancesOf(db, member)).balance]).toEqual([
      [
        ['commission', 0n],
        ['profit', 3n],
      ],
      0n,
    ])
    expect(await recover(member)).toBe(0n)
    await ledger.book(member, [{ kind: 'deposit_to_balance', amount: micro(7n) }])
    expect(await recover(member)).toBe(3n)
    expect((await balancesOf(db, member)).balance).toBe(4n)
    expect(await owed(other)).toEqual([
      ['commission', 5n],
      ['profit', 8n],
    ])
    expect(await recover(other)).toBe(13n)
    expect((await balancesOf(db, other)).balance).toBe(7n)
    const even = await owing(6n, 6n)
    await ledger.book(even, [{ kind: 'deposit_to_balance', amount: micro(12n) }])
    expect(await recover(even)).toBe(12n)
  })
})

/** How many wait for the period's lock in this database. */
const closersWaiting = (tx: Tx) =>
  countOf(tx)`pg_locks l JOIN pg_database d ON d.oid = l.database
    WHERE d.datname = current_database() AND l.relation = 'period_close'::regclass AND NOT l.granted`

const closedUntil = () => queryValue<Date>(ledger.server.db)`SELECT closed_until FROM period_close`

describe('the books of a closed period', () => {
  it('take no principal with an earlier date; a later one is dated into the open period', async () => {
    const member = await ledger.openMember()
    const closed = new Date('2026-06-01T05:00:00Z')
    await query(ledger.server.db)`SELECT close_period(${closed})`
    const early = new Date('2026-06-01T04:59:59Z')
    await expect(
      ledger.book(member, [{ kind: 'deposit_to_principal', amount: micro(1n) }], freshKey(), early),
    ).rejects.toThrow(/closed period/)
    expect(await inTransaction(ledger.server.db, (tx) => openInstant(tx, early))).toEqual(closed)
    await ledger.book(member, [{ kind: 'deposit_to_principal', amount: micro(1n) }], freshKey(), closed)
  })

  it('wait for open changes of principal, so that nothing falls between two days', async () => {
    const until = new Date('2026-06-02T05:00:00Z')
    let closing: Promise<unknown> = Promise.resolve()
    await inTransaction(ledger.server.db, async (tx) => {
      await openInstant(tx, LEDGER_TIME)
      closing = query(ledger.server.db)`SELECT close_period(${until})`
      await expect.poll(() => closersWaiting(tx)).toBe(1)
      const rows = await query(tx)`SELECT FROM period_close WHERE closed_until < ${until}`
      expect(rows).toHaveLength(1)
    })
    await closing
    expect(await closedUntil()).toEqual(until)
  })

  it('never open again', async () => {
    await query(ledger.server.db)`SELECT close_period('2020-01-01')`
    expect(await closedUntil()).toEqual(new Date('2026-06-02T05:00:00Z'))
  })
})
