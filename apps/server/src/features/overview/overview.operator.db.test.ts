import { describe, expect, it } from 'vitest'
import { queryValue } from '../../core/query.sql.ts'
import { HOUSE } from '../../ledger/ledger.commands.ts'
import { exportedRows } from '../../testing/exported.ts'
import { createMoneyFixture } from '../../testing/money-fixture.ts'
import { clientOf, codeOf, join, signedIn, TEST_PASSWORD } from '../../testing/server.ts'
import { soundSuiteFixture } from '../../testing/suite.ts'
import { appoint, dismiss } from '../identity/operators/operators.commands.ts'

const money = await soundSuiteFixture(createMoneyFixture, '2026-05-03T15:00:00Z')
/** Commands on the machine itself run as the owner of the tables. */
const commandLine = { ...money.server.context, db: money.owner }
const stranger = clientOf(money.server)
const memberId = await money.member()
let member = await money.client(memberId)
const operator = await money.client(await money.operator())

const read = (path: string, who = operator) => who.get(`operator/${path}`)
const fund = (pool: string, payload: object, who = operator, more = {}) =>
  who.decide(`operator/pools/${pool}/fund/`, payload, more)

describe('the operator’s calls', () => {
  it('open to a member whom the command line makes an operator, and close again', async () => {
    const { db } = money
    const username = await queryValue<string>(db)`SELECT username FROM member WHERE id = ${memberId}`
    const now = new Date()
    const named = { username: username.toUpperCase(), by: 'root' }
    const appointed = await appoint(commandLine, { ...named, renew: false, role: 'admin' }, now)
    // The sessions from before have ended, and the password alone gets nobody in.
    expect(await read('today/', member)).toAnswer(401)
    const password = { email: username, password: TEST_PASSWORD }
    const { otp_token } = (await stranger.post('auth/token/', password)).json()
    const code = codeOf(appointed?.setUp?.secret ?? '', new Date())
    const { access } = (await stranger.post('auth/otp/', { otp_token, code })).json()
    const withCode = clientOf(money.server, { authorization: `Bearer ${access}` })
    expect(await read('today/', withCode)).toAnswer(200)
    expect(await dismiss(commandLine.db, named, now)).toBe(true)
    expect(await read('today/', withCode)).toAnswer(401)
    const nobody = { username: 'nobody at all', by: 'root' }
    expect(await dismiss(commandLine.db, nobody, now)).toBe(false)
    expect(await appoint(commandLine, { ...nobody, renew: false, role: 'admin' }, now)).toBeNull()
    member = await signedIn(money.server, memberId)
  })

  it('keep the two-factor that a member had, unless a new secret is asked for', async () => {
    const { server } = money
    await join(server, { username: 'mario' })
    const [first, again, renewed] = [
      await appoint(commandLine, { username: 'mario', by: 'root', renew: false, role: 'admin' }, new Date()),
      await appoint(commandLine, { username: 'mario', by: 'root', renew: false, role: 'admin' }, new Date()),
      await appoint(commandLine, { username: 'mario', by: 'root', renew: true, role: 'admin' }, new Date()),
    ]
    expect(first?.setUp?.uri).toContain(
      `otpauth://totp/Aval:mario?issuer=Aval&secret=${first?.setUp?.secret}`,
    )
    expect(again).toEqual({ role: 'admin', setUp: null })
    expect(renewed?.setUp?.secret).toMatch(/^[A-Z2-7]{32}$/)
    expect(renewed?.setUp?.secret).not.toBe(first?.setUp?.secret)
  })

  it('count what comes to the company’s address as its capital, and nothing that a member pays in', async () => {
    await money.receive(HOUSE, '1000')
    await money.invest(memberId, '2000')
    expect((await read('today/')).json()).toMatchObject({ capital: '1000.00' })
  })

  it('fund a pool from the company’s capital, never beyond it, and once a key', async () => {
    expect(await fund('profit', { amount: '1000.000001' })).toAnswer(422)
    expect(await fund('savings', { amount: 1 })).toAnswer(404)
    expect(await fund('profit', { amount: 0 })).toAnswer(400)
    const once = () =>
      fund('profit', { amount: 5, reason: 'For May.' }, operator, { 'idempotency-key': 'fund-1' })
    await Promise.all([once(), once()])
    expect((await read('decisions/?state=open')).json().results).toMatchObject([
      {
        kind: 'fund_pool',
        subject: 'pool:profit',
        statement: { amount: '5000000', holds: '0', results: '5000000', capital_left: '995000000' },
      },
    ])
    expect((await read('pools/fundings/')).json().results).toEqual([])
    expect(await fund('profit', { amount: 6 })).toAnswer(409)
    await money.signProposed('pool:profit')
    const fundings = (await read('pools/fundings/')).json().results
    expect(fundings).toHaveLength(1)
    expect(fundings[0]).toMatchObject({ pool: 'profit', amount: '5.00', reason: 'For May.' })
    expect(fundings[0].by).not.toBeNull()
    expect(await exportedRows(operator, 'operator/pools/fundings/export/')).toEqual(fundings)
    const today = (await read('today/')).json()
    expect(today.capital).toBe('995.00')
    expect(today.pools).toContainEqual(
      expect.objectContaining({ pool: 'profit', amount: '5.00', awaiting: '0.00' }),
    )
  })

  it('list the runs with what a held one is short of', async () => {
    await money.payDay()
    const { results } = (await read('runs/')).json()
    expect(results).toContainEqual(
      expect.objectContaining({
        kind: 'passive',
        period: '2026-05-04',
        state: 'held',
        total: '6.666666',
        missing: '1.666666',
      }),
    )
    expect((await read('today/')).json().pools).toContainEqual(
      expect.objectContaining({ pool: 'profit', amount: '5.00', awaiting: '6.666666' }),
    )
  })
})
