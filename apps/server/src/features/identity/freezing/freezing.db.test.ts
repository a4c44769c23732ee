/** A frozen account: what stops in it, what goes on, and that PostgreSQL refuses by itself. */
import { constraintOf, inTransaction } from '@aval/db'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { query, queryValue } from '../../../core/query.sql.ts'
import { usdt } from '../../../testing/money-fixture.ts'
import { join, operatorClient, PROBLEM } from '../../../testing/server.ts'
import { soundSuiteFixture } from '../../../testing/suite.ts'
import { createWithdrawalFixture, type Withdrawer } from '../../withdrawals/testing/withdrawal-fixture.ts'
import { mailsTo, walletOf } from '../testing/member-fixture.ts'

const REASON = 'We need your passport again.'
const money = await soundSuiteFixture(createWithdrawalFixture, '2026-05-03T15:00:00Z')
const { server } = money
await money.openWallets('5000')
const olga = await operatorClient(server, { username: 'olga', operatorRole: 'compliance' })
const omar = await operatorClient(server, { username: 'omar' })
const approver = await money.operator()

const act = (who: Pick<Withdrawer, 'id'>, verb: string, by = olga, reason = REASON) =>
  by.decide(`operator/members/${who.id}/${verb}/`, { reason }, PROBLEM)
const freeze = async (who: Pick<Withdrawer, 'id'>) => expect(await act(who, 'freeze')).toAnswer(200)
const unfreeze = async (who: Pick<Withdrawer, 'id'>) => expect(await act(who, 'unfreeze')).toAnswer(200)
const frozen = async (balance = '200') => {
  const ana = await money.withdrawer(balance)
  await freeze(ana)
  return ana
}
const refuses = (answer: Awaited<ReturnType<typeof act>>) => {
  expect(answer).toRefuse(403, 'account_frozen')
  expect(answer.json().detail).toContain(REASON)
}

describe('in a frozen account', () => {
  it('no withdrawal is asked for, nor a code for one, and the reason is the sentence', async () => {
    const ana = await money.withdrawer('200')
    const used_code = await money.code(ana)
    await freeze(ana)
    const body = { amount: '50', wallet_address: ana.wallet, used_code }
    refuses(await ana.post('withdrawals/withdrawals/', body, PROBLEM))
    refuses(await ana.post('withdrawals/withdrawals/create-code/', {}, PROBLEM))
    await unfreeze(ana)
    // The code of before is good no more.
    expect(await ana.post('withdrawals/withdrawals/', body, PROBLEM)).toRefuse(422, 'code_expired')
    expect(await money.ask(ana, '50')).toAnswer(201)
  })

  it('nothing is reinvested, deposits are credited and invested as ever', async () => {
    const ana = await frozen('2000')
    const invest = { amount: '500', payPasive: true }
    refuses(await ana.post('plans/create-investment-payment/', invest, PROBLEM))
    const { invoice } = await money.invoiceOver(ana.id, '600')
    refuses(await ana.post(`plans/invoices/${invoice.txn_id}/complete/`, {}, PROBLEM))
    await money.investOnly(ana.id, '600')
    expect(await money.balancesOf(ana.id)).toMatchObject({ balance: usdt('2000'), principal: usdt('600') })
  })

  it('neither e-mail nor wallet changes, the name does', async () => {
    const ana = await frozen()
    const patch = (body: object) =>
      server.call({
        method: 'PATCH',
        url: '/api/auth/user/',
        payload: body,
        headers: { ...ana.headers, ...PROBLEM },
      })
    refuses(await patch({ usdt_wallet: walletOf(200) }))
    refuses(await patch({ email: 'another@example.com' }))
    expect(await patch({ first_name: 'Ana' })).toAnswer(200)
  })

  it('the member reads why, on the dashboard and where withdrawals are asked for', async () => {
    const ana = await frozen()
    expect((await ana.get('withdrawals/terms/')).json()).toMatchObject({ frozen: REASON })
    expect((await ana.get('core/dashboard/')).json()).toMatchObject({ frozen: REASON })
    await unfreeze(ana)
    expect((await ana.get('withdrawals/terms/')).json()).toMatchObject({ frozen: null })
    expect((await ana.get('core/dashboard/')).json()).toMatchObject({ frozen: null })
  })

  it('an approved withdrawal waits, unprepared and unsigned, and goes on afterwards', async () => {
    const ana = await money.withdrawer('200')
    const [first, second] = [await money.place(ana, '50'), await money.place(ana, '60')]
    for (const id of [first, second]) await money.approve(id, approver)
    const txid = await money.prepare(first)
    await freeze(ana)
    expect(await money.sign(txid)).toBe('frozen')
    await expect(money.prepare(second)).rejects.toThrow('could not be prepared')
    // Nor is one taken that another machine made.
    await query(money.owner)`ALTER TABLE outgoing_transfer DISABLE TRIGGER outgoing_transfer_goes_forward`
    await query(money.owner)`UPDATE outgoing_transfer SET offline = true WHERE txid = ${txid}`
    const made = queryValue<string>(
      money.gateway.db,
    )`SELECT import_signature(${txid}, ${Buffer.alloc(65, 7)})`
    expect(await made).toBe('not_prepared')
    await query(money.owner)`UPDATE outgoing_transfer SET offline = false WHERE txid = ${txid}`
    await query(money.owner)`ALTER TABLE outgoing_transfer ENABLE TRIGGER outgoing_transfer_goes_forward`
    await unfreeze(ana)
    expect(await money.sign(txid)).toBe('signed')
    await money.settle(txid)
    await money.pay(second)
    expect(await money.balancesOf(ana.id)).toMatchObject({ balance: usdt('90'), held: usdt('0') })
  })

  it('a transfer that was signed before arrives all the same', async () => {
    const ana = await money.withdrawer('200')
    const id = await money.place(ana, '50')
    await money.approve(id, approver)
    const txid = await money.prepare(id)
    await money.sign(txid)
    await freeze(ana)
    await money.settle(txid)
    expect(await money.balancesOf(ana.id)).toMatchObject({ balance: usdt('150'), held: usdt('0') })
    await unfreeze(ana)
  })
})

