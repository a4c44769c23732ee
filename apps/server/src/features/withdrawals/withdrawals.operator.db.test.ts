import type { Problem, QueuedWithdrawal, WithdrawalDossier } from '@aval/contract'
import { DEFAULT_PLAN } from '@aval/plan'
import { describe, expect, it } from 'vitest'
import { query } from '../../core/query.sql.ts'
import { storePlan } from '../../testing/deciding.ts'
import { exportedRows, rowByRow } from '../../testing/exported.ts'
import { usdt } from '../../testing/money-fixture.ts'
import { type Client, clientOf, operatorClient, PROBLEM } from '../../testing/server.ts'
import { soundSuiteFixture } from '../../testing/suite.ts'
import { mailsTo } from '../identity/testing/member-fixture.ts'
import { createWithdrawalFixture, type Withdrawer } from './testing/withdrawal-fixture.ts'
import { type QueuedWithdrawalRow, queueAfter } from './withdrawals.operator.queries.ts'

const money = await soundSuiteFixture(createWithdrawalFixture, '2026-05-03T15:00:00Z')
await money.openWallets('10000')
const olga = await operatorClient(money.server, { username: 'olga' })
const otto = await operatorClient(money.server, { username: 'otto' })

const DECIDE = 'operator/withdrawals/decide/'
const decide = (who: Client, body: object) => who.decide(DECIDE, body, PROBLEM)
const numberOf = async (username: string) =>
  (
    await money.db
      .selectFrom('member')
      .select('id')
      .where('username', '=', username)
      .executeTakeFirstOrThrow()
  ).id
const [byOlga, byOtto] = [await numberOf('olga'), await numberOf('otto')]
/** On the page of approvals. */
const approve = async (operator: bigint, ...ids: (bigint | number)[]) => {
  for (const id of ids) expect(await money.approve(id, operator)).toBe('accepted')
}
const refuse = (who: Client, id: bigint | number, reason = 'Ask support first.') =>
  decide(who, { decision: 'refuse', ids: [Number(id)], reason })
const queue = async (search = '', who = olga): Promise<QueuedWithdrawal[]> =>
  (await who.get(`operator/withdrawals/?page_size=100${search}`)).json().results
const queued = async (id: bigint | number, who = olga): Promise<WithdrawalDossier> =>
  (await who.get(`operator/withdrawals/${id}/`)).json()
const codeOf = (answer: { json(): unknown }) => (answer.json() as Problem).code
const balances = ({ id }: Withdrawer) => money.balancesOf(id)

