import { randomUUID } from 'node:crypto'
import { type Connection, connect, constraintOf, inTransaction, sqlState } from '@aval/db'
import { createTestDatabase, type TestDatabase } from '@aval/db/testing'
import { micro } from '@aval/money'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { checkLedger } from './check.ts'
import {
  HOUSE,
  KeyReused,
  type Movement,
  openInstant,
  post,
  selectBalances,
  selectGuarded,
} from './ledger.commands.ts'

let database: TestDatabase
let server: Connection
let owner: Connection
let gateway: Connection

beforeAll(async () => {
  database = await createTestDatabase(inject('ownerUrl'))
  server = connect(database.serverUrl)
  owner = connect(database.ownerUrl)
  gateway = connect(database.gatewayUrl)
})

afterAll(async () => {
  await Promise.all([server, owner, gateway].map((connection) => connection?.close()))
  await database?.drop()
})

const AT = new Date('2026-05-03T12:00:00Z')

const freshKey = () => `test:${randomUUID()}`

async function openMember(): Promise<bigint> {
  const { rows } = await sql<{ id: bigint }>`
    INSERT INTO member (username, email, password_hash, ref_code, terms_accepted_at, joined_at)
    VALUES ('m', 'm@example.com', 'x', '1234567', ${AT}, ${AT}) RETURNING id`.execute(server.db)
  const id = rows[0]?.id ?? 0n
  await sql`SELECT open_member_accounts(${id})`.execute(server.db)
  return id
}

function book(memberId: bigint, movements: Movement[], key = freshKey(), at = AT) {
  return inTransaction(server.db, (tx) => post(tx, { key, kind: 'test', memberId, at, movements }))
}

/** What PostgreSQL answers to a statement of the server's own role. */
async function refusalOf(statement: string, as: Connection = server): Promise<string | null> {
  try {
    await sql.raw(statement).execute(as.db)
    return null
  } catch (error) {
    return constraintOf(error) ?? sqlState(error)
  }
}

describe('a posting', () => {
  it('moves one amount between two accounts, and the balances follow', async () => {
    const member = await openMember()
    await book(member, [
      { kind: 'deposit_to_principal', amount: micro(1_000_000_000n) },
      { kind: 'deposit_fee', amount: micro(5_000_000n) },
      { kind: 'deposit_to_balance', amount: micro(7n) },
    ])
    expect(await selectBalances(server.db, member)).toEqual({
      principal: 1_000_000_000n,
      balance: 7n,
      held: 0n,
      earned: 0n,
    })
  })

  it('is posted once under its key; the same event again answers the first journal', async () => {
    const member = await openMember()
    const key = freshKey()
    const first = await book(member, [{ kind: 'deposit_to_balance', amount: micro(5n) }], key)
    const again = await book(member, [{ kind: 'deposit_to_balance', amount: micro(5n) }], key)
    expect(again).toEqual({ id: first.id, replayed: true })
    expect((await selectBalances(server.db, member)).balance).toBe(5n)
  })

  it('of another event under a used key is an error, whoever the member is', async () => {
    const [member, other] = [await openMember(), await openMember()]
    const key = freshKey()
    await book(member, [{ kind: 'deposit_to_balance', amount: micro(5n) }], key)
    await expect(book(member, [{ kind: 'deposit_to_balance', amount: micro(6n) }], key)).rejects.toThrow(
      KeyReused,
    )
    await expect(book(other, [{ kind: 'deposit_to_balance', amount: micro(5n) }], key)).rejects.toThrow(
      KeyReused,
    )
  })

  it('fifty times at once under one key is posted once', async () => {
    const member = await openMember()
    const key = freshKey()
    const all = await Promise.all(
      Array.from({ length: 50 }, () =>
        book(member, [{ kind: 'deposit_to_balance', amount: micro(9n) }], key),
      ),
    )
    expect(all.filter(({ replayed }) => !replayed)).toHaveLength(1)
    expect((await selectBalances(server.db, member)).balance).toBe(9n)
  })

  it('cannot take a member below zero, not even by two at once', async () => {
    const member = await openMember()
    await book(member, [{ kind: 'deposit_to_balance', amount: micro(10n) }])
    const spend = () => book(member, [{ kind: 'reinvest', amount: micro(10n) }])
    const results = await Promise.allSettled([spend(), spend(), spend()])
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await selectBalances(server.db, member)).toMatchObject({ principal: 10n, balance: 0n })
  })

  it('cannot take a pool below zero', async () => {
    await book(HOUSE, [{ kind: 'company_deposit', amount: micro(100n) }])
    await book(HOUSE, [{ kind: 'fund_profit', amount: micro(60n) }])
    await expect(book(HOUSE, [{ kind: 'release_profit', amount: micro(61n) }])).rejects.toThrow(
      /house_not_below_zero/,
    )
    await expect(book(HOUSE, [{ kind: 'fund_profit', amount: micro(41n) }])).rejects.toThrow(
      /house_not_below_zero/,
    )
    expect(await selectGuarded(server.db, 'pool:profit')).toBe(60n)
  })
})

