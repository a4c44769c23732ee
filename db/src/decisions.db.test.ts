import { createHash } from 'node:crypto'
import { afterAll, describe, expect, inject, it } from 'vitest'
import { openDecisions, PLAN } from './testing/decisions.ts'
import { holdByHand } from './testing/held-run.ts'
import { refusal } from './testing/roles.ts'

const fixture = await openDecisions(inject('ownerUrl'))
const { roles, value, owner, member, propose, submit, accept, approve, stateOf, shown, close } = fixture
const { one, two, payee } = fixture
afterAll(close)

const OBJECTION = '[{"check":"run_above_cap","limit":"5"}]'
let periods = 0
/** A held run that pays one member ten units; the pool is set to what is said. */
const held = async ({ objections = '[]', pool = 4 } = {}): Promise<number> => {
  periods += 1
  const run = Number(
    await value(
      'owner',
      `INSERT INTO payout_run (kind, period, cutoff_at, plan_version, state, at) VALUES ('passive', $1, now(), 1, 'computing', now()) RETURNING id`,
      [`2026-01-${String(periods).padStart(2, '0')}`],
    ),
  )
  await owner(
    `INSERT INTO payout_page (run_id, block, item_count, item_sum, members, bases, amounts, hash) VALUES ($1, 0, 1, 10, ARRAY[$2::bigint], '{1}', '{10}', 'h')`,
    [run, payee],
  )
  await roles.owner.query(holdByHand(run, objections))
  await owner(`UPDATE house_balance SET amount = $1 WHERE account = 'pool:profit'`, [pool])
  return run
}
const objected = () => held({ objections: OBJECTION, pool: 100 })

const release = (run: number) => propose('run_release', { run: String(run), note: 'looked at it' })
const prorate = (run: number) => propose('run_prorate', { run: String(run) })
let days = 0
/** Proposed by the second operator, for a day that is far ahead, another one each time. */
const plan = (document = JSON.stringify(PLAN)) => {
  days += 1
  return propose('plan', { starts_on: `2099-01-${String(days).padStart(2, '0')}` }, document, two)
}

const runOf = async (run: number) =>
  (
    await owner('SELECT state, overruled_by::int AS by, payable::int, note FROM payout_run WHERE id = $1', [
      run,
    ])
  ).rows[0]
const versions = () => value('owner', 'SELECT count(*)::int FROM plan_version')

