import { beforeEach, describe, expect, it } from 'vitest'
import { query, queryColumn } from '../../core/query.sql.ts'
import { HOUSE } from '../../ledger/ledger.commands.ts'
import { usdt } from '../../testing/money-fixture.ts'
import { join } from '../../testing/server.ts'
import { soundSuiteFixture } from '../../testing/suite.ts'
import { creditTransfer } from '../deposits/credit.commands.ts'
import { settleTransfer } from '../withdrawals/settle.commands.ts'
import { COLD, HOT } from '../withdrawals/testing/withdrawal-fixture.ts'
import { runCheck, scheduleCheck } from './check.commands.ts'
import { isStopped } from './reserves.queries.ts'
import { deleteOldChecks } from './reserves.sql.ts'
import { createCustodyFixture } from './testing/custody-fixture.ts'

const custody = await soundSuiteFixture(createCustodyFixture, '2026-05-03T15:00:00Z')
const { money, record } = custody
const { db } = money

const ana = await money.member()
const operatorId = await money.operator()
for (const username of ['olga', 'otto']) await join(money.server, { username, isOperator: true })
await money.receive(ana, '400')
await custody.mine()
/** Each test begins with everything read and matching. */
beforeEach(async () => {
  await custody.mine()
  await custody.readAll()
  await finds({ ...MATCHED, drift: 0n })
  expect(await custody.stopped()).toBe(false)
})

const { context } = money.server
const book = (txid: string) => settleTransfer(context, txid, money.moment())
const credit = (txid: string) => creditTransfer(db, txid, 0, money.now)
/** The next comparison finds what is given. */
const finds = async (expected: object) => expect(await custody.check()).toMatchObject(expected)
/** So does the one after this reading. */
const reads = async (expected: object, ...reading: Parameters<typeof custody.read>) =>
  expect(await custody.readAndCheck(...reading)).toMatchObject(expected)
const MATCHED = { verdict: 'matched' }
const UNEXPLAINED = { verdict: 'unexplained' }
const txidOf = (digit: string) => digit.repeat(64)
const lastChecks = () => db.selectFrom('reserve_check').selectAll().orderBy('id', 'desc').execute()

describe('what is no drift', () => {
  it('is a transfer that is recorded and not credited', async () => {
    const address = await custody.deposit(ana)
    await custody.mine((block) => record(address, 'TSomebody', '25', block, txidOf('a')))
    await finds({ ...MATCHED, custody: { deposits: usdt('425') } })
    await credit(txidOf('a'))
    await finds({ ...MATCHED, custody: { deposits: usdt('425') } })
  })

  it('is a withdrawal that left and is not booked; it is shown by itself', async () => {
    const txid = await custody.withdrawal(await money.withdrawer('60'), operatorId)
    await custody.readAll()
    await custody.mine((block) => custody.settle(txid, '49', block))
    await finds({ ...MATCHED, custody: { hot: usdt('951') } })
    expect((await lastChecks())[0]).toMatchObject({ in_flight: usdt('49'), held: usdt('50') })
    await book(txid)
    await finds({ ...MATCHED, custody: { hot: usdt('951') } })
    expect((await lastChecks())[0]).toMatchObject({ in_flight: 0n, held: 0n })
  })

  it('is money on its way between our own addresses, in any order of recording, booking and reading', async () => {
    const sweep = await custody.prepare('sweep', ana, '100')
    await custody.mine((block) => custody.settle(sweep, '100', block))
    const surplus = await custody.prepare('surplus', HOUSE, '30')
    await custody.mine((block) => custody.settle(surplus, '30', block))
    await finds(MATCHED)
    await reads(MATCHED, await custody.deposit(ana), 0n)
    await book(surplus)
    await finds(MATCHED)
    await book(sweep)
    // The cold wallet's key is elsewhere: what comes from there is a transfer like any other, until it is recorded.
    await custody.mine((block) => record(HOT, COLD, '20', block, txidOf('c')))
    await finds(MATCHED)
    await credit(txidOf('c'))
    await custody.readAll()
    await finds({ ...MATCHED, custody: { cold: usdt('510') } })
  })

  it('is a reading of any block, whatever has moved the address since', async () => {
    const before = custody.block
    for (const amount of ['3', '4', '5'])
      await custody.mine((block) => record(HOT, 'TSomebody', amount, block, txidOf(amount)))
    const since = usdt('12')
    await reads({ ...MATCHED }, HOT, -since, { from: before, to: before })
    await reads({ ...MATCHED }, HOT, -usdt('9'), { from: before, to: before + 2n })
    await reads({ ...UNEXPLAINED, drift: usdt('1') }, HOT, -usdt('8'), { from: before, to: before + 2n })
    await custody.readAll()
    await finds(MATCHED)
    for (const amount of ['3', '4', '5']) await credit(txidOf(amount))
  })
})

describe('one micro-USDT', () => {
  it('stops money, wherever it is missing, and lets go when a reading finds it', async () => {
    for (const address of [HOT, COLD, await custody.deposit(ana)]) {
      await reads({ ...UNEXPLAINED, reason: 'missing', drift: 1n }, address, -1n)
      expect(await isStopped(db)).toBe(true)
      await reads(MATCHED, address, 0n)
      expect(await isStopped(db)).toBe(false)
    }
  })

  it('of a deposit address is not forgotten while other addresses are read', async () => {
    await custody.readAndCheck(await custody.deposit(ana), -1n)
    for (const _ of ['an hour later', 'two hours later']) {
      custody.at = new Date(custody.at.getTime() + 3_600_000)
      await custody.read(HOT, 0n)
      await reads({ ...UNEXPLAINED, drift: 1n }, COLD, 0n)
    }
    await custody.readAll()
    await finds(MATCHED)
  })

  it('too much stops as well, until the event that explains it is read', async () => {
    await reads({ verdict: 'waiting' }, HOT, usdt('8'), { from: custody.block + 1n, to: custody.block + 1n })
    await custody.mine()
    await finds({ ...UNEXPLAINED, reason: 'surplus', drift: usdt('8') })
    await custody.mine((block) => record(HOT, 'TSomebody', '8', block - 1n, txidOf('8')))
    await finds(MATCHED)
    expect(await custody.stopped()).toBe(false)
    await credit(txidOf('8'))
  })

  it('between the addresses and the ledger stops too', async () => {
    const change = (by: number) =>
      query(money.owner)`UPDATE custody_balance SET amount = amount + ${by} WHERE account = 'custody:cold'`
    await change(1)
    await finds({ ...UNEXPLAINED, reason: 'books', drift: 1n })
    await change(-1)
    await finds(MATCHED)
  })
})