describe('the books of a closed period', () => {
  it('take no principal with an earlier date; a later one is dated into the open period', async () => {
    const member = await openMember()
    const closed = new Date('2026-06-01T05:00:00Z')
    await sql`SELECT close_period(${closed})`.execute(server.db)
    const early = new Date('2026-06-01T04:59:59Z')
    await expect(
      book(member, [{ kind: 'deposit_to_principal', amount: micro(1n) }], freshKey(), early),
    ).rejects.toThrow(/closed period/)
    expect(await inTransaction(server.db, (tx) => openInstant(tx, early))).toEqual(closed)
    await book(member, [{ kind: 'deposit_to_principal', amount: micro(1n) }], freshKey(), closed)
  })

  it('wait for whoever is changing principal, so that nothing falls between two days', async () => {
    const until = new Date('2026-06-02T05:00:00Z')
    let closing: Promise<unknown> = Promise.resolve()
    await inTransaction(server.db, async (tx) => {
      await openInstant(tx, AT)
      closing = sql`SELECT close_period(${until})`.execute(server.db)
      const { rows } = await sql<{ waiting: number }>`
        SELECT count(*)::int AS waiting FROM period_close WHERE closed_until < ${until}`.execute(tx)
      expect(rows[0]?.waiting).toBe(1)
    })
    await closing
    const { rows } = await sql<{ closed_until: Date }>`SELECT closed_until FROM period_close`.execute(
      server.db,
    )
    expect(rows[0]?.closed_until).toEqual(until)
  })

  it('never open again', async () => {
    await sql`SELECT close_period('2020-01-01')`.execute(server.db)
    const { rows } = await sql<{ closed_until: Date }>`SELECT closed_until FROM period_close`.execute(
      server.db,
    )
    expect(rows[0]?.closed_until).toEqual(new Date('2026-06-02T05:00:00Z'))
  })
})

