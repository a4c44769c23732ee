/** Every call for members that names a thing, with the number of a thing that is another member's; and what of it is kept. */
import { inTransaction } from '@aval/db'
import { beforeAll, describe, expect, it } from 'vitest'
import { query } from '../core/query.sql.ts'
import { openSession } from '../features/identity/sessions/sessions.commands.ts'
import { sessionIn } from '../features/identity/testing/member-fixture.ts'
import { createWithdrawalFixture } from '../features/withdrawals/testing/withdrawal-fixture.ts'
import { callsIn, describeApi } from '../testing/described-api.ts'
import { clientOf, join, PROBLEM, signedIn } from '../testing/server.ts'
import { suiteFixture } from '../testing/suite.ts'

const money = await suiteFixture(createWithdrawalFixture, '2026-05-03T15:00:00Z')
const { server, db } = money
const ana = await money.withdrawer('1000')
const below = await join(server, {}, ana.id)
const withdrawal = await money.asked(ana, '50')
const { invoice } = await money.invoiceOver(ana.id, '600')
await money.fund('commission', '5000')
await money.reinvest(ana.id, '600')
await money.invest(await money.member(ana.id), '1000')
const earned = (await ana.get('payments/direct-payments/')).json().results[0]

/** A thing of Ana's for each call; the year is nobody's. */
const HERS: Readonly<Record<string, string>> = {
  '/api/auth/sessions/{id}/end/': sessionIn(ana.headers['authorization'] ?? ''),
  '/api/tree/get-referrals/{id}/activate-master-code/': String(below),
  '/api/tree/members/{id}/': String(below),
  '/api/payments/why/{id}/': earned?.id ?? '',
  '/api/plans/invoices/{txn_id}/complete/': String(invoice.txn_id),
  '/api/plans/invoices/{txn_id}/cancel/': String(invoice.txn_id),
  '/api/withdrawals/withdrawals/{id}/cancel/': String(withdrawal.id),
  '/api/withdrawals/withdrawals/{id}/': String(withdrawal.id),
}
const NOBODYS = ['/api/payments/earnings/{year}/']

const calls = callsIn(await describeApi())
  .filter(({ path, operation }) => path.includes('{') && operation.security.length > 0)
  .filter(({ path }) => !path.startsWith('/api/operator/') && !NOBODYS.includes(path))

const kept = (actorId: bigint) =>
  query<{ action: string; outcome: string; subject: string; details: Record<string, unknown> }>(db)`
    SELECT action, outcome, subject, details FROM audit_event WHERE actor_id = ${actorId} AND outcome = 'refused' ORDER BY id`

describe('a thing of another member', () => {
  it('is known here for every call that names one', () => {
    expect(calls.filter(({ path }) => !HERS[path]).map(({ path }) => path)).toEqual([])
    expect(calls.length).toBeGreaterThan(7)
  })

  it.each(calls.map(({ method, path }) => [method, path] as const))(
    'is not there for %s %s, and the attempt is kept',
    async (method, path) => {
      const eveId = await join(server, { isFundator: true })
      const eve = await signedIn(server, eveId)
      const call = path.replace('/api/', '').replace(/\{\w+\}/, HERS[path] ?? '')
      const answer = await (method === 'GET' ? eve.get(call, PROBLEM) : eve.post(call, {}, PROBLEM))
      expect(answer).toAnswer(404)
      expect(await kept(eveId)).toEqual([expect.objectContaining({ outcome: 'refused' })])
    },
  )
})

describe('a refusal about money', () => {
  it('is kept with what was asked for, and without the code that came with it', async () => {
    const bea = await money.withdrawer('1000')
    const body = { amount: '50', wallet_address: bea.wallet, used_code: '7654321', otp: '123456', note: 'x' }
    expect((await bea.post('withdrawals/withdrawals/', body)).statusCode).toBeGreaterThanOrEqual(400)
    const entries = await kept(bea.id)
    expect(JSON.stringify(entries)).not.toMatch(/7654321|123456/)
    const entry = entries.find(({ action }) => action === 'withdrawal.request')
    expect(Object.keys(entry?.details ?? {}).sort()).toEqual(['amount', 'code', 'wallet_address'])
  })
})

describe('what is for operators alone', () => {
  let memberId: bigint
  beforeAll(async () => {
    memberId = await join(server)
  })

  it('leaves an entry of the member who asked for it, with the call and what it named', async () => {
    const member = await signedIn(server, memberId)
    expect(await member.get('operator/withdrawals/17/', PROBLEM)).toRefuse(403, 'not_allowed')
    expect(await kept(memberId)).toEqual([
      {
        action: 'call.make',
        outcome: 'refused',
        subject: 'call:GET /api/operator/withdrawals/:id/',
        details: { code: 'not_allowed', id: '17' },
      },
    ])
  })

  it('leaves one of an operator without a second factor, and none of strangers', async () => {
    const operatorId = await join(server, { isOperator: true })
    const pair = await inTransaction(db, (tx) =>
      openSession(server.context, tx, { memberId: operatorId, userAgent: 'test' }, new Date()),
    )
    const careless = clientOf(server, { authorization: `Bearer ${pair.access}` })
    expect(await careless.get('operator/today/', PROBLEM)).toRefuse(403, 'two_factor_required')
    expect((await kept(operatorId)).map(({ details }) => details['code'])).toEqual(['two_factor_required'])
    const [before] = await query(db)`SELECT count(*) FROM audit_event`
    expect(await clientOf(server, { authorization: 'Bearer a.b.c' }).get('operator/today/')).toAnswer(401)
    expect(await query(db)`SELECT count(*) FROM audit_event`).toEqual([before])
  })

  it('leaves thirty an hour of one member, however often it is tried', async () => {
    const busyId = await join(server)
    const busy = await signedIn(server, busyId)
    for (let time = 0; time < 35; time += 1) expect(await busy.get('operator/today/')).toAnswer(403)
    expect(await kept(busyId)).toHaveLength(30)
  })
})
