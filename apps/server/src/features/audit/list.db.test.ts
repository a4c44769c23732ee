/** The trail as operators read it: pages, filters, exports, and a verification by a press. */
import { type AuditAction, type AuditEntry, EXPORT_ENDS } from '@aval/contract'
import { describe, expect, it } from 'vitest'
import { recordAudit } from '../../core/audit.sql.ts'
import { query } from '../../core/query.sql.ts'
import { exportedRows, rowByRow } from '../../testing/exported.ts'
import { clientOf, createTestServer, join, PROBLEM, signedIn } from '../../testing/server.ts'
import { suiteFixture } from '../../testing/suite.ts'
import { sealTrail } from './audit.commands.ts'
import { trailOf } from './list.queries.ts'
import type { TrailEntry } from './list.sql.ts'
import { runVerification } from './verification.commands.ts'
import { verifyAudit } from './verify.queries.ts'

const server = await suiteFixture(createTestServer)
const { db } = server.context
const ada = await join(server, { username: 'ada', operatorRole: 'compliance' })
const ana = await join(server, { username: 'ana' })
const client = clientOf(server, { ...PROBLEM, ...(await signedIn(server, ada)).headers })
const START = Date.parse('2026-05-03T15:00:00.123Z')

/** Every entry of the trail in one minute, so that only their numbers tell them apart. */
const act = (actorId: bigint | null, action: AuditAction, subject: string, more: object = {}) =>
  recordAudit(db, { at: new Date(START), actorId, action, outcome: 'done', subject, ...more })
await recordAudit(db, {
  at: new Date(START - 24 * 3_600_000),
  actorId: ana,
  action: 'session.begin',
  outcome: 'done',
  subject: `member:${ana}`,
  details: { proved: 'passkey', browser: 'Firefox', system: 'Linux', network: '192.0.2.0/24' },
})
for (let number = 1; number <= 70; number += 1) await act(ana, 'withdrawal.request', `withdrawal:${number}`)
await act(ada, 'withdrawal.decide', 'withdrawal:7', { details: { before: 'requested', note: '=cmd()' } })
await act(null, 'payouts.stop', 'reserve_check:3')
await recordAudit(db, {
  at: new Date(START + 24 * 3_600_000),
  actorId: ana,
  action: 'withdrawal.request',
  outcome: 'refused',
  subject: `member:${ana}`,
  details: { code: 'balance_too_small' },
})

const list = async (search: string) =>
  (await client.get(`operator/audit/?${search}`)).json() as { results: AuditEntry[]; next: string | null }
const numbers = ({ results }: { results: AuditEntry[] }) => results.map(({ subject }) => subject.id)

describe('the list', () => {
  it('goes from the newest to the oldest, a page at a time, and leaves none out', async () => {
    const seen: number[] = []
    let before = ''
    for (let pages = 0; pages < 5; pages += 1) {
      const { results, next } = await list(`who=ana${before}`)
      seen.push(...results.map(({ id }) => id))
      if (next === null) break
      before = `&before=${next}`
    }
    expect(seen).toHaveLength(73)
    expect(new Set(seen).size).toBe(73)
  })

  it.each([
    ['who, by name', 'who=ada', [String(ada), '7']],
    ['what nobody signed in did', 'who=-', ['3']],
    ['an action', 'action=withdrawal.decide', ['7']],
    ['a thing', 'subject=withdrawal:7', ['7', '7']],
    ['what was refused', 'outcome=refused', [String(ana)]],
    ['days', 'from=2026-05-04&action=withdrawal', [String(ana)]],
    ['days before', 'to=2026-05-02', [String(ana)]],
    ['somebody whom nobody knows', 'who=nobody-at-all', []],
    ['an action and a person', 'who=ada&action=withdrawal', ['7']],
  ])('filters by %s', async (_what, search, expected) => {
    expect(numbers(await list(search))).toEqual(expected)
  })

  it('has all actions of a noun in one order', async () => {
    const { results } = await list('action=withdrawal')
    expect(results.slice(0, 2).map(({ action, outcome }) => [action, outcome])).toEqual([
      ['withdrawal.request', 'refused'],
      ['withdrawal.decide', 'done'],
    ])
    expect((await client.get('operator/audit/actions/')).json().actions).toEqual([
      'member.join',
      'payouts.stop',
      'session.begin',
      'withdrawal.decide',
      'withdrawal.request',
    ])
  })

  it('says who, what, about whom and from where', async () => {
    const { results } = await list('outcome=refused')
    expect(results[0]).toMatchObject({
      actor: { id: Number(ana), username: 'ana' },
      subject: { noun: 'member', username: 'ana' },
      details: { code: 'balance_too_small' },
      from: { browser: 'Firefox', system: 'Linux', network: '192.0.2.0/24' },
    })
    expect((await list('who=-')).results[0]).toMatchObject({ actor: null, from: null })
  })

  it('refuses what is no filter', async () => {
    for (const wrong of ['action=Drop', 'outcome=maybe', 'before=1'])
      expect(await client.get(`operator/audit/?${wrong}`), wrong).toRefuse(400, 'input_invalid')
    expect(await client.get('operator/audit/?from=yesterday')).toRefuse(400, 'dates_invalid')
  })
})

