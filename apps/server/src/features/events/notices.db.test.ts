/** What the database announces of members: once, when it is committed, and never how much. */
import pg from 'pg'
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { query } from '../../core/query.sql.ts'
import { runDue } from '../../testing/audited.ts'
import { suiteFixture } from '../../testing/suite.ts'
import { cancelInvoice } from '../investments/invoices.commands.ts'
import { createWithdrawalFixture } from '../withdrawals/testing/withdrawal-fixture.ts'

const money = await suiteFixture(createWithdrawalFixture, '2026-05-03T15:00:00Z')
const listening = new pg.Client({ connectionString: money.server.database.serverUrl })
const payloads: string[] = []
listening.on('notification', ({ payload = '' }) => payloads.push(payload))
await listening.connect()
await listening.query('LISTEN member_notices')

let marks = 0

/** Everything that was announced since the last look, in the order of the commits. */
async function allAnnounced(): Promise<string[]> {
  marks += 1
  const mark = `mark ${marks}`
  await query(money.owner)`SELECT pg_notify('member_notices', ${mark})`
  await vi.waitFor(() => expect(payloads).toContain(mark), { timeout: 240_000, interval: 5 })
  return payloads.splice(0).filter((payload) => payload !== mark)
}
const FOR_OPERATORS = 'console 0'
/** What was announced of members. */
const announced = async () => (await allAnnounced()).filter((payload) => payload !== FOR_OPERATORS)
beforeEach(announced)
afterAll(() => listening.end())

/** The gateway sees its transfer in a block that is not solid yet. */
const inBlock = (txid: string, block: number) =>
  query(money.gateway.db)`UPDATE outgoing_transfer SET seen_block = ${block} WHERE txid = ${txid}`

/** The gateway sees this block as the newest. */
const head = (block: number) => query(money.gateway.db)`
  INSERT INTO chain_cursor (network, scanned_block, scanned_block_id, head_block, solid_block, seen_at)
  VALUES ('devnet', 80, 'x', 100, 80, now()) ON CONFLICT (network) DO UPDATE SET head_block = ${block}`

describe('money', () => {
  it('is announced once a journal, to the member whose it is', async () => {
    const member = await money.member()
    await announced()
    await money.receive(member, '30')
    expect(await announced()).toEqual([`money ${member}`])
  })

  it('that is asked for is announced, and that it is no more, although none moved', async () => {
    const member = await money.member()
    await announced()
    const { invoice } = await money.invoiceOver(member, '500')
    expect(await announced()).toEqual([`money ${member}`])
    await money.within((tx) => cancelInvoice(tx, member, invoice.txn_id, money.now))
    expect(await announced()).toEqual([`money ${member}`])
  })

  it('of the company is announced to nobody', async () => {
    await money.fund('profit', '1000')
    expect(await announced()).toEqual([])
  })

  it('of a payout run is announced once a batch, by the range of its members', async () => {
    const members = [await money.member(), await money.member(), await money.member()]
    for (const member of members) await money.invest(member, '1000')
    money.nextDay()
    await announced()
    await runDue(money.db, money.now)
    const [first, last] = [members[0], members[2]]
    expect(await announced()).toEqual([`money ${first}-${last}`])
  })
})

describe('a withdrawal', () => {
  it('is announced at each stage: requested, approved, signed, sent, in a block, confirming, completed', async () => {
    await money.openWallets('500')
    await head(100)
    const who = await money.withdrawer('100')
    const operator = await money.operator()
    await announced()
    const stage = `withdrawals ${who.id}`
    const moved = `money ${who.id}`
    const id = await money.place(who, '30')
    expect((await announced()).sort()).toEqual([moved, stage])
    await money.approve(id, operator)
    expect(await announced()).toEqual([stage])
    const txid = await money.prepare(id)
    expect(await announced()).toEqual([])
    await money.sign(txid)
    expect(await announced()).toEqual([stage])
    await money.broadcast(txid)
    expect(await announced()).toEqual([stage])
    await money.broadcast(txid)
    expect(await announced()).toEqual([])
    await inBlock(txid, 90)
    expect(await announced()).toEqual([stage])
    await head(101)
    expect(await announced()).toEqual([stage])
    await money.settle(txid)
    expect((await announced()).sort()).toEqual([moved, stage, stage])
    await head(102)
    expect(await announced()).toEqual([])
  })

  it('that its member cancels is announced', async () => {
    const who = await money.withdrawer('100')
    const id = await money.place(who, '30')
    await announced()
    await money.cancel(who, id)
    expect((await announced()).sort()).toEqual([`money ${who.id}`, `withdrawals ${who.id}`])
  })
})