describe('PostgreSQL refuses by itself, whatever the server says', () => {
  /** The name of the constraint that a statement of the API's role runs into. */
  const refusalOf = async (statement: ReturnType<typeof sql>) => {
    try {
      await inTransaction(money.db, (tx) => statement.execute(tx))
      return null
    } catch (error) {
      return constraintOf(error)
    }
  }

  it('a request, a change of wallet or e-mail, and what would be reinvested', async () => {
    const ana = await frozen()
    const now = money.now
    const { invoice } = await money.invoiceOver(ana.id, '600')
    for (const statement of [
      sql`SELECT request_withdrawal(${ana.id}, ${usdt('50')}, ${usdt('1')}, ${usdt('50')}, 0, ${ana.wallet}, 0::smallint, 1, '[]', '', ${now})`,
      sql`UPDATE member SET usdt_wallet = ${walletOf(201)} WHERE id = ${ana.id}`,
      sql`UPDATE member SET email = 'thief@example.com' WHERE id = ${ana.id}`,
      sql`SELECT invest_balance(${ana.id}, 'x', ${usdt('50')}, 1, ${now})`,
      sql`SELECT complete_invoice(${ana.id}, ${invoice.id}, 0, 1, ${now}, ${now})`,
    ])
      expect(await refusalOf(statement)).toBe('account_is_not_frozen')
  })

  it('an end of the freeze by nobody who may, and by the member', async () => {
    const ana = await frozen()
    const support = await join(server, { operatorRole: 'support' })
    const end = (by: bigint) => sql`SELECT freeze_member(${ana.id}, false, 'because', ${by}, now())`
    for (const by of [support, ana.id]) expect(await refusalOf(end(by))).toBe('freeze_by_an_operator')
    await expect(query(money.db)`INSERT INTO member_freeze (member_id, frozen, reason, operator_id, at)
      VALUES (${ana.id}, false, 'because', ${approver}, now())`).rejects.toMatchObject({ code: '42501' })
  })

  it('a request that began before the freeze and comes second', async () => {
    const ana = await money.withdrawer('200')
    const freezing = Promise.withResolvers<void>()
    const frozen = inTransaction(money.db, async (tx) => {
      const [{ id: by }] = (await query<{ id: bigint }>(
        tx,
      )`SELECT id FROM member WHERE username = 'olga'`) as [{ id: bigint }]
      await query(tx)`SELECT freeze_member(${ana.id}, true, ${REASON}, ${by}, now())`
      await freezing.promise
    })
    const requested = refusalOf(
      sql`SELECT request_withdrawal(${ana.id}, ${usdt('50')}, ${usdt('1')}, ${usdt('50')}, 0, ${ana.wallet}, 0::smallint, 1, '[]', '', ${money.now})`,
    )
    await expect
      .poll(
        () => queryValue<boolean>(
          money.owner,
        )`SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database()
        AND wait_event_type = 'Lock')`,
      )
      .toBe(true)
    freezing.resolve()
    await frozen
    expect(await requested).toBe('account_is_not_frozen')
  })
})