describe('the export', () => {
  it('has what the filter lets through, whole, and that it was made stands in the trail', async () => {
    const csv = (await client.get('operator/audit/export/?action=withdrawal.decide')).body.split('\r\n')
    expect(csv[0]).toContain('id,at,actor_id,actor,action,outcome,subject,about,details')
    expect(csv[1]).toContain('ada,withdrawal.decide,done,withdrawal:7')
    // What somebody typed is no formula.
    expect(csv[1]).toContain('"{""note"":""=cmd()"",""before"":""requested""}"')
    expect(csv[2]).toMatch(EXPORT_ENDS.csv)
    const lines = await exportedRows(client, 'operator/audit/export/?who=ana')
    expect(lines).toHaveLength(73)
    expect(lines[1]).toMatchObject({
      actor: 'ana',
      outcome: 'refused',
      details: { code: 'balance_too_small' },
    })
    expect(await exportedRows(client, 'operator/audit/export/?who=nobody-at-all')).toEqual([])
    const kept = await list('subject=list:audit&action=list.export')
    expect(kept.results.map(({ details }) => details)).toEqual([
      { format: 'jsonl', filters: { who: 'nobody-at-all' }, about: 0 },
      { format: 'jsonl', filters: { who: 'ana' }, about: 73 },
      { format: 'csv', filters: { action: 'withdrawal.decide' }, about: 1 },
    ])
  })

  it('goes from entry to entry, of one action or of several of a minute', async () => {
    for (const action of ['withdrawal.request', 'withdrawal']) {
      const trail = trailOf({ action }, 'UTC')
      const rows = await rowByRow<TrailEntry>((after, limit) => trail.read(db, after, limit))
      expect(new Set(rows.map(({ id }) => id)).size).toBe(await trail.count(db, 1000))
    }
  })
})

describe('verifying by a press', () => {
  const shown = async () => (await client.get('operator/audit/verification/')).json().verification
  const verify = () => runVerification(server.worker.db, () => new Date(START))

  it('is done by the worker, and its result stays to be read', async () => {
    expect(await shown()).toBeNull()
    // Not at the first try where transactions of other tests are under way in the cluster.
    while ((await verifyAudit(db, 1n, new Date(START))).unsealed > 0) await sealTrail(server.worker.db)
    expect(await client.post('operator/audit/verify/')).toAnswer(200)
    // A second press while it is under way asks for no second one.
    expect(await client.post('operator/audit/verify/')).toAnswer(200)
    expect(await shown()).toMatchObject({ asked_by: 'ada', finished_at: null })
    await verify()
    const { faults, seals, rows, finished_at: finished, head } = await shown()
    expect({ faults, head }).toEqual({ faults: [], head: null })
    expect(seals.done).toBe(seals.in_all)
    expect(rows).toBeGreaterThanOrEqual(74)
    expect(finished).not.toBeNull()
    // Nobody asked: nothing is verified.
    await verify()
    expect(await query(db)`SELECT FROM audit_verification`).toHaveLength(1)
  })

  it('names what somebody altered', async () => {
    await query(server.owner.db)`ALTER TABLE audit_event DISABLE TRIGGER USER`
    await query(server.owner.db)`UPDATE audit_event SET action = 'pool.fund' WHERE action = 'payouts.stop'`
    await query(server.owner.db)`ALTER TABLE audit_event ENABLE TRIGGER USER`
    await client.post('operator/audit/verify/')
    await verify()
    expect((await shown()).faults).toEqual([expect.stringMatching(/^audit_event \d+: altered$/)])
  })
})
