/** Guards that were lowered by settings, by another key file, or by decisions, reach every operator once. */
import { beforeEach, expect, it } from 'vitest'
import { query } from '../../core/query.sql.ts'
import { createTestServer, join } from '../../testing/server.ts'
import { suiteFixture } from '../../testing/suite.ts'
import { alertOfGuards, noteSettings } from './guards.commands.ts'

const server = await suiteFixture(createTestServer)
const { db } = server.worker
const olga = await join(server, { isOperator: true, locale: 'en' })
const oscar = await join(server, { isOperator: true, locale: 'es' })
const START = Date.parse('2026-09-01T08:00:00Z')
const after = (minutes: number) => new Date(START + minutes * 60_000)
const DAYS = 24 * 60

async function alertsTo(memberId: bigint): Promise<string[]> {
  const rows = await query<{ text: string }>(db)`SELECT params->>'text' AS text FROM mail_message
    WHERE member_id = ${memberId} AND template = 'operator_alert' ORDER BY id`
  return rows.map(({ text }) => text.split('\n').slice(0, -1).join(' '))
}
beforeEach(async () => {
  await query(server.owner.db)`DELETE FROM mail_message`
})
const keyFile = (at: Date, version: string, policy: string) =>
  query(db)`SELECT record_audit(${at}, NULL, 'key_file.use', 'done', ${`key_file:${version}`},
    ${JSON.stringify({ version, policy, approvers: '2' })}::jsonb)`

it('a held run that was let go and a plan with other guards are told, with who approved', async () => {
  await query(server.owner.db)`INSERT INTO plan_version (version, starts_at, document) VALUES
    (1, '2020-01-01', '{"guards":{"runMost":"10"}}'), (2, '2026-09-02', '{"guards":{"runMost":"20"}}'),
    (3, '2026-09-03', '{"guards":{"runMost":"20"}}')`
  const decide = (kind: string, subject: string, statement: object, state = 'accepted') =>
    query(server.owner.db)`WITH made AS (
      INSERT INTO decision (kind, subject, statement, proposed_by, proposed_at, state, ended_at)
      VALUES (${kind}, ${subject}, ${JSON.stringify(statement)}::jsonb, ${oscar}, ${after(0)}, ${state}, ${state === 'accepted' ? after(1) : null})
      RETURNING id)
      INSERT INTO decision_approval (decision_id, operator_id, approval_id, at) SELECT id, ${olga}, 1, now() FROM made`
  await decide('run_release', 'run:7', { run: '7' })
  await decide('run_release', 'run:8', { run: '8' }, 'open')
  await decide('run_prorate', 'run:9', { run: '9' })
  await decide('plan', 'plan:2026-09-02', { starts_on: '2026-09-02', starts_at: '2026-09-02T00:00:00Z' })
  await decide('plan', 'plan:2026-09-03', { starts_on: '2026-09-03', starts_at: '2026-09-03T00:00:00Z' })
  await alertOfGuards(db, after(2))
  await alertOfGuards(db, after(3))
  const [{ username } = { username: '' }] = await query<{ username: string }>(db)`
    SELECT username FROM member WHERE id = ${olga}`
  expect(await alertsTo(olga)).toEqual([
    `Run 7 was let go in spite of its checks. Approved by: ${username}.`,
    `The plan that begins on 2026-09-02 has other guards. Approved by: ${username}. runMost: 10 → 20`,
  ])
})

it('settings that guard less than at the start before are told once, those that guard more are not', async () => {
  const start = async (minutes: number, captcha: boolean, coolingHours: number) => {
    await noteSettings(db, { captcha, coolingHours }, after(minutes))
    await alertOfGuards(db, after(minutes))
  }
  await start(0, true, 24)
  await start(1, true, 24)
  expect(await alertsTo(olga)).toEqual([])
  await start(2, false, 12)
  await start(3, false, 12)
  expect(await alertsTo(olga)).toEqual([
    'The proof of work of registrations was switched off (CAPTCHA). After changes of an account money waits 12 hours, and no longer 24 (COOLING_HOURS).',
  ])
  expect(await alertsTo(oscar)).toEqual([expect.stringContaining('CAPTCHA')])
  await start(4, true, 24)
  expect(await alertsTo(olga)).toHaveLength(1)
  const entries = await query(db)`SELECT FROM audit_event WHERE action = 'settings.use'`
  expect(entries).toHaveLength(3)
})

it('another key file of the signer is told; a signer that starts again with the same one is not', async () => {
  await keyFile(after(0), '3', 'aa')
  await keyFile(after(1), '3', 'aa')
  await alertOfGuards(db, after(2))
  expect(await alertsTo(olga)).toEqual([])
  await keyFile(after(3), '4', 'bb')
  await alertOfGuards(db, after(4))
  await alertOfGuards(db, after(5))
  expect(await alertsTo(olga)).toEqual([
    expect.stringContaining('uses version 4 of the key file, with 2 approvers'),
  ])
})

it('who becomes an operator later is not told of what was told before, nor anybody of what is old', async () => {
  await keyFile(after(10), '5', 'cc')
  await alertOfGuards(db, after(11))
  const nora = await join(server, { isOperator: true })
  await alertOfGuards(db, after(12))
  expect(await alertsTo(nora)).toEqual([])
  await keyFile(after(13), '6', 'dd')
  await alertOfGuards(db, after(13 + 31 * DAYS))
  expect(await alertsTo(nora)).toEqual([])
})