describe('a decision about a held run', () => {
  it('says of the run what its row says, whatever else was given', async () => {
    const run = await held()
    const id = await propose('run_prorate', { run: String(run), sum: '1', items_hash: 'x' })
    expect((await shown(id)).statement).toEqual({
      run: String(run),
      kind: 'passive',
      period: expect.any(String),
      items: '1',
      items_hash: await value('owner', 'SELECT items_hash FROM payout_run WHERE id = $1', [run]),
      sum: '10',
      payable: '10',
      pool: '4',
      objections: '[]',
      note: '',
    })
  })

  it('lets it go on in spite of its checks once the signer accepted an approval', async () => {
    const run = await objected()
    const id = await release(run)
    const approval = await submit([id])
    expect(await runOf(run)).toMatchObject({ state: 'held', by: null })
    expect(await accept(approval)).toBe('accepted')
    expect(await runOf(run)).toMatchObject({ state: 'held', by: one, note: 'looked at it' })
    expect(await stateOf(id)).toEqual({ state: 'accepted', refusal: null })
    const jobs = "SELECT count(*)::int FROM graphile_worker.jobs WHERE key = 'payout_runs.resume'"
    expect(await value('owner', jobs)).toBe(1)
    const trail = "SELECT actor_id::int FROM audit_event WHERE action = 'decision.approve' AND subject = $1"
    expect(await value('owner', trail, [`decision:${id}`])).toBe(one)
  })

  it('pays it pro rata', async () => {
    const run = await held({ pool: 4 })
    const id = await prorate(run)
    expect(await approve(id)).toBe('accepted')
    expect(await runOf(run)).toMatchObject({ state: 'released', by: one, payable: 4 })
    expect(await stateOf(id)).toEqual({ state: 'accepted', refusal: null })
  })

  it('accepted a second time does nothing', async () => {
    const approval = await submit([await release(await objected())])
    expect([await accept(approval), await accept(approval)]).toEqual(['accepted', 'accepted'])
  })

  it.each<[string, string, () => Promise<number>, typeof release]>([
    ['a run that only lacks money, to be released', 'decision_run_not_held', () => held(), release],
    ['a run that its checks object to, pro rata', 'decision_run_not_held', objected, prorate],
    ['a run that its pool covers, pro rata', 'decision_run_not_short', () => held({ pool: 10 }), prorate],
    ['a run whose pool is empty, pro rata', 'decision_pool_empty', () => held({ pool: 0 }), prorate],
    ['a run that is none', 'decision_run_not_held', async () => 900_000, release],
  ])('is not proposed of %s', async (_what, constraint, made, proposed) => {
    expect(await refusal(proposed(await made()))).toBe(constraint)
  })

  it('is open once, until it is withdrawn', async () => {
    const run = await objected()
    const id = await release(run)
    expect(await refusal(release(run))).toBe('decision_open_once')
    const withdraw = () => value('api', 'SELECT withdraw_decision($1, $2, now())', [id, two])
    expect([await withdraw(), await withdraw()]).toEqual([true, false])
    expect(await approve(id)).toBe('decision_closed')
    expect(await runOf(run)).toMatchObject({ by: null })
    expect(await refusal(release(run))).toBeNull()
  })

  it('ends with its run: cancelled, or released because the money came', async () => {
    const run = await held()
    const id = await prorate(run)
    const approval = await submit([id])
    await value('api', "SELECT cancel_payout_run($1, $2, '', now())", [run, one])
    expect(await stateOf(id)).toEqual({ state: 'refused', refusal: 'run_not_held' })
    expect(await accept(approval)).toBe('decision_closed')
    const other = await held()
    const waiting = await prorate(other)
    await owner(`UPDATE house_balance SET amount = 10 WHERE account = 'pool:profit'`)
    await value('worker', 'SELECT release_payout_run($1, now())', [other])
    expect(await stateOf(waiting)).toEqual({ state: 'refused', refusal: 'run_not_held' })
  })

  it('is refused by name where the pool changed since: covered it ends, empty it waits', async () => {
    const [covered, empty] = [await held(), await held()]
    const ids = [await prorate(covered), await prorate(empty)]
    await owner(`UPDATE house_balance SET amount = 10 WHERE account = 'pool:profit'`)
    expect(await approve(ids[0])).toBe('run_not_short')
    expect(await stateOf(ids[0])).toEqual({ state: 'refused', refusal: 'run_not_short' })
    await owner(`UPDATE house_balance SET amount = 0 WHERE account = 'pool:profit'`)
    expect(await approve(ids[1])).toBe('pool_empty')
    expect(await stateOf(ids[1])).toEqual({ state: 'open', refusal: null })
  })

  it('is refused where the run is not the one that was described', async () => {
    const run = await objected()
    const id = await release(run)
    await owner('ALTER TABLE payout_run DISABLE TRIGGER payout_run_goes_forward')
    await owner('UPDATE payout_run SET item_sum = 11 WHERE id = $1', [run])
    await owner('ALTER TABLE payout_run ENABLE TRIGGER payout_run_goes_forward')
    expect(await approve(id)).toBe('run_changed')
    expect(await runOf(run)).toMatchObject({ by: null })
  })

  it('waits while payouts are stopped', async () => {
    const id = await release(await objected())
    await owner('UPDATE payout_stop SET stopped = true')
    expect(await approve(id)).toBe('stopped')
    await owner('UPDATE payout_stop SET stopped = false')
    expect(await stateOf(id)).toMatchObject({ state: 'open' })
    expect(await approve(id)).toBe('accepted')
  })

  it('of two that share a pool finds nothing left: the second is refused, the approval stands', async () => {
    const runs = [await held(), await held()]
    const ids = [await prorate(runs[0] ?? 0), await prorate(runs[1] ?? 0)]
    expect(await accept(await submit(ids))).toBe('accepted')
    expect(await runOf(runs[0] ?? 0)).toMatchObject({ state: 'released', payable: 4 })
    expect(await runOf(runs[1] ?? 0)).toMatchObject({ state: 'held', by: null })
    expect(await stateOf(ids[1])).toEqual({ state: 'open', refusal: null })
  })
})