describe('an operator', () => {
  it('approves on another page, and no transfer is made before', async () => {
    const ana = await money.withdrawer('100')
    const id = await money.place(ana, '50')
    await expect(money.prepare(id)).rejects.toThrow('could not be prepared')
    expect(await decide(olga, { decision: 'approve', ids: [Number(id)] })).toAnswer(400)
    expect((await queued(id)).stage).toBe('requested')
    await approve(byOlga, id)
    expect(await queued(id)).toMatchObject({
      stage: 'approved',
      status: '2',
      approvals: [{ operator: 'olga' }],
      approvals_needed: 1,
      can_approve: false,
      can_refuse: true,
    })
    await money.pay(id)
  })

  it('from 1,000 USD on needs another one, and counts once', async () => {
    const ana = await money.withdrawer('2000')
    const id = await money.place(ana, '1000')
    await approve(byOlga, id)
    await approve(byOlga, id)
    expect(await queued(id)).toMatchObject({ stage: 'requested', approvals_needed: 2, can_approve: false })
    expect(await queued(id, otto)).toMatchObject({ can_approve: true })
    await approve(byOtto, id)
    expect((await queued(id)).approvals.map(({ operator }) => operator)).toEqual(['olga', 'otto'])
    expect((await queued(id)).stage).toBe('approved')
  })

  it('never decides a withdrawal of their own', async () => {
    const member = await money.withdrawer('100')
    const id = await money.place(member, '50')
    await money.owner
      .updateTable('member')
      .set({ is_operator: true, operator_role: 'admin' })
      .where('id', '=', member.id)
      .execute()
    const oscar = await money.client(member.id)
    expect(await money.approve(id, member.id)).toBe('own_withdrawal')
    expect(codeOf(await refuse(oscar, id))).toBe('withdrawal_own')
    expect(await queued(id, oscar)).toMatchObject({ can_approve: false, can_refuse: false })
    await approve(byOlga, id)
  })

  it('refuses with a reason, and the member has everything back and gets an e-mail', async () => {
    const ana = await money.withdrawer('100')
    const id = await money.place(ana, '50')
    const silent = await decide(olga, { decision: 'refuse', ids: [Number(id)] })
    expect([silent.statusCode, codeOf(silent)]).toEqual([400, 'field_required'])
    expect(await refuse(olga, id)).toAnswer(200)
    expect(await balances(ana)).toMatchObject({ balance: usdt('100'), held: 0n })
    const [row] = (await ana.get('withdrawals/withdrawals/')).json().results
    expect(row).toMatchObject({ status: '3', stage: 'refused', reason: 'Ask support first.' })
    expect((await mailsTo(money.server, ana.id)).at(-1)).toMatchObject({
      template: 'withdrawal_refused',
      params: { reason: 'Ask support first.' },
    })
    const second = (await refuse(otto, id)).json()
    expect(second.code).toBe('withdrawal_decided')
    expect(second.detail).toMatch(/olga (refused it|lo rechazó), .*2026/)
    expect(await queued(id, otto)).toMatchObject({ stage: 'refused', refused_by: 'olga' })
  })

  it('reads what counts together in 24 hours, how many operators that takes, and who else has the wallet', async () => {
    const ana = await money.withdrawer('3000')
    const refused = await money.place(ana, '500')
    await refuse(olga, refused)
    const [first, second] = [await money.place(ana, '600'), await money.place(ana, '399')]
    expect((await queued(second)).day).toEqual({
      amount: '999.00',
      count: 2,
      operators: 1,
      more_from: '1000.00',
    })
    await money.place(ana, '20')
    // It counts with what came after it, too.
    expect((await queued(first)).day).toEqual({ amount: '1019.00', count: 3, operators: 2, more_from: null })
    // The list says what the signer will ask for, not what each amount takes alone.
    const { results } = (await olga.get('operator/withdrawals/?state=requested&page_size=100')).json()
    const mine = results.filter((row: { member_id: number }) => row.member_id === Number(ana.id))
    expect(
      mine.map((row: { amount: string; approvals_needed: number }) => [row.amount, row.approvals_needed]),
    ).toEqual([
      ['600.00', 2],
      ['399.00', 2],
      ['20.00', 2],
    ])
    const [other] = await query<{ id: bigint; username: string }>(money.owner)`
      UPDATE member SET usdt_wallet = (SELECT wallet_address FROM withdrawal WHERE id = ${first})
      WHERE id = ${await money.member()} RETURNING id, username`
    expect((await queued(first)).same_wallet).toEqual([
      { member_id: Number(other?.id), username: other?.username },
    ])
  })

  it('stops an approved one until a transfer of it can arrive, and not after', async () => {
    const ana = await money.withdrawer('100')
    const [first, second] = [await money.place(ana, '40'), await money.place(ana, '50')]
    await approve(byOlga, first, second)
    expect(await refuse(olga, first)).toAnswer(200)
    const txid = await money.prepare(second)
    expect(codeOf(await refuse(olga, second))).toBe('withdrawal_in_transit')
    await money.sign(txid)
    expect(codeOf(await refuse(olga, second))).toBe('withdrawal_in_transit')
    // The chain has ended it; that it failed is booked before anybody decides.
    await money.conclude(txid, { result: 'REVERT' })
    expect(codeOf(await refuse(olga, second))).toBe('withdrawal_in_transit')
    await money.settle(txid)
    expect((await queued(second)).stage).toBe('failed')
    expect(await balances(ana)).toMatchObject({ balance: usdt('100'), held: 0n })
  })

  it('refuses several with one code, all of them or none', async () => {
    const [ana, bob] = [await money.withdrawer('100'), await money.withdrawer('100')]
    const ids = [await money.place(ana, '20'), await money.place(bob, '30'), await money.place(ana, '40')]
    const all = (given: readonly (bigint | number)[]) =>
      decide(olga, { decision: 'refuse', ids: given.map(Number), reason: 'Ask support first.' })
    await refuse(olga, ids[2] ?? 0n)
    expect(codeOf(await all(ids))).toBe('withdrawal_decided')
    expect((await queued(ids[0] ?? 0n)).stage).toBe('requested')
    expect(codeOf(await all([ids[0] ?? 0n, 999_999]))).toBe('withdrawal_not_found')
    expect((await all(ids.slice(0, 2))).json()).toEqual({ message: 'Withdrawals refused: 2.' })
    const rows = await query<{ outcome: string; code: string | null }>(money.db)`
      SELECT outcome, details->>'code' AS code FROM audit_event WHERE action = 'withdrawal.decide' ORDER BY id DESC LIMIT 3`
    expect(rows.map(({ outcome, code }) => [outcome, code])).toEqual([
      ['done', null],
      ['refused', 'withdrawal_not_found'],
      ['refused', 'withdrawal_decided'],
    ])
  })

  it('and a member who decide at once: one of them is first, and money is in one place', async () => {
    const ana = await money.withdrawer('500')
    for (let round = 0; round < 5; round += 1) {
      const id = await money.place(ana, '20')
      const [approval, cancelling] = await Promise.all([
        money.approve(id, byOlga),
        ana.post(`withdrawals/withdrawals/${id}/cancel/`),
      ])
      // What is cancelled by then is passed over.
      expect(approval).toBe('accepted')
      expect((await queued(id)).stage).toBe(cancelling.statusCode === 200 ? 'cancelled' : 'approved')
    }
  })
})

