import { inTransaction } from '@aval/db'
import { describe, expect, it } from 'vitest'
import { drawNumber } from '../../core/network.sql.ts'
import { query, queryValue } from '../../core/query.sql.ts'
import { createMoneyFixture, usdt } from '../../testing/money-fixture.ts'
import { join } from '../../testing/server.ts'
import { soundSuiteFixture } from '../../testing/suite.ts'
import { activateMaster } from './genealogy.commands.ts'

type Headers = Record<string, string>

const money = await soundSuiteFixture(createMoneyFixture, '2026-05-03T15:00:00Z')
const { db } = money.server.context
const joined = (username: string, overrides: object = {}, sponsorId = money.server.rootId) =>
  join(money.server, { username, ...overrides }, sponsorId, money.now)
/** Ana, a fundator, introduced Bea and Eve; Bea, none, introduced Cleo; Dan is a fundator. */
const ana = await joined('ana', { isFundator: true })
const bea = await joined('bea', {}, ana)
const cleo = await joined('cleo', {}, bea)
const dan = await joined('dan', { isFundator: true })
const eve = await joined('eve', {}, ana)

async function activate(caller: bigint, referral: bigint | string, others: Headers = {}) {
  const url = `/api/tree/get-referrals/${referral}/activate-master-code/`
  const headers = { 'accept-language': 'en', ...(await money.bearer(caller)), ...others }
  return money.server.call({ method: 'POST', url, headers })
}
/** Status and answer. */
async function answerTo(...call: Parameters<typeof activate>) {
  const answer = await activate(...call)
  return [answer.statusCode, answer.json()]
}
const codes = () => db.selectFrom('master_code').selectAll().orderBy('id').execute()

const ACTIVATED = [200, { message: 'Master code activated!' }]

describe('a master code', () => {
  it('is activated by a fundator for an own direct referral, and shown in both trees', async () => {
    expect(await answerTo(ana, bea)).toEqual(ACTIVATED)
    const code = { member_id: bea, sponsor_id: ana, id: expect.any(BigInt), at: money.now }
    expect(await codes()).toEqual([code])
    const headers = await money.bearer(ana)
    const list = await money.server.call({ url: '/api/tree/get-referrals/', headers })
    expect(list.json().results).toMatchObject([
      { id: Number(eve), is_master_code: false },
      { id: Number(bea), is_master_code: true },
    ])
    const tree = await money.server.call({ url: '/api/tree/get-binary-tree/', headers })
    expect(tree.json()).toContainEqual(expect.objectContaining({ username: 'bea', is_master_code: true }))
  })

  it('cannot be activated twice, nor undone', async () => {
    expect(await answerTo(ana, bea)).toEqual([409, 'This referral is a master already.'])
    const spanish = await answerTo(ana, bea, { 'accept-language': 'es' })
    expect(spanish).toEqual([409, 'Este referido ya es máster.'])
    expect(await codes()).toHaveLength(1)
    await expect(query(db)`DELETE FROM master_code`).rejects.toThrow()
  })

  it('is for fundators alone, for any referral', async () => {
    const refused = [403, 'Only fundators can convert a referral to master.']
    for (const referral of [cleo, 999_999n, 'text']) expect(await answerTo(bea, referral)).toEqual(refused)
  })

  it('is for own direct referrals alone', async () => {
    const none = ['0', '-1', '1e9', 'text', '999999', '9'.repeat(18), '9'.repeat(40), '%00', `${dan}%20`]
    const refused = [404, 'We could not find that referral among yours.']
    for (const referral of [cleo, ana, dan, money.server.rootId, ...none])
      expect(await answerTo(ana, referral), `${referral}`).toEqual(refused)
    expect(await activate(dan, eve)).toAnswer(404)
    expect(await codes()).toHaveLength(1)
  })

  it('sent again under its key is answered as before', async () => {
    const keyed = { 'idempotency-key': 'master-1' }
    const answers = await Promise.all([answerTo(ana, eve, keyed), answerTo(ana, eve, keyed)])
    expect(answers).toEqual([ACTIVATED, ACTIVATED])
    expect(await activate(ana, bea, keyed)).toAnswer(409)
    expect(await codes()).toHaveLength(2)
  })

  it('pays its sponsor for what is invested deep below from then on, not for what was before', async () => {
    await money.fund('commission', '10000')
    await money.invest(ana, '500')
    let below = bea
    for (let level = 2; level <= 5; level += 1) below = await joined(`level${level}`, {}, below)
    // bea stands at level 4 of the last, and ana at level 5, beyond what levels pay.
    await money.invest(below, '1000')
    expect(await money.balanceOf(ana)).toBe(usdt('10'))
    const other = await joined('other', {}, ana)
    let deep = other
    for (let level = 2; level <= 5; level += 1) deep = await joined(`other${level}`, {}, deep)
    await money.invest(deep, '1000')
    expect(await money.balanceOf(ana)).toBe(usdt('10'))
    expect(await activate(ana, other)).toAnswer(200)
    await money.invest(deep, '1000')
    expect(await money.balanceOf(ana)).toBe(usdt('20'))
  })

  it('waits while history is being read, so that its number comes after', async () => {
    const late = await joined('late', {}, ana)
    let drawn = 0n
    let waiting: Promise<Awaited<ReturnType<typeof activate>>> | null = null
    await inTransaction(db, async (tx) => {
      drawn = await drawNumber(tx)
      waiting = activate(ana, late)
      const isWaiting = async () => {
        return queryValue<boolean>(db)`SELECT EXISTS (SELECT FROM pg_locks
          WHERE relation = 'period_close'::regclass AND NOT granted) AS waits`
      }
      await expect.poll(isWaiting).toBe(true)
    })
    expect(await waiting).toMatchObject({ statusCode: 200 })
    expect((await codes()).at(-1)).toMatchObject({ member_id: late })
    expect((await codes()).at(-1)?.id).toBeGreaterThan(drawn)
  })
})

describe('a fundator', () => {
  it('has at most 100 masters, also when two are activated at once', async () => {
    const referrals: bigint[] = []
    for (let index = 0; index < 102; index += 1) referrals.push(await joined(`dans${index}`, {}, dan))
    for (const referral of referrals.slice(0, 99))
      await inTransaction(db, (tx) => activateMaster(tx, dan, referral, money.now))
    const [last, tooMany, none] = referrals.slice(99)
    const answers = await Promise.all([activate(dan, last ?? 0n), activate(dan, tooMany ?? 0n)])
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 403])
    const refused = [403, 'You already have 100 masters, the most there can be.']
    expect(await answerTo(dan, none ?? 0n)).toEqual(refused)
    // A referral who is a master already is refused for that.
    expect(await activate(dan, referrals[0] ?? 0n)).toAnswer(409)
    const masters = (await codes()).filter(({ sponsor_id }) => sponsor_id === dan)
    expect(masters).toHaveLength(100)
  })
})
