import { inTransaction } from '@aval/db'
import { describe, expect, it } from 'vitest'
import { countOf, queryColumn } from '../../../core/query.sql.ts'
import { createTestServer, TEST_PASSWORD } from '../../../testing/server.ts'
import { suiteFixture } from '../../../testing/suite.ts'
import { purgeExpired } from '../purge.commands.ts'
import { accountFixture, FIREFOX, type MemberFixture } from '../testing/member-fixture.ts'
import { secondFactorFixture } from '../testing/second-factor-fixture.ts'
import { countFailedTry, tellAttacked } from './failed-tries.commands.ts'
import { ATTACK } from './failed-tries.rules.ts'
import { markTold } from './failed-tries.sql.ts'
import { countFailedTries } from './security-log.queries.ts'

const server = await suiteFixture(createTestServer)
const { db } = server.context
const accounts = accountFixture(server)
const { protectedMember, challenge, answer } = secondFactorFixture(server)

const start = new Date('2026-05-04T12:10:00Z')
const after = (minutes: number) => new Date(start.getTime() + minutes * 60_000)

/** Fails so often from an address. */
async function fail(
  who: { readonly id: bigint },
  times: number,
  { ip = '203.0.113.7', now = start, kind = 'sign_in_failed' as const } = {},
): Promise<void> {
  const device = { userAgent: FIREFOX, ip }
  for (let time = 0; time < times; time += 1)
    await countFailedTry(db, { memberId: who.id, kind, device }, now)
}

const signIn = (email: string, password: string, remoteAddress: string) =>
  server.call({ method: 'POST', url: '/api/auth/token/', payload: { email, password }, remoteAddress })
const listOf = async (who: MemberFixture) => (await accounts.get(who, '/api/auth/security-events/')).json()
const rowsOf = ({ id }: { id: bigint }) => countOf(db)`failed_try WHERE member_id = ${id}`

describe('tries that failed', () => {
  it('are shown to the member, an entry a kind and network, with how many there were', async () => {
    const ana = await accounts.member()
    for (let time = 0; time < 3; time += 1) await signIn(ana.email, 'not-it', `203.0.113.${time + 1}`)
    await signIn(ana.username, 'not-it', '2001:db8:1:2::3')
    const body = { email: ana.email, otp: '0000001', password: 'another-one', password2: 'another-one' }
    const url = '/api/auth/reset-password/'
    await server.call({ method: 'POST', url, payload: body, remoteAddress: '203.0.113.9' })
    const { count, results } = await listOf(ana)
    expect(count).toBe(3)
    expect(results).toMatchObject([
      { kind: 'reset_failed', count: 1, ip: '203.0.113.0/24' },
      { kind: 'sign_in_failed', count: 1, ip: '2001:db8:1::/48' },
      { kind: 'sign_in_failed', count: 3, ip: '203.0.113.0/24', device: { browser: null, system: null } },
    ])
  })

  it('of the second step are told apart: they came with the right password', async () => {
    const { username, memberId } = await protectedMember()
    expect(await answer(await challenge(username), '000000')).toBe('otp_wrong')
    const kinds = await queryColumn(db)`SELECT kind FROM failed_try WHERE member_id = ${memberId}`
    expect(kinds).toEqual(['second_factor_failed'])
  })

  it('stand among other events in the order of time, page by page', async () => {
    const ana = await accounts.member()
    await accounts.changed(ana, { email: `later-${ana.email}` })
    await signIn(ana.username, 'not-it', '203.0.113.7')
    const kinds: string[] = (await listOf(ana)).results.map(({ kind }: { kind: string }) => kind)
    expect(kinds).toEqual(['sign_in_failed', 'email_changed'])
    const page = await accounts.get(ana, '/api/auth/security-events/?page=2&page_size=1')
    expect(page.json()).toMatchObject({ count: 2, results: [{ kind: 'email_changed' }] })
  })

  it('are a few rows, however many there are and from wherever', async () => {
    const ana = await accounts.member()
    for (let index = 0; index < 60; index += 1) await fail(ana, 2, { ip: `100.64.${index}.1` })
    expect(await rowsOf(ana)).toBe(21)
    const rest = await queryColumn<number>(db)`
      SELECT count FROM failed_try WHERE member_id = ${ana.id} AND network = ''`
    expect(rest).toEqual([80])
  })

  it('at names that nobody has leave no row of a name, and are among the metrics', async () => {
    const before = await countFailedTries(db, new Date())
    for (const name of ['nobody1', 'nobody2']) await signIn(name, 'not-it', '203.0.113.7')
    const after = await countFailedTries(db, new Date())
    expect((after['sign_in_failed_unknown'] ?? 0) - (before['sign_in_failed_unknown'] ?? 0)).toBe(2)
    expect(await countOf(db)`failed_try WHERE member_id = 0 AND network = '203.0.113.0/24'`).toBe(1)
    expect(
      (await server.api.metrics.metrics()).includes('failed_tries_recent{kind="sign_in_failed_unknown"}'),
    ).toBe(true)
  })

  it('are no sign of a right password', async () => {
    const ana = await accounts.member()
    expect(await signIn(ana.email, TEST_PASSWORD, '203.0.113.7')).toAnswer(200)
    expect(await rowsOf(ana)).toBe(0)
  })

  it('are shown for 90 days', async () => {
    const ana = await accounts.member()
    await fail(ana, 1)
    await purgeExpired(db, after(90 * 24 * 60 - 60))
    expect(await rowsOf(ana)).toBe(1)
    await purgeExpired(db, after(90 * 24 * 60 + 60))
    expect(await rowsOf(ana)).toBe(0)
  })

  it('cannot be taken out of the tally by the API', async () => {
    const rights = await queryColumn<boolean>(db)`
      SELECT has_table_privilege('aval_api', 'failed_try', kind) FROM unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) kind`
    expect(rights).toEqual([true, false, false, false])
  })
})