describe('the queue', () => {
  it('shows open ones oldest first, and closed ones newest first', async () => {
    const ana = await money.withdrawer('100')
    const [first, second] = [await money.place(ana, '20'), await money.place(ana, '30')]
    const requested = (await queue('&state=requested')).map(({ id }) => id)
    expect(requested.slice(-2)).toEqual([Number(first), Number(second)])
    await approve(byOlga, first)
    expect((await queue('&state=approved')).at(-1)?.id).toBe(Number(first))
    const open = (await queue()).map(({ id }) => id)
    expect(open).toEqual(open.toSorted((a, b) => a - b))
    await refuse(olga, second)
    expect((await queue('&state=closed'))[0]?.id).toBe(Number(second))
    expect(await olga.get('operator/withdrawals/?state=x')).toAnswer(400)
  })

  it('marks what to look at', async () => {
    const [ana, bob] = [await money.withdrawer('100'), await money.withdrawer('1000')]
    await money.db.updateTable('member').set({ usdt_wallet: ana.wallet }).where('id', '=', bob.id).execute()
    const id = await money.place(ana, '80')
    expect((await queued(id)).risks).toEqual(['first_withdrawal', 'large_share', 'wallet_shared'])
    await approve(byOlga, id)
    await money.pay(id)
    await query(money.db)`
      SELECT record_security_event(${bob.id}, 'wallet_changed', now() - interval '3 days', '', '', ${JSON.stringify({ previous: bob.wallet, wallet: ana.wallet })}::jsonb),
        record_security_event(${bob.id}, 'two_factor_on', now() - interval '6 days', '', '', '{}')`
    const second = await queued(await money.place({ ...bob, wallet: ana.wallet }, '20'))
    expect(second.risks).toEqual([
      'new_wallet',
      'recent_security_change',
      'first_withdrawal',
      'wallet_shared',
    ])
    expect(second.risk_marks).toContainEqual({ name: 'wallet_shared', since: null, what: expect.any(String) })
    expect(Date.now() - Date.parse(second.wallet_since ?? '')).toBeGreaterThan(2.9 * 86_400_000)
  })

  it('knows the one browser in which a member did everything, and says since when another one is there', async () => {
    const ana = await money.withdrawer('1000')
    await query(money.db)`
      SELECT record_security_event(${ana.id}, 'wallet_changed', now() - interval '2 days', 'Firefox', '', ${JSON.stringify({ previous: '', wallet: ana.wallet })}::jsonb)`
    const marks = async (who = ana) => {
      const { risk_marks: all } = await queued((await money.asked(who, '20')).id)
      return all.filter(({ name }) => name !== 'first_withdrawal').map(({ name, since }) => [name, since])
    }
    expect(await marks()).toEqual([])
    // Another program with the same token.
    const copied = { ...ana, ...clientOf(money.server, { ...ana.headers, 'user-agent': 'curl/8.5.0' }) }
    expect(await marks(copied)).toEqual([['new_device', expect.any(String)]])
    const signedIn = async (daysAgo: number) => {
      const at = new Date(Date.now() - daysAgo * 86_400_000)
      await query(money.db)`
        INSERT INTO session (member_id, started_at, user_agent) VALUES (${ana.id}, ${at}, 'curl/8.5.0')`
      await query(money.db)`
        SELECT record_security_event(${ana.id}, 'signed_in_new', ${at}, 'curl/8.5.0', '', '{}')`
      return at.toISOString()
    }
    await signedIn(8)
    expect(await marks(copied)).toEqual([])
    const since = await signedIn(2)
    expect(await marks(copied)).toEqual([['new_device', since]])
    expect(await marks()).toEqual([])
  })

  it('shows the member’s history beside the request', async () => {
    const ana = await money.withdrawer('100')
    const id = await money.place(ana, '30')
    await approve(byOlga, id)
    const txid = await money.pay(id, { arrived: '28' })
    const dossier = await queued(id)
    expect(dossier).toMatchObject({
      stage: 'completed',
      short_by: '1.00',
      delay: null,
      member: {
        principal: '0.00',
        balance: '70.00',
        held: '0.00',
        withdrawn: '30.00',
        withdrawals: 1,
        sponsor: 'root',
        two_factor: false,
        cools_until: null,
      },
      transfers: [{ txid, state: 'settled', result: 'SUCCESS', arrived: '28.00' }],
    })
  })

  it('says what keeps an approved one from being paid: its own delay, or the one of all', async () => {
    const ana = await money.withdrawer('100')
    const [first, second] = [await money.place(ana, '20'), await money.place(ana, '30')]
    await approve(byOlga, first, second)
    const put = (memberId: bigint, id: bigint, code: string) =>
      query(money.gateway.db)`
        INSERT INTO withdrawal_delay VALUES (${memberId}, ${id}, ${code}, 'said', now(), now())`
    await put(0n, 0n, 'hot_usdt')
    await put(ana.id, first, 'recipient_blacklisted')
    expect((await queued(first)).delay).toMatchObject({ code: 'recipient_blacklisted', detail: 'said' })
    expect((await queued(second)).delay).toMatchObject({ code: 'hot_usdt' })
    await query(money.gateway.db)`DELETE FROM withdrawal_delay`
  })
})