describe('a decision about the plan', () => {
  it('stores the document that was proposed, under the next number', async () => {
    const before = await versions()
    const document = JSON.stringify({ ...PLAN, passive: { percentPerPeriod: '9', periodDays: 30 } })
    const id = await plan(document)
    const { statement } = await shown(id)
    expect(statement['sha256']).toBe(createHash('sha256').update(document).digest('hex'))
    expect(statement['starts_at']).toBe(`${statement['starts_on']}T05:00:00Z`)
    expect(await approve(id)).toBe('accepted')
    const stored = 'SELECT version, starts_at, document FROM plan_version ORDER BY version DESC LIMIT 1'
    expect((await owner(stored)).rows[0]).toEqual({
      version: before + 1,
      starts_at: new Date(statement['starts_at'] ?? ''),
      document: JSON.parse(document),
    })
  })

  it('needs as many different operators as the signer says, who are operators still', async () => {
    const [before, gone] = [await versions(), await member(true)]
    const id = await plan()
    for (const operator of [gone, gone]) expect(await approve(id, operator, [2])).toBe('accepted')
    await owner('UPDATE member SET is_operator = false, operator_role = NULL WHERE id = $1', [gone])
    expect(await approve(id, one, [2])).toBe('accepted')
    expect([await versions(), (await stateOf(id)).state]).toEqual([before, 'open'])
    expect(await approve(id, two, [2])).toBe('accepted')
    expect([await versions(), (await stateOf(id)).state]).toEqual([before + 1, 'accepted'])
  })

  it('is not put in force by who proposed it alone, however few it needs', async () => {
    const before = await versions()
    const [id, other] = [await plan(), await plan()]
    expect(await accept(await submit([id, other], { operator: two }), [1, 1])).toBe('accepted')
    expect([await versions(), (await stateOf(id)).state]).toEqual([before, 'open'])
    // Who is no operator any more is nobody else.
    const gone = await member(true)
    expect(await approve(other, gone, [3])).toBe('accepted')
    await owner('UPDATE member SET is_operator = false, operator_role = NULL WHERE id = $1', [gone])
    expect(await approve(other, two)).toBe('accepted')
    expect((await stateOf(other)).state).toBe('open')
    expect(await approve(id, one)).toBe('accepted')
    expect([await versions(), (await stateOf(id)).state]).toEqual([before + 1, 'accepted'])
  })

  it('is refused once its day has begun', async () => {
    const id = await propose('plan', { starts_on: '2050-05-20' }, JSON.stringify(PLAN))
    await owner(
      `INSERT INTO demo_clock (offset_ms) VALUES ((extract(epoch FROM '2050-05-20T05:00:01Z'::timestamptz - now()) * 1000)::bigint)`,
    )
    expect(await approve(id)).toBe('plan_start_passed')
    await owner('DELETE FROM demo_clock')
    expect(await stateOf(id)).toEqual({ state: 'refused', refusal: 'plan_start_passed' })
  })

  it('is not stored for a day that has begun, whatever the API says of the time', async () => {
    const past = "SELECT propose_decision('plan', $1, '{}', $2, '2020-01-01')"
    const id = await value('api', past, [JSON.stringify({ starts_on: '2021-01-01' }), one])
    await value('api', `INSERT INTO demo_clock (offset_ms) VALUES (-1000 * 3600 * 24 * 3650::bigint)`)
    expect(await approve(id)).toBe('plan_start_passed')
    await owner('DELETE FROM demo_clock')
  })

  it.each<[string, string, object, string | null]>([
    ['that starts today', 'decision_plan_start_passed', { starts_on: '2026-01-01' }, '{}'],
    ['without a document', 'decision_plan_start_passed', { starts_on: '2099-02-01' }, null],
    ['that is a list', 'decision_plan_start_passed', { starts_on: '2099-02-01' }, '[]'],
    ['that is no JSON', '22P02', { starts_on: '2099-02-01' }, '{'],
    ['with a number for a text', 'decision_statement', { starts_on: 5 }, '{}'],
    ['with a text of more than 1,000', 'decision_statement', { note: 'x'.repeat(1_001) }, '{}'],
    [
      'that is too long',
      'decision_document_check',
      { starts_on: '2099-02-01' },
      `{"a":"${'x'.repeat(65_536)}"}`,
    ],
  ])('is not proposed %s', async (_what, constraint, given, document) => {
    expect(await refusal(propose('plan', given, document))).toBe(constraint)
  })
})

