/** What needs a person: found from the rows, once while it lasts, and by mail for whom it concerns. */
import { holdByHand } from '@aval/db/testing/held-run'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { query, queryValue } from '../../core/query.sql.ts'
import { stockAddresses } from '../../testing/addresses.ts'
import { createTestServer, join, signedIn } from '../../testing/server.ts'
import { suiteFixture } from '../../testing/suite.ts'
import { findNotifications, purgeNotifications } from './find.commands.ts'

const server = await suiteFixture(createTestServer)
const owner = server.owner.db
const START = Date.parse('2026-09-01T08:00:00Z')
const at = (hours: number) => new Date(START + hours * 3_600_000)
const find = (hours: number) =>
  findNotifications({ ...server.worker, clock: { now: async () => at(hours) } }, at(hours))

const tina = await join(server, { username: 'tina', operatorRole: 'treasurer', locale: 'en' })
const sara = await join(server, { username: 'sara', operatorRole: 'support', locale: 'es' })
const ana = await join(server, { username: 'ana' })
const treasurer = await signedIn(server, tina)
const support = await signedIn(server, sara)
await query(owner)`DELETE FROM mail_message`
const list = async (client = treasurer) => (await client.get('operator/notifications/')).json()
const mailsTo = async (id: bigint) =>
  (
    await query<{ text: string }>(owner)`SELECT params->>'text' AS text FROM mail_message
      WHERE member_id = ${id} AND template = 'operator_alert' ORDER BY id`
  ).map(({ text }) => text.split('\n')[0])

it('is one notification while it lasts, read by each operator for themselves, and over when it is seen to', async () => {
  await query(
    owner,
  )`INSERT INTO support_thread (member_id, state, waiting_since, last_at) VALUES (${ana}, 'open', ${at(0)}, ${at(0)})`
  await find(1)
  expect(await list()).toEqual({ unread: 0, results: [] })
  await find(3)
  await find(4)
  const page = await list(support)
  expect(page).toMatchObject({
    unread: 1,
    results: [
      { kind: 'chat_waits', subject: `member:${ana}`, words: { member: 'ana' }, over_at: null, read: false },
    ],
  })
  const ids = [page.results[0].id]
  expect(await support.post('operator/notifications/read/', { ids })).toAnswer(200)
  expect(await list(support)).toMatchObject({ unread: 0, results: [{ read: true }] })
  expect(await list()).toMatchObject({ unread: 1 })
  await query(owner)`UPDATE support_thread SET state = 'answered', waiting_since = NULL`
  await find(5)
  expect((await list()).results).toMatchObject([{ kind: 'chat_waits', over_at: at(5).toISOString() }])
  // It waits again: that is another one.
  await query(owner)`UPDATE support_thread SET state = 'open', waiting_since = ${at(5)}`
  await find(8)
  expect((await list()).results.map((each: { over_at: string | null }) => each.over_at)).toEqual([
    null,
    at(5).toISOString(),
  ])
})

it('comes by mail to those whose work it is, unless they chose otherwise; never twice', async () => {
  expect(await mailsTo(sara)).toEqual([
    'ana espera una respuesta desde hace más de dos horas.',
    'ana espera una respuesta desde hace más de dos horas.',
  ])
  expect(await mailsTo(tina)).toEqual([])
  const choose = { kind: 'chat_waits', mailed: true }
  expect(await treasurer.post('operator/notifications/settings/', choose)).toAnswer(200)
  expect(await support.post('operator/notifications/settings/', { ...choose, mailed: false })).toAnswer(200)
  const settings = (await treasurer.get('operator/notifications/settings/')).json().kinds
  expect(settings).toContainEqual({ kind: 'chat_waits', mailed: true, always: false })
  expect(settings).toContainEqual({ kind: 'payments_stopped', mailed: true, always: true })
  const eva = await join(server, { username: 'eva' })
  await query(
    owner,
  )`INSERT INTO support_thread (member_id, state, waiting_since, last_at) VALUES (${eva}, 'open', ${at(9)}, ${at(9)})`
  await find(12)
  expect(await mailsTo(tina)).toEqual(['eva has waited for an answer for more than two hours.'])
  expect(await mailsTo(sara)).toHaveLength(2)
})