describe('the operator who freezes', () => {
  it('sees before what it stops and what it cannot stop any more', async () => {
    const ana = await money.withdrawer('200')
    const [signed, approved] = [await money.place(ana, '50'), await money.place(ana, '60')]
    for (const id of [signed, approved]) await money.approve(id, approver)
    await money.sign(await money.prepare(signed))
    const acts = async () => (await olga.get(`operator/members/${ana.id}/acts/`)).json()
    expect(await acts()).toMatchObject({
      own: false,
      frozen: null,
      stoppable: { count: 1, amount: '60.00' },
      on_their_way: 1,
    })
    await freeze(ana)
    expect(await acts()).toMatchObject({ frozen: { by: 'olga', reason: REASON } })
  })

  it('leaves it in the audit trail, in the member’s security log, and in a mail with the reason', async () => {
    const ana = await frozen()
    const trail = await query<object>(money.db)`SELECT action, details FROM audit_event
      WHERE subject = ${`member:${ana.id}`} AND action LIKE 'member.%' AND action <> 'member.join'`
    expect(trail).toEqual([
      {
        action: 'member.freeze',
        details: { reason: REASON, before: { frozen: false }, after: { frozen: true } },
      },
    ])
    expect((await ana.get('auth/security-events/')).json().results[0]).toMatchObject({
      kind: 'account_frozen',
      by_operator: true,
    })
    expect((await mailsTo(server, ana.id)).at(-1)).toMatchObject({
      template: 'account_frozen',
      params: { reason: REASON },
    })
  })

  it('comes second where another one was first, and reads what that one did', async () => {
    const ana = await frozen()
    const second = await act(ana, 'freeze', omar, 'Another reason.')
    expect(second).toRefuse(409, 'member_frozen')
    expect(second.json().detail).toContain('olga')
    await unfreeze(ana)
    expect(await act(ana, 'unfreeze', omar)).toRefuse(409, 'member_not_frozen')
  })

  it('does it to no operator above them, and PostgreSQL lets them neither', async () => {
    const [{ id, by }] = (await query<{ id: bigint; by: bigint }>(
      money.db,
    )`SELECT o.id, c.id AS by FROM member o, member c
      WHERE o.username = 'omar' AND c.username = 'olga'`) as [{ id: bigint; by: bigint }]
    expect(await act({ id }, 'freeze')).toRefuse(403, 'member_is_above')
    expect((await olga.get(`operator/members/${id}/acts/`)).json()).toMatchObject({ above: true })
    expect((await omar.get(`operator/members/${by}/acts/`)).json()).toMatchObject({ above: false })
    for (const statement of [
      sql`SELECT freeze_member(${id}, true, 'no reason', ${by}, now())`,
      sql`SELECT ask_release(${id}, 'no reason', 'by its passport', ${by}, now())`,
    ])
      expect(await statement.execute(money.db).then(() => null, constraintOf)).toBe('act_on_nobody_above')
    // Below them, and beside them.
    for (const operatorRole of ['support', 'treasurer', 'compliance'] as const) {
      const other = { id: await join(server, { operatorRole }) }
      await freeze(other)
      await unfreeze(other)
    }
    expect(await act({ id: by }, 'freeze', omar)).toAnswer(200)
    expect(await act({ id: by }, 'unfreeze', omar)).toAnswer(200)
  })

  it('does it to no account of their own, and none that is not there', async () => {
    const [{ id }] = (await query<{ id: bigint }>(
      money.db,
    )`SELECT id FROM member WHERE username = 'olga'`) as [{ id: bigint }]
    expect(await act({ id }, 'freeze')).toRefuse(403, 'own_account')
    expect(await act({ id: 999_999n }, 'freeze')).toRefuse(404, 'member_not_found')
  })
})