describe('what the database refuses, whoever verified it', () => {
  it('an approval that lasts two days', async () => {
    const { id, kind, statement } = await shown(await plan())
    const submitted = value(
      'approvals',
      `SELECT submit_decision_approval($1, 'devnet', repeat('d', 64), clock_timestamp() + interval '2 days', repeat('b', 64), '{}', $2, $3, $4)`,
      [one, [id], [kind], [JSON.stringify(statement)]],
    )
    expect(await refusal(submitted)).toBe('approval_ends_soon')
  })

  it('a statement that is not the decision’s, or a decision that nobody proposed', async () => {
    const id = await release(await objected())
    expect(await accept(await submit([id], { changes: { sum: '1' } }))).toBe('rows_differ')
    expect(await stateOf(id)).toMatchObject({ state: 'open' })
    const none = await value(
      'approvals',
      `SELECT submit_decision_approval($1, 'devnet', repeat('c', 64), clock_timestamp() + interval '1 minute', repeat('b', 64), '{}', '{900000}', '{plan}', '{"{}"}')`,
      [one],
    )
    expect(await accept(none)).toBe('rows_differ')
  })

  it('an operator who is none any more, and a member who never was one', async () => {
    const gone = await member(true)
    const id = await plan()
    const approval = await submit([id], { operator: gone })
    await owner('UPDATE member SET is_operator = false, operator_role = NULL WHERE id = $1', [gone])
    expect(await accept(approval)).toBe('not_an_operator')
    expect(await refusal(submit([id], { operator: payee }))).toBe('approval_by_an_operator')
    expect(await refusal(propose('plan', { starts_on: '2099-03-01' }, '{}', payee))).toBe(
      'decision_by_an_operator',
    )
    expect(await value('api', 'SELECT withdraw_decision($1, $2, now())', [id, payee])).toBe(false)
  })

  it('a decision that is a week old', async () => {
    const id = await plan()
    await owner('ALTER TABLE decision DISABLE TRIGGER decision_never_changes')
    await owner("UPDATE decision SET expires_at = now() - interval '1 second' WHERE id = $1", [id])
    await owner('ALTER TABLE decision ENABLE TRIGGER decision_never_changes')
    expect(await approve(id)).toBe('decision_expired')
  })

  it('a list of withdrawals accepted as decisions, and decisions as withdrawals', async () => {
    const id = await plan()
    const approval = await submit([id])
    expect(await value('signer', 'SELECT accept_approval($1, NULL)', [approval])).toBe('approval_not_found')
    expect((await stateOf(id)).state).toBe('open')
  })

  it('another decision, a changed one, and one taken back, for the owner of the tables too', async () => {
    const id = await plan()
    expect(await refusal(owner(`UPDATE decision SET statement = '{}' WHERE id = $1`, [id]))).toBe('42501')
    await approve(id)
    expect(
      await refusal(owner(`UPDATE decision SET state = 'open', ended_at = NULL WHERE id = $1`, [id])),
    ).toBe('42501')
    expect(await refusal(owner('DELETE FROM decision'))).toBe('42501')
    expect(await refusal(owner('UPDATE approval_decision SET kind = kind'))).toBe('42501')
  })
})

