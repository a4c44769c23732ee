import { micro } from '@aval/money'
import { sql } from 'kysely'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { query, queryValue } from '../core/query.sql.ts'
import { createLedgerFixture, freshKey } from '../testing/ledger-fixture.ts'
import { suiteFixture } from '../testing/suite.ts'
import { CHART } from './ledger.commands.ts'
import { balancesOf } from './ledger.queries.ts'

const ledger = await suiteFixture(createLedgerFixture)
const insert = (values: string) =>
  `INSERT INTO posting (member_id, journal_id, leg, kind, source, destination, amount, at) VALUES (${values})`

describe('PostgreSQL itself refuses, to the server’s own role,', () => {
  const INSUFFICIENT_PRIVILEGE = '42501'
  let member: bigint
  let rich: bigint
  let journal: bigint

  beforeAll(async () => {
    member = await ledger.openMember()
    rich = await ledger.openMember()
    const deposit = { kind: 'deposit_to_principal', amount: micro(500n) } as const
    journal = (await ledger.book(rich, [deposit], freshKey(), new Date('2026-07-01T00:00:00Z'))).id
  })

  it.each([
    ['updating postings', 'UPDATE posting SET amount = 1'],
    ['deleting postings', 'DELETE FROM posting'],
    ['truncating postings', 'TRUNCATE posting'],
    ['updating the journal', "UPDATE journal SET key = 'other'"],
    ['deleting the journal', 'DELETE FROM journal'],
    ['editing a balance', 'UPDATE member_balance SET balance = 1000000'],
    ['editing a pool', 'UPDATE house_balance SET amount = 1000000'],
    ['forgiving a debt', 'UPDATE member_receivable SET amount = 0'],
    ['inventing a debt', "INSERT INTO member_receivable (member_id, pool, amount) VALUES (1, 'profit', 5)"],
    ['rewriting what was sealed', 'UPDATE payout_page SET item_sum = 1'],
    ['rewriting what points are carried', "UPDATE binary_carry SET period = ''"],
    ['unmaking a master', 'DELETE FROM master_code'],
    ['opening closed books', "UPDATE period_close SET closed_until = '-infinity'"],
    ['switching the rules off', 'ALTER TABLE posting DISABLE TRIGGER ALL'],
    ['becoming the owner', `SET ROLE "${new URL(inject('ownerUrl')).username}"`],
    [
      'a table of its own to hang the ledger’s trigger on',
      'CREATE TEMPORARY TABLE posting_of_mine (LIKE posting)',
    ],
    ['a posting', insert(`1, 1, 9, 'deposit_to_balance', 'custody:deposits', 'balance', 5, '2026-08-01'`)],
    ['a posting on a partition', 'INSERT INTO posting_0 SELECT * FROM posting'],
    ['a journal', "INSERT INTO journal (key, kind, at, input_hash) VALUES ('g', 'x', now(), '')"],
    ['an event of its own making', "SELECT post_event('g', 'x', 1, now(), '{deposit_to_balance}', '{5}')"],
    ['moving the company’s money', "SELECT move_house('{fund_profit}', '{5}')"],
    ['locking what the ledger locks', 'DO $$ BEGIN LOCK TABLE period_close IN ROW SHARE MODE; END $$'],
    ['locking a pool', 'SELECT FROM house_balance FOR KEY SHARE'],
    ['locking a balance', 'SELECT FROM member_balance FOR KEY SHARE'],
  ])('%s', async (_what, statement) => {
    expect(await ledger.refusalOf(statement)).toBe(INSUFFICIENT_PRIVILEGE)
  })

  it('and to the owner too: a posting on a partition that is named itself', async () => {
    expect(await ledger.refusalOf('INSERT INTO posting_0 SELECT * FROM posting', ledger.owner)).toBe(
      INSUFFICIENT_PRIVILEGE,
    )
  })

  it.each([
    ['an amount of nothing', 'deposit_to_balance custody:deposits balance', 0, 'posting_moves_something'],
    ['a negative amount', 'deposit_to_balance custody:deposits balance', -5, 'posting_moves_something'],
    ['a source that is its destination', 'reinvest balance balance', 5, 'posting_follows_the_chart'],
    ['principal paid into a pool', 'reinvest principal pool:profit', 5, 'posting_follows_the_chart'],
    ['principal paid out as commission', 'direct principal balance', 5, 'posting_follows_the_chart'],
    ['a pool that pays without a release', 'passive pool:profit balance', 5, 'posting_follows_the_chart'],
    [
      'a company movement under a member',
      'company_deposit custody:deposits company:capital',
      5,
      'posting_under_its_owner',
    ],
    [
      'principal a pool takes back',
      'reverse_investment principal pool:profit',
      5,
      'posting_follows_the_chart',
    ],
  ])('and to the owner too: %s', async (_what, movement, amount, constraint) => {
    const [kind, source, destination] = movement.split(' ')
    const values = `${member}, ${journal}, 9, '${kind}', '${source}', '${destination}', ${amount}, '2026-08-01'`
    expect(await ledger.refusalOf(insert(values), ledger.owner)).toBe(constraint)
  })

  it.each([
    ['a payout that nothing was released for', ['passive'], 'house_not_below_zero'],
    ['a match that nothing was released for', ['binary'], 'house_not_below_zero'],
    ['balance for a pool that paid nothing', ['clawback_profit'], 'balance_not_below_zero'],
    ['a debt settled by nothing', ['repay_profit'], 'recovery_settles_what_is_owed'],
    ['a debt that is none, settled', ['recover_profit', 'repay_profit'], 'balance_not_below_zero'],
    ['a debt of more than was earned', ['owed_profit'], 'taken_back_not_above_earned'],
    ['more than the member has', ['reinvest'], 'balance_not_below_zero'],
    ['more of pending than came', ['pending_to_balance'], 'pending_not_below_zero'],
  ] as const)('and in any event: %s', async (_what, kinds, constraint) => {
    const booked = ledger.book(
      member,
      kinds.map((kind) => ({ kind, amount: micro(5n) })),
      freshKey(),
      new Date('2026-08-01T00:00:00Z'),
    )
    await expect(booked).rejects.toMatchObject({ constraint })
    expect(Object.values(await balancesOf(ledger.server.db, member))).toEqual(Array(6).fill(0n))
  })

  it('a second event under one key, a second posting in one place, and one of nobody', async () => {
    const key = await queryValue<string>(ledger.server.db)`SELECT key FROM journal LIMIT 1`
    const event = `INSERT INTO journal (key, kind, at, input_hash) VALUES ('${key}', 'x', now(), '')`
    expect(await ledger.refusalOf(event, ledger.owner)).toBe('journal_pkey')
    const again = insert(
      `${rich}, ${journal}, 0, 'deposit_to_balance', 'custody:deposits', 'balance', 5, '2026-08-01'`,
    )
    expect(await ledger.refusalOf(again, ledger.owner)).toBe('posting_0_pkey')
    await expect(
      ledger.book(987_654n, [{ kind: 'deposit_to_balance', amount: micro(5n) }]),
    ).rejects.toMatchObject({ code: '23503' })
  })

  it('and to the owner of the tables too: rewriting history', async () => {
    for (const statement of ['UPDATE posting SET amount = 1', 'TRUNCATE posting'])
      expect(await ledger.refusalOf(statement, ledger.owner)).toBe(INSUFFICIENT_PRIVILEGE)
  })

  it.each([
    'posting',
    'journal',
    'investment',
    'plan_version',
    'declared_rate',
    'master_code',
    'reversal',
    'reversal_part',
    'payout_item',
    'payout_page',
    'payout_missed',
    'payout_share',
    'payout_page_share',
    'binary_carry',
  ])('and to the owner too: deleting from %s', async (table) => {
    expect(await ledger.refusalOf(`DELETE FROM ${table}`, ledger.owner)).toBe(INSUFFICIENT_PRIVILEGE)
  })

  it('and to the gateway: the ledger altogether', async () => {
    for (const statement of [
      'SELECT * FROM posting',
      insert(`${rich}, ${journal}, 3, 'deposit_to_balance', 'custody:deposits', 'balance', 5, now()`),
      "INSERT INTO journal (key, kind, at, input_hash) VALUES ('g', 'x', now(), '')",
      'SELECT * FROM member',
      'SELECT * FROM graphile_worker.jobs',
      "INSERT INTO incoming_transfer (txid) VALUES ('x')",
    ]) {
      expect([statement, await ledger.refusalOf(statement, ledger.gateway)]).toEqual([
        statement,
        INSUFFICIENT_PRIVILEGE,
      ])
    }
  })
})

it('the chart of the server and the constraint of the database allow the same movements, and no others', async () => {
  // The constraint itself, asked about every kind with every source and every destination.
  const constraint = await queryValue<string>(ledger.owner.db)`
      SELECT pg_get_expr(conbin, conrelid) FROM pg_constraint WHERE conname = 'posting_follows_the_chart'`
  const rows = await query<{ kind: string; source: string; destination: string }>(ledger.owner.db)`
      SELECT kind, source, destination FROM unnest(enum_range(NULL::posting_kind)) kind,
        unnest(enum_range(NULL::ledger_account)) source, unnest(enum_range(NULL::ledger_account)) destination
      WHERE ${sql.raw(constraint)}`
  const allowed = rows.map(({ kind, source, destination }) => [kind, [source, destination]])
  expect(Object.fromEntries(allowed)).toEqual(CHART)
  const written = await query<{ kind: string; source: string; destination: string }>(
    ledger.owner.db,
  )`SELECT * FROM posting_chart`
  expect(
    Object.fromEntries(written.map(({ kind, source, destination }) => [kind, [source, destination]])),
  ).toEqual(CHART)
  expect(allowed).toHaveLength(Object.keys(CHART).length)
})