describe('an attack on an account', () => {
  const told = async (who: MemberFixture) =>
    (await accounts.mails(who)).filter(({ template }) => template === 'account_attacked')
  const tell = (minutes: number) => tellAttacked(server.context, after(minutes))

  it('is told to its member by e-mail, once a day', async () => {
    const [ana, bea] = [await accounts.member(), await accounts.member()]
    await fail(ana, ATTACK)
    await fail(bea, ATTACK - 1)
    for (const minutes of [1, 2, 45]) await tell(minutes)
    await Promise.all([tell(46), tell(46)])
    expect(await told(ana)).toMatchObject([{ to: ana.email, params: { count: ATTACK, withPassword: false } }])
    expect(await told(bea)).toEqual([])
    await fail(ana, ATTACK, { now: after(23 * 60) })
    await tell(23 * 60)
    expect(await told(ana)).toHaveLength(1)
    await fail(ana, ATTACK, { now: after(25 * 60) })
    await tell(25 * 60)
    expect(await told(ana)).toHaveLength(2)
  })

  it('is marked as told by one of two jobs at once', async () => {
    const ana = await accounts.member()
    const mark = () => inTransaction(db, (tx) => markTold(tx, ana.id, after(-60), start))
    expect((await Promise.all([mark(), mark()])).toSorted()).toEqual([false, true])
  })

  it('is none where the tries were spread over days', async () => {
    const ana = await accounts.member()
    for (let hours = 0; hours < 48; hours += 6) {
      await fail(ana, ATTACK / 3, { now: after(hours * 60) })
      await tell(hours * 60 + 1)
    }
    expect(await told(ana)).toEqual([])
  })

  it('says so where the password was right', async () => {
    const ana = await accounts.member()
    const device = { userAgent: FIREFOX, ip: '203.0.113.7' }
    for (let time = 0; time < ATTACK; time += 1)
      await countFailedTry(db, { memberId: ana.id, kind: 'second_factor_failed', device }, start)
    await tell(1)
    expect(await told(ana)).toMatchObject([{ params: { withPassword: true } }])
  })

  it('on names that nobody has is told to nobody', async () => {
    await fail({ id: 0n }, ATTACK * 2)
    expect(await tell(1)).toBe(0)
  })
})