it('is shown to the roles that may read it', async () => {
  await query(owner)`INSERT INTO payout_run (kind, period, cutoff_at, plan_version, state, at)
    VALUES ('passive', '2026-09-01', ${at(0)}, 1, 'computing', ${at(0)})`
  const run = await queryValue<bigint>(owner)`SELECT max(id) FROM payout_run`
  await query(owner)`${sql.raw(holdByHand(run))}`
  await query(owner)`UPDATE payout_stop SET stopped = true, since = ${at(13)}, reason = 'operator'`
  await find(13)
  const kinds = async (client = treasurer) =>
    (await list(client)).results
      .filter((each: { over_at: null }) => each.over_at === null)
      .map((each: { kind: string }) => each.kind)
  expect(await kinds()).toEqual(expect.arrayContaining(['run_held', 'payments_stopped']))
  const words = (await list()).results.find((each: { kind: string }) => each.kind === 'run_held').words
  expect(words).toMatchObject({ kind: 'passive', period: '2026-09-01' })
  expect((await mailsTo(tina)).at(-1)).toMatch(/^Run \d+ \(daily, 2026-09-01\) is held and waits\.$/)
})

it('a second factor that waits for another operator is mailed once to those who may agree, not to who asked', async () => {
  const nora = await join(server, { username: 'nora', operatorRole: 'compliance', locale: 'en' })
  const lost = await join(server, { username: 'lost' })
  const already = (await mailsTo(sara)).length
  await query(
    owner,
  )`SELECT ask_release(${lost}, 'lost the phone', 'by video call with the passport', ${nora}, ${at(14)})`
  for (const hours of [14, 15, 20]) await find(hours)
  expect((await mailsTo(sara)).slice(already)).toEqual([
    'nora pidió liberar la verificación en dos pasos de lost: otro operador tiene que aceptarlo dentro de 48 horas.',
  ])
  expect(await mailsTo(nora)).toEqual([])
  // It is no treasurer's work.
  expect((await list()).results.map((each: { kind: string }) => each.kind)).not.toContain('release_waits')
  const open = async () =>
    (await list(support)).results.filter((each: { kind: string }) => each.kind === 'release_waits')
  expect(await open()).toMatchObject([
    { subject: `member:${lost}`, words: { member: 'lost', by: 'nora' }, over_at: null },
  ])
  await query(owner)`SELECT end_release(${lost}, 'refused', ${sara}, ${at(21)})`
  await find(21)
  expect(await open()).toMatchObject([{ over_at: at(21).toISOString() }])
})

it('what was proposed and waits for approvals is mailed once to whose work it is, not to who proposed it', async () => {
  const tom = await join(server, { username: 'tom', operatorRole: 'treasurer', locale: 'en' })
  const already = (await mailsTo(tina)).length
  await query(owner)`INSERT INTO decision (kind, subject, statement, proposed_by, proposed_at, expires_at)
    VALUES ('run_release', 'run:7', '{"run":"7"}', ${tom}, ${at(22)}, ${at(40)})`
  for (const hours of [22, 23]) await find(hours)
  expect((await mailsTo(tina)).slice(already)).toEqual([
    'Waits for approvals: run 7, released in spite of its checks.',
  ])
  expect(await mailsTo(tom)).toEqual([])
  await find(41)
  expect((await list()).results[0]).not.toMatchObject({ kind: 'decision_waits', over_at: null })
})