describe('the queue as a file', () => {
  it('has what the queue of a state has, in its order, with what a bookkeeper needs', async () => {
    for (const state of ['requested', 'approved', 'closed'] as const) {
      const shown = await queue(`&state=${state}`)
      expect(shown.length, state).toBeGreaterThan(0)
      const rows = await exportedRows(olga, `operator/withdrawals/export/?state=${state}`)
      expect(rows.map((row) => [row['id'], row['amount'], row['txid'], row['refused_by']])).toEqual(
        shown.map((row) => [row.id, row.amount, row.txid, row.refused_by]),
      )
      const read = await rowByRow<QueuedWithdrawalRow>((after, limit) =>
        queueAfter(money.db, state, after, limit),
      )
      expect(read.map(({ id }) => Number(id))).toEqual(shown.map(({ id }) => id))
    }
    expect(await olga.get('operator/withdrawals/export/?state=lost')).toAnswer(400)
  })
})

describe('a plan that asks for nobody below a threshold', () => {
  it('gets one operator asked all the same', async () => {
    await storePlan(money.owner, 2, new Date('2026-05-04T05:00:00Z'), {
      ...DEFAULT_PLAN,
      withdrawals: {
        minimum: '20',
        fee: '1',
        dailyLimit: '5000',
        approvals: [
          { from: '0', operators: 0 },
          { from: '100', operators: 2 },
        ],
      },
    })
    const ana = await money.withdrawer('1000')
    money.now = new Date('2026-05-04T15:00:00Z')
    const first = await money.place(ana, '50')
    expect(await queued(first)).toMatchObject({
      stage: 'requested',
      approvals_needed: 1,
      risks: ['first_withdrawal'],
    })
    await approve(byOlga, first)
    await money.pay(first)
    const second = await money.place(ana, '50')
    expect(await queued(second)).toMatchObject({ stage: 'requested', approvals_needed: 0, risks: [] })
    await expect(money.prepare(second)).rejects.toThrow('could not be prepared')
    await approve(byOlga, second)
    expect((await queued(second)).stage).toBe('approved')
    expect((await queued(await money.place(ana, '100'))).approvals_needed).toBe(2)
  })
})
