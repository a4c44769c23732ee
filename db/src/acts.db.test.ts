/** Acts on money: what is signed is what the rows say, and nothing is done that was not signed. */
import { afterAll, describe, expect, inject, it } from 'vitest'
import { openDecisions } from './testing/decisions.ts'
import { refusal } from './testing/roles.ts'

const fixture = await openDecisions(inject('ownerUrl'))
const { value, owner, member, propose, submit, accept, approve, stateOf, shown, close } = fixture
const { one, two, payee } = fixture
afterAll(close)

describe('an act on money', () => {
  const capital = (amount: number) =>
    owner(`UPDATE house_balance SET amount = $1 WHERE account = 'company:capital'`, [amount])
  const poolOf = async () =>
    Number(await value('owner', `SELECT amount FROM house_balance WHERE account = 'pool:profit'`))
  const fund = (amount: string, operator = one) =>
    propose(
      'fund_pool',
      { pool: 'profit', amount, reason: 'For May.', holds: '9', results: '9' },
      null,
      operator,
    )
  const trail = async (subject: string) =>
    (
      await owner('SELECT action, actor_id::int AS by FROM audit_event WHERE subject = $1 ORDER BY id', [
        subject,
      ])
    ).rows

  it('says what it does from the rows themselves, whatever else was given', async () => {
    await capital(1000)
    await owner(`UPDATE house_balance SET amount = 30 WHERE account = 'pool:profit'`)
    const id = await fund('400')
    expect((await shown(id)).statement).toEqual({
      ...{ pool: 'profit', amount: '400', reason: 'For May.' },
      ...{ holds: '30', results: '430', capital: '1000', capital_left: '600' },
    })
    expect(await poolOf()).toBe(30)
    expect(await refusal(fund('5'))).toBe('decision_open_once')
    expect(await approve(id, two)).toBe('accepted')
    expect(await poolOf()).toBe(430)
    expect(await trail('pool:profit')).toEqual([{ action: 'pool.fund', by: two }])
    const [funding] = (await owner('SELECT amount::int, funded_by::int FROM pool_funding')).rows
    expect(funding).toEqual({ amount: 400, funded_by: two })
  })

  it('is not asked for by who may not, and waits while the capital does not cover it', async () => {
    await capital(1000)
    const support = await member(true)
    await owner(`UPDATE member SET operator_role = 'support' WHERE id = $1`, [support])
    for (const nobody of [support, payee])
      expect(await refusal(fund('5', nobody))).toBe('decision_by_an_operator')
    expect(await refusal(fund('1001'))).toBe('decision_company_funds_too_small')
    for (const wrong of ['0', '-5', '']) expect(await refusal(fund(wrong)), wrong).not.toBeNull()
    const before = await poolOf()
    const id = await fund('1000')
    await capital(999)
    expect(await approve(id)).toBe('company_funds_too_small')
    expect(await stateOf(id)).toEqual({ state: 'open', refusal: null })
    await capital(1000)
    expect([await approve(id), await poolOf()]).toEqual(['accepted', before + 1000])
  })

  it('of several in one list each is done, and one that cannot be keeps the list from being approved', async () => {
    await capital(1000)
    await owner(
      `INSERT INTO custody_holding (address, role, member_id, amount, moved_block) VALUES ('hot', 'hot', 0, 500, 1)`,
    )
    const reads = (amount: number) =>
      owner(
        `INSERT INTO custody_reading (address, usdt, trx, from_block, to_block, read_at) VALUES ('hot', $1, 1, 1, 1, now())
         ON CONFLICT (address) DO UPDATE SET usdt = excluded.usdt`,
        [amount],
      )
    await reads(450)
    const explain = (difference: string) =>
      propose('explain_difference', { address: 'hot', difference, reason: 'Destroyed.' })
    expect(await refusal(explain('-51'))).toBe('decision_difference_changed')
    await owner(
      `INSERT INTO payments_stop (stopped_by, stopped_at, reason) VALUES ($1, now() - interval '1 hour', 'A worry.')`,
      [one],
    )
    const stop = await value(
      'owner',
      'UPDATE payout_stop SET operator_stop_id = (SELECT max(id) FROM payments_stop) RETURNING operator_stop_id',
    )
    const acts = [
      await fund('100'),
      await explain('-50'),
      await propose('resume_payments', { stop: String(stop), reason: 'Looked into it.' }),
    ]
    // Who stopped payments does not let them go on alone.
    expect(await accept(await submit(acts))).toBe('payments_unchecked')
    await reads(440)
    expect(await accept(await submit(acts, { operator: two }))).toBe('difference_changed')
    expect(await poolOf()).toBe(1430)
    acts[1] = await explain('-60')
    expect(await accept(await submit(acts, { operator: two }))).toBe('accepted')
    expect(await poolOf()).toBe(1530)
    expect(await value('owner', `SELECT amount::int FROM custody_holding WHERE address = 'hot'`)).toBe(440)
    expect(await value('owner', 'SELECT operator_stop_id FROM payout_stop')).toBeNull()
    expect(await value('owner', 'SELECT resumed_by::int FROM payments_stop')).toBe(two)
  })

  it('can be done by no role of a program, and by the signer’s after an approval alone', async () => {
    const { rows } = await owner(
      `SELECT r.rolname || ' ' || f.oid::regprocedure AS may FROM pg_proc f, pg_roles r
       WHERE f.proname = ANY($1) AND r.rolname LIKE 'aval\\_%' AND r.rolname <> 'aval_ledger'
         AND has_function_privilege(r.oid, f.oid, 'EXECUTE')`,
      [ACTS],
    )
    expect(rows).toEqual([])
    expect(
      await value('owner', 'SELECT count(DISTINCT proname)::int FROM pg_proc WHERE proname = ANY($1)', [
        ACTS,
      ]),
    ).toBe(ACTS.length)
  })
})

/** What no program calls by itself. */
const ACTS = [
  ...['fund_pool', 'explain_difference', 'resume_payments', 'reverse_investment'],
  ...['set_extra_percent', 'set_fundator'],
  ...['apply_act', 'apply_decision'],
]