it('transfers on their way are announced once a statement and a block, to as many members as a notice takes', async () => {
  const unconfirmed = (from: number, count: number) => query(money.gateway.db)`
    INSERT INTO unconfirmed_transfer (txid, position, member_id, block, value)
    SELECT 'u' || n, 0, 9000000000000000000 + n, 100, 5 FROM generate_series(${from}::int, ${from + count - 1}::int) AS n`
  await unconfirmed(1, 2)
  const [one, two] = ['9000000000000000001', '9000000000000000002']
  expect(await announced()).toEqual([`deposits ${one},${two}`])
  await head(103)
  expect(await announced()).toEqual([`deposits ${one},${two}`])
  await head(103)
  expect(await announced()).toEqual([])
  await unconfirmed(3, 500)
  const [first = '', second = '', ...others] = await announced()
  expect(others).toEqual([])
  expect([first, second].map((payload) => payload.split(',').length)).toEqual([380, 120])
  await query(money.gateway.db)`DELETE FROM unconfirmed_transfer WHERE txid IN ('u1', 'u2')`
  expect(await announced()).toEqual([`deposits ${one},${two}`])
  await query(money.gateway.db)`DELETE FROM unconfirmed_transfer`
})

it('a session that ends is announced once, however many of the member’s end with it', async () => {
  const member = await money.member()
  await money.client(member)
  await money.client(member)
  await query(
    money.owner,
  )`UPDATE session SET ended_at = now(), ended_because = 'ended' WHERE member_id = ${member}`
  await query(money.owner)`UPDATE session SET ended_because = 'password' WHERE member_id = ${member}`
  expect(await announced()).toEqual([`sessions ${member}`])
})

describe('what operators work on', () => {
  const owner = query(money.owner)
  const ofOperators = async () => (await allAnnounced()).filter((payload) => payload === FOR_OPERATORS)
  const each: [what: string, change: (member: bigint, operator: bigint) => Promise<unknown>][] = [
    [
      'a message of a member',
      (member) =>
        owner`INSERT INTO support_message (member_id, text, at) VALUES (${member}, 'hello', ${money.now})`,
    ],
    [
      'something that needs a person',
      () =>
        owner`INSERT INTO operator_notification (kind, subject, at) VALUES ('chat_waits', 'member:1', ${money.now})`,
    ],
    ['and that it is over', () => owner`UPDATE operator_notification SET over_at = ${money.now}`],
    [
      'a stop of payments',
      (_, operator) => owner`SELECT stop_payments(${operator}, 'looks wrong', ${money.now})`,
    ],
    [
      'a release of a second factor',
      (member, operator) =>
        owner`SELECT ask_release(${member}, 'lost it', 'by a video call', ${operator}, ${money.now})`,
    ],
    [
      'that an account is frozen',
      (member, operator) =>
        owner`SELECT freeze_member(${member}, true, 'looks wrong', ${operator}, ${money.now})`,
    ],
  ]
  it.each(each)('is announced of nobody, once: %s', async (_what, change) => {
    const [member, operator] = [await money.member(), await money.operator()]
    await allAnnounced()
    await change(member, operator)
    expect(await ofOperators()).toEqual([FOR_OPERATORS])
  })

  it('not that a chat was read, nor that reserves were compared and payments go on as before', async () => {
    const member = await money.member()
    await owner`INSERT INTO support_thread (member_id, state, waiting_since, last_at) VALUES (${member}, 'open', ${money.now}, ${money.now})`
    await allAnnounced()
    await owner`UPDATE support_thread SET operator_read_id = 1, member_read_id = 1`
    await owner`UPDATE payout_stop SET since = since`
    expect(await ofOperators()).toEqual([])
    await owner`UPDATE support_thread SET state = 'answered', waiting_since = NULL`
    expect(await ofOperators()).toEqual([FOR_OPERATORS])
  })
})