describe('a stop', () => {
  it('is mailed to every operator once, and recorded with its end', async () => {
    const mails = () => query<{ member_id: bigint; params: object }>(db)`
      SELECT member_id, params FROM mail_message WHERE event LIKE 'reserves:stop:%'`
    const trail = () => queryColumn<string>(db)`
      SELECT action FROM audit_event WHERE action LIKE 'payouts.%' ORDER BY id`
    const [told, written] = [(await mails()).length, (await trail()).length]
    await query(money.gateway.db)`
      INSERT INTO unexplained_outflow (txid, position, block, block_at, from_address, to_address, value)
      VALUES (${txidOf('f')}, 0, ${custody.block}, now() + interval '1 day', ${HOT}, 'TThief', 1)`
    await custody.read(HOT, -1n)
    await Promise.all([custody.check(), custody.check(), custody.check()])
    await custody.check()
    const letters = (await mails()).slice(told)
    const operators = await queryColumn<bigint>(db)`SELECT id FROM member WHERE is_operator`
    expect(new Set(letters.map(({ member_id }) => member_id))).toEqual(new Set(operators))
    expect(letters).toHaveLength(operators.length)
    expect(JSON.stringify(letters[0]?.params)).toContain(HOT)
    expect((await db.selectFrom('payout_stop').selectAll().executeTakeFirstOrThrow()).reason).toBe('outflow')
    await custody.read(HOT, 0n)
    await Promise.all([custody.check(), custody.check()])
    expect((await trail()).slice(written)).toEqual(['payouts.stop', 'payouts.lift'])
  })

  it('outlasts readings that are missing or old', async () => {
    await custody.readAndCheck(HOT, -1n)
    await reads({ verdict: 'waiting', soon: true }, HOT, 0n, { from: custody.block, to: custody.block + 5n })
    expect(await custody.stopped()).toBe(true)
    await custody.read(HOT, 0n)
    custody.at = new Date(custody.at.getTime() + 600_000)
    await finds({ verdict: 'waiting' })
    expect((await lastChecks())[0]?.verdict).toBe('waiting')
    expect(await custody.stopped()).toBe(true)
    await custody.readAll()
    await finds(MATCHED)
    expect(await custody.stopped()).toBe(false)
  })
})

it('the history keeps a month, then one comparison an hour, the bad one where there was one', async () => {
  const day = (days: number, minutes: number) =>
    new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000 - days * 86_400_000 + minutes * 60_000)
  const nothing = { block: 1n, hot: 0n, cold: 0n, deposits: 0n, in_flight: 0n, owed: 0n, drift: 0n }
  const row = (at: Date, verdict = 'matched') => ({ ...nothing, at, verdict })
  const old = [row(day(40, 1)), row(day(40, 2), 'unexplained'), row(day(40, 3))]
  const rows = [...old, row(day(39, 1)), row(day(20, 1))]
  await db.insertInto('reserve_check').values(rows).execute()
  const kept = (await lastChecks()).length
  await deleteOldChecks(db)
  const left = await lastChecks()
  expect(left).toHaveLength(kept - 2)
  expect(left.filter(({ at }) => at <= day(38, 0)).map(({ verdict }) => verdict)).toEqual([
    'matched',
    'unexplained',
  ])
  await expect(query(money.owner)`DELETE FROM reserve_check WHERE at = ${day(20, 1)}`).rejects.toThrow(
    /refused/,
  )
  await expect(query(money.owner)`UPDATE reserve_check SET drift = 0`).rejects.toThrow(/refused/)
})

it('the company’s own deposit address counts as one of them', async () => {
  const address = await custody.deposit(HOUSE)
  await custody.mine((block) => record(address, 'TSomebody', '1000', block, txidOf('b')))
  await finds(MATCHED)
  await credit(txidOf('b'))
  await custody.readAll()
  await finds(MATCHED)
})

describe('the next comparison', () => {
  const due = async () => {
    const times = await queryColumn<Date>(db)`
      SELECT run_at FROM graphile_worker.jobs WHERE key = 'reserves.check'`
    await query(db)`SELECT graphile_worker.remove_job('reserves.check')`
    return times.map((at) => at.getTime())
  }
  const at = new Date('2030-01-01T00:00:00Z')
  const after = (seconds: number) => at.getTime() + seconds * 1000

  it('comes soon after money moved, and is not put off by more of it', async () => {
    await due()
    await scheduleCheck(db, at)
    await scheduleCheck(db, new Date(after(2)))
    expect(await due()).toEqual([after(3)])
  })

  it('comes by itself on the development chain, and sooner where a reading waits for its block', async () => {
    await runCheck(context, at)
    expect(await due()).toEqual([after(20)])
    await query(money.owner)`UPDATE custody_reading SET read_at = ${at}, to_block = to_block + 1`
    await runCheck(context, at)
    expect(await due()).toEqual([after(3)])
  })
})