it('a withdrawal is mailed before it is late and when it is, by its date, each of them once', async () => {
  const already = (await mailsTo(tina)).length
  const ask = (id: number, hours: number) => query(owner)`
    INSERT INTO withdrawal (member_id, id, amount, fee, from_balance, from_principal, wallet_address, approvals_needed, plan_version, hold_journal_id, requested_at)
    OVERRIDING SYSTEM VALUE VALUES (${ana}, ${id}, 350000000, 1000000, 350000000, 0, 'T', 1, 1, 1, ${at(hours)})`
  await query(owner)`ALTER TABLE withdrawal DISABLE TRIGGER ALL`
  await ask(71, 100)
  await ask(72, 110)
  const hours = async (...all: number[]) => {
    for (const each of all) await find(each)
    return (await mailsTo(tina)).slice(already).filter((line) => !line?.includes('more than a day'))
  }
  expect(await hours(101, 159)).toEqual([])
  const asked = 'Withdrawal 71 of ana ($350.00)'
  const soon = `${asked} has to arrive before September 8, 2026, 12:00 (UTC).`
  expect(await hours(161, 162)).toEqual([soon])
  const late = `${asked} is past its 72 hours: it had to arrive before September 8, 2026, 12:00 (UTC).`
  const second = expect.stringContaining('Withdrawal 72 of ana ($350.00) has to')
  expect(await hours(171, 173, 174)).toEqual([soon, second, late])
  expect(await hours(183)).toHaveLength(4)
  const open = async () =>
    (await list()).results.filter(
      ({ kind, over_at: over }: { kind: string; over_at: null }) =>
        kind.startsWith('withdrawal_') && over === null,
    )
  expect((await open()).map(({ subject }: { subject: string }) => subject)).toEqual(
    expect.arrayContaining(['withdrawal:71', 'withdrawal:72']),
  )
  await query(owner)`DELETE FROM withdrawal`
  await find(184)
  expect(await open()).toEqual([])
})

it('what comes and goes by itself is the same for an hour, and mailed once', async () => {
  const holdUp = (id: number, hours: number) => query(owner)`
    INSERT INTO withdrawal_delay (member_id, withdrawal_id, code, since, checked_at) VALUES (1, ${id}, 'signer_away', ${at(hours)}, ${at(hours)})`
  const cleared = () => query(owner)`DELETE FROM withdrawal_delay`
  const already = (await mailsTo(tina)).length
  const ofSigner = async () =>
    (await list()).results.filter((each: { kind: string }) => each.kind === 'signer_failing')
  await query(owner)`ALTER TABLE withdrawal_delay DISABLE TRIGGER ALL`
  await holdUp(1, 50)
  await find(50)
  for (const hours of [50.1, 50.3, 50.5]) {
    await cleared()
    await find(hours)
    await holdUp(1, hours)
    await find(hours + 0.1)
  }
  expect((await mailsTo(tina)).length - already).toBe(1)
  expect(await ofSigner()).toMatchObject([{ over_at: null }])
  await cleared()
  await find(51)
  await holdUp(1, 53)
  await find(53)
  expect((await mailsTo(tina)).length - already).toBe(2)
  expect(await ofSigner()).toHaveLength(2)
  await cleared()
})

it('is forgotten three months after it was over', async () => {
  await purgeNotifications(server.worker.db, at(24 * 100))
  expect((await list()).results.every((each: { over_at: null }) => each.over_at === null)).toBe(true)
})

it('says that deposit addresses run out, not in the first minutes, until there are more', async () => {
  const lowOf = async () =>
    (await list()).results.filter(({ kind }: { kind: string }) => kind === 'addresses_low')
  await query(owner)`UPDATE deposit_address SET passed_over = key_index > 20 WHERE member_id IS NULL`
  await query(owner)`UPDATE member SET joined_at = ${at(500)}`
  await find(500.05)
  expect(await lowOf()).toEqual([])
  await find(500.1)
  expect(await lowOf()).toMatchObject([{ words: { left: '20', underived: '0' }, over_at: null }])
  await stockAddresses(owner)
  await find(500.2)
  expect(await lowOf()).toMatchObject([{ over_at: at(500.2).toISOString() }])
})