describe('PostgreSQL itself refuses, to the server’s own role,', () => {
  const INSUFFICIENT_PRIVILEGE = '42501'
  const insert = (values: string) =>
    `INSERT INTO posting (member_id, journal_id, leg, kind, source, destination, amount, at) VALUES (${values})`
  let member: bigint
  let rich: bigint
  let journal: bigint

  beforeAll(async () => {
    member = await openMember()
    rich = await openMember()
    journal = (
      await book(
        rich,
        [{ kind: 'deposit_to_principal', amount: micro(500n) }],
        freshKey(),
        new Date('2026-07-01T00:00:00Z'),
      )
    ).id
  })

  it.each([
    ['updating postings', 'UPDATE posting SET amount = 1'],
    ['deleting postings', 'DELETE FROM posting'],
    ['truncating postings', 'TRUNCATE posting'],
    ['updating the journal', "UPDATE journal SET key = 'other'"],
    ['deleting the journal', 'DELETE FROM journal'],
    ['editing a balance', 'UPDATE member_balance SET balance = 1000000'],
    ['editing a pool', 'UPDATE house_balance SET amount = 1000000'],
    ['opening closed books', "UPDATE period_close SET closed_until = '-infinity'"],
    ['switching the rules off', 'ALTER TABLE posting DISABLE TRIGGER ALL'],
    ['becoming the owner', 'SET ROLE postgres'],
  ])('%s', async (_what, statement) => {
    expect(await refusalOf(statement)).toBe(INSUFFICIENT_PRIVILEGE)
  })

  it.each([
    [
      'an amount of nothing',
      "'deposit_to_balance', 'custody:deposits', 'balance', 0",
      'posting_moves_something',
    ],
    [
      'a negative amount',
      "'deposit_to_balance', 'custody:deposits', 'balance', -5",
      'posting_moves_something',
    ],
    ['a source that is its destination', "'reinvest', 'balance', 'balance', 5", 'posting_follows_the_chart'],
    ['principal paid into a pool', "'reinvest', 'principal', 'pool:profit', 5", 'posting_follows_the_chart'],
    ['principal paid out as commission', "'direct', 'principal', 'balance', 5", 'posting_follows_the_chart'],
    [
      'a pool that pays without a release',
      "'passive', 'pool:profit', 'balance', 5",
      'posting_follows_the_chart',
    ],
    [
      'a payout that nothing was released for',
      "'passive', 'due:profit', 'balance', 5",
      'house_not_below_zero',
    ],
    [
      'a company movement under a member',
      "'company_deposit', 'custody:deposits', 'company:capital', 5",
      'posting_under_its_owner',
    ],
    ['more than the member has', "'reinvest', 'balance', 'principal', 5", 'balance_not_below_zero'],
  ])('%s', async (_what, movement, constraint) => {
    const at = "'2026-08-01'"
    expect(await refusalOf(insert(`${member}, ${journal}, 9, ${movement}, ${at}`))).toBe(constraint)
    expect(await selectBalances(server.db, member)).toEqual({
      principal: 0n,
      balance: 0n,
      held: 0n,
      earned: 0n,
    })
  })

  it('a second event under one key, a second posting in one place, and one without a journal', async () => {
    const [row] = (await sql<{ key: string }>`SELECT key FROM journal LIMIT 1`.execute(server.db)).rows
    expect(
      await refusalOf(
        `INSERT INTO journal (key, kind, at, input_hash) VALUES ('${row?.key}', 'x', now(), '')`,
      ),
    ).toBe('journal_pkey')
    expect(
      await refusalOf(
        insert(
          `${rich}, ${journal}, 0, 'deposit_to_balance', 'custody:deposits', 'balance', 5, '2026-08-01'`,
        ),
      ),
    ).toBe('posting_pkey')
    expect(
      await refusalOf(
        insert(`${rich}, 999999, 0, 'deposit_to_balance', 'custody:deposits', 'balance', 5, '2026-08-01'`),
      ),
    ).toBe('23503')
    expect(
      await refusalOf(
        insert(`987654, ${journal}, 1, 'deposit_to_balance', 'custody:deposits', 'balance', 5, '2026-08-01'`),
      ),
    ).toBe('23503')
  })

  it('and to the owner of the tables too: rewriting history', async () => {
    expect(await refusalOf('UPDATE posting SET amount = 1', owner)).toBe(INSUFFICIENT_PRIVILEGE)
    expect(await refusalOf('DELETE FROM posting', owner)).toBe(INSUFFICIENT_PRIVILEGE)
    expect(await refusalOf('TRUNCATE posting', owner)).toBe(INSUFFICIENT_PRIVILEGE)
  })

  it('and to the gateway: the ledger altogether', async () => {
    for (const statement of [
      'SELECT * FROM posting',
      insert(`${rich}, ${journal}, 3, 'deposit_to_balance', 'custody:deposits', 'balance', 5, now()`),
      "INSERT INTO journal (key, kind, at, input_hash) VALUES ('g', 'x', now(), '')",
      'SELECT * FROM member',
      'SELECT * FROM graphile_worker.jobs',
      "INSERT INTO chain_transfer (txid) VALUES ('x')",
    ]) {
      expect([statement, await refusalOf(statement, gateway)]).toEqual([statement, INSUFFICIENT_PRIVILEGE])
    }
  })
})

describe('the check of the whole ledger', () => {
  const faultsAfter = async (tamper: string): Promise<readonly string[]> => {
    const copy = await createTestDatabase(inject('ownerUrl'))
    const [asOwner, asServer] = [connect(copy.ownerUrl), connect(copy.serverUrl)]
    try {
      await sql`SELECT open_member_accounts(1)`.execute(asServer.db)
      await inTransaction(asServer.db, (tx) =>
        post(tx, {
          key: 'a',
          kind: 'test',
          memberId: 1n,
          at: AT,
          movements: [{ kind: 'deposit_to_balance', amount: micro(5n) }],
        }),
      )
      expect((await checkLedger(asServer.db)).faults).toEqual([])
      await sql.raw(tamper).execute(asOwner.db)
      return (await checkLedger(asServer.db)).faults
    } finally {
      await Promise.all([asOwner.close(), asServer.close()])
      await copy.drop()
    }
  }

  it.each([
    ['a balance edited by hand', 'UPDATE member_balance SET balance = 6', /member 1: balance is stored as 6/],
    [
      'a pool edited by hand',
      "UPDATE house_balance SET amount = 1 WHERE account = 'pool:profit'",
      /pool:profit is stored as 1/,
    ],
    [
      'a credit without a transfer',
      "INSERT INTO deposit_credit VALUES (repeat('a', 64), 0, 1, 1, 5, 'unasked', NULL, now())",
      /no transfer on the chain/,
    ],
    [
      'a posting removed behind its triggers',
      'ALTER TABLE posting DISABLE TRIGGER ALL; DELETE FROM posting; ALTER TABLE posting ENABLE TRIGGER ALL',
      /member 1: balance is stored as 5/,
    ],
  ])('finds %s', async (_what, tamper, fault) => {
    expect((await faultsAfter(tamper)).join('\n')).toMatch(fault)
  })
})