describe('the role of the API', () => {
  it('releases no run, stores no plan and declares no rate above the plan’s by itself', async () => {
    const [run, short] = [await objected(), await held()]
    const tries = [
      `SELECT overrule_payout_run(${run}, ${one}, '', now())`,
      `SELECT prorate_payout_run(${short}, ${one}, '', now())`,
      `SELECT apply_decision(1, ${one}, now())`,
      'SELECT accept_decision_approval(1, NULL)',
      `SELECT submit_decision_approval(${one}, 'devnet', '', now(), '', '{}', '{1}', '{plan}', '{"{}"}')`,
      `INSERT INTO plan_version (version, starts_at, document) VALUES (900, now(), '{}')`,
      `INSERT INTO decision (kind, subject, statement, proposed_by, proposed_at) VALUES ('plan', 'plan:x', '{}', ${one}, now())`,
      `INSERT INTO decision_approval (decision_id, operator_id, approval_id, at) VALUES (1, ${one}, 1, now())`,
      `UPDATE decision SET state = 'accepted'`,
      `INSERT INTO declared_rate (day, percentage, declared_by, declared_at) VALUES ('2099-01-01', '99', ${one}, now())`,
    ]
    for (const role of ['api', 'worker'] as const)
      for (const query of tries)
        expect([query, await refusal(roles[role].query(query))]).toEqual([query, '42501'])
    expect(await runOf(run)).toMatchObject({ by: null })
  })

  it('stores a first plan where there is none, and otherwise nothing', async () => {
    const before = await versions()
    await value('api', `SELECT store_first_plan('{}')`)
    expect(await versions()).toBe(before)
  })

  it('declares a rate that is the plan’s own or less', async () => {
    const declare = (percentage: string, day = '2040-06-01', because: string | null = 'A slow day.') =>
      refusal(value('api', 'SELECT declare_rate($1, $2, $3, $4, now())', [day, percentage, because, one]))
    for (const lower of ['0', '0.1', '0.333333']) expect(await declare(lower)).toBeNull()
    for (const higher of ['0.333334', '1', '99', '-1', 'NaN', '1e1', '', '0.3333333'])
      expect(await declare(higher)).toBe('declared_rate_within_plan')
    expect(await declare('0.1', '1969-01-01')).toBe('declared_rate_within_plan')
    expect(await declare('0.333332', '2040-06-01', null)).toBe('lower_rate_has_a_reason')
    expect(await declare('0.333333', '2040-06-01', null)).toBeNull()
  })

  it('proposes fifty at most, and withdrawn ones make room', async () => {
    const plan = (number: number) =>
      propose('plan', { starts_on: `${2_100 + number}-01-01` }, JSON.stringify(PLAN))
    const open = Number(await value('owner', "SELECT count(*) FROM decision WHERE state = 'open'"))
    for (let number = open; number < 50; number += 1) await plan(number)
    expect(await refusal(plan(50))).toBe('decisions_waiting')
    const last = await value('owner', "SELECT max(id) FROM decision WHERE kind = 'plan'")
    await value('api', 'SELECT withdraw_decision($1, $2, now())', [last, one])
    expect(await refusal(plan(50))).toBeNull()
  })
})
