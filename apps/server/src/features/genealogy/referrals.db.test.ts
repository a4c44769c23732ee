/** What a sponsor sees of each referral: invested, brought by those below, and earned from both. */
import { pageOf, REFERRALS_LOOKED_AT, type Referral, referral } from '@aval/contract'
import { parseMicro } from '@aval/money'
import { describe, expect, it } from 'vitest'
import { query } from '../../core/query.sql.ts'
import { createMoneyFixture } from '../../testing/money-fixture.ts'
import { join } from '../../testing/server.ts'
import { soundSuiteFixture } from '../../testing/suite.ts'
import { numberTrees } from './numbering.commands.ts'

const money = await soundSuiteFixture(createMoneyFixture, '2026-06-20T12:00:00Z')
await money.fund('commission', '5000')

/** Ana introduced Luis, Eva and Óscar; Luis Bea, Bea Cleo; Eva Dino. All but Óscar invest. Rita introduced Ana. */
const ids = new Map<string, bigint>()
const idOf = (name: string): bigint => ids.get(name) ?? 0n
async function enlist(name: string, sponsor: string | null, firstName = name) {
  const sponsorId = sponsor === null ? money.server.rootId : idOf(sponsor)
  const named = { username: name, email: `${name}@mail.example`, firstName, lastName: 'Gil' }
  ids.set(name, await join(money.server, named, sponsorId, money.now))
}

await enlist('rita', null)
await enlist('ana', 'rita')
await money.invest(idOf('rita'), '1000')
await money.invest(idOf('ana'), '1000')
await enlist('luis', 'ana')
await enlist('eva', 'ana')
await enlist('bea', 'luis')
await enlist('dino', 'eva')
await money.invest(idOf('luis'), '500')
await money.invest(idOf('bea'), '700')
// Who stands above has a number, and what moves later is added to it; the others have none yet.
await numberTrees(money.db, new Date())
await enlist('oscar', 'ana', 'Óscar Ñáñez')
await enlist('cleo', 'bea')
await money.invest(idOf('eva'), '600')
await money.invest(idOf('dino'), '500')
await money.invest(idOf('cleo'), '1000')

async function list(search = '', by = 'ana') {
  const answer = await money.server.call({
    url: `/api/tree/get-referrals/${search}`,
    headers: await money.bearer(idOf(by)),
  })
  expect(answer, answer.body).toAnswer(200)
  return pageOf(referral).parse(answer.json())
}
const figures = ({ referred_username, invested, brought, earned }: Referral) => [
  referred_username,
  invested,
  brought,
  earned,
]
const names = async (search: string, by?: string) =>
  (await list(search, by)).results.map((row) => row.referred_username)

/** What a member's direct and master commissions come to, as the list of payments has them. */
async function paidTo(name: string): Promise<bigint> {
  const [row] = await query<{ paid: bigint }>(money.db)`
    SELECT coalesce(sum(i.amount - coalesce(p.amount, 0)), 0)::bigint AS paid FROM payout_item i
      LEFT JOIN reversal_part p ON p.member_id = i.member_id AND p.run_id = i.run_id AND p.item_leg = i.leg
    WHERE i.member_id = ${idOf(name)} AND i.kind IN ('direct', 'master')`
  return row?.paid ?? -1n
}
const earnedBy = async (name: string) =>
  (await list('', name)).results.reduce((sum, { earned }) => sum + (parseMicro(earned) ?? 0n), 0n)

describe('the figures of a referral', () => {
  it('are what the referral invested, what those below invested, and what both earned the sponsor', async () => {
    // 5 % of the first level, 2 % of the second, 1 % of the third.
    expect((await list()).results.map(figures)).toEqual([
      ['oscar', '0.00', '0.00', '0.00'],
      ['eva', '600.00', '500.00', '40.00'],
      ['luis', '500.00', '1700.00', '49.00'],
    ])
    expect((await list('', 'luis')).results.map(figures)).toEqual([['bea', '700.00', '1000.00', '55.00']])
  })

  it('come to all that the sponsor was paid in direct commissions', async () => {
    for (const name of ['rita', 'ana', 'luis', 'bea', 'eva'])
      expect(await earnedBy(name), name).toBe(await paidTo(name))
  })

  it('are right at once after a reversal, for everybody above', async () => {
    await money.reverseLatest(idOf('cleo'))
    expect((await list()).results.map(figures)).toEqual([
      ['oscar', '0.00', '0.00', '0.00'],
      ['eva', '600.00', '500.00', '40.00'],
      ['luis', '500.00', '700.00', '39.00'],
    ])
    for (const name of ['rita', 'ana', 'luis', 'bea'])
      expect(await earnedBy(name), name).toBe(await paidTo(name))
    await money.reverseLatest(idOf('eva'))
    expect(figures((await list('?q=eva')).results[0] as Referral)).toEqual(['eva', '0.00', '500.00', '10.00'])
  })

  it('are the same after the trees are numbered again, and when nobody has a number', async () => {
    const before = (await list('?sort=-brought')).results
    await numberTrees(money.db, new Date())
    expect((await list('?sort=-brought')).results).toEqual(before)
    await query(money.owner)`UPDATE downline_generation SET generation = 0`
    await query(
      money.owner,
    )`INSERT INTO downline_recent (member_id) SELECT member_id FROM sponsorship ON CONFLICT DO NOTHING`
    expect((await list('?sort=-brought')).results).toEqual(before)
  })

  it('are written by what posts payments alone', async () => {
    await expect(query(money.db)`UPDATE referral_earned SET amount = 1`).rejects.toThrow('permission denied')
    await expect(
      query(money.db)`INSERT INTO referral_earned (member_id, referral_id, amount) VALUES (1, 2, 3)`,
    ).rejects.toThrow('permission denied')
  })
})

describe('the order of referrals', () => {
  it.each([
    ['-date', ['oscar', 'eva', 'luis']],
    ['date', ['luis', 'eva', 'oscar']],
    ['name', ['eva', 'luis', 'oscar']],
    ['-name', ['oscar', 'luis', 'eva']],
    ['-invested', ['luis', 'oscar', 'eva']],
    ['invested', ['oscar', 'eva', 'luis']],
    ['-brought', ['luis', 'eva', 'oscar']],
    ['brought', ['oscar', 'eva', 'luis']],
    ['-earned', ['luis', 'eva', 'oscar']],
    ['earned', ['oscar', 'eva', 'luis']],
  ])('is by %s', async (sort, wanted) => {
    expect(await names(`?sort=${sort}`)).toEqual(wanted)
    const page = (number: number) => names(`?sort=${sort}&page_size=1&page=${number}`)
    expect([...(await page(1)), ...(await page(2)), ...(await page(3))]).toEqual(wanted)
  })

  it('is kept by search and state', async () => {
    expect(await names('?status=inactive&sort=name')).toEqual(['eva', 'oscar'])
    expect(await names('?status=inactive&sort=name&q=gil&page_size=1&page=2')).toEqual(['oscar'])
  })
})

it('names are in the order of the reader’s language', async () => {
  const joined = ['Zeta', 'ñandu', 'nube', 'Óscar2', 'álvaro', 'ozono', 'Beto']
  for (const name of joined) await enlist(name, 'cleo')
  const inOrder = ['álvaro', 'Beto', 'nube', 'ñandu', 'Óscar2', 'ozono', 'Zeta']
  expect(await names('?sort=name', 'cleo')).toEqual(inOrder)
  expect(await names('?sort=-name', 'cleo')).toEqual(inOrder.toReversed())
})

describe('the search among referrals', () => {
  it('finds the beginnings of names and of addresses, whatever their accents', async () => {
    expect(await names('?q=nanez')).toEqual(['oscar'])
    expect(await names('?q=OSC%20%C3%B1')).toEqual(['oscar'])
    expect(await names('?q=luis@mail')).toEqual(['luis'])
    expect(await list('?q=gil')).toMatchObject({ count: 3 })
    expect(await list('?q=scar')).toMatchObject({ count: 0, total_pages: 1 })
  })

  it('finds own referrals alone: nobody below them, beside or above', async () => {
    for (const name of ['bea', 'dino', 'rita', 'ana', 'rita@mail.example'])
      expect(await names(`?q=${name}`), name).toEqual([])
    for (const sort of ['name', '-brought', '-earned'])
      expect(await names(`?sort=${sort}`, 'bea'), sort).toEqual(['cleo'])
  })

  it('takes what people type as text', async () => {
    for (const text of ['%', '_', "o'b", '\\', '((', '🙂', '`', "' OR 1=1 --", 'eva%', '*'])
      expect(await names(`?q=${encodeURIComponent(text)}`), text).toEqual([])
  })

  it.each([
    'q=',
    'q=%20',
    `q=${'a'.repeat(65)}`,
    'q=a%00b',
    'q=a&q=b',
    'sort=',
    'sort=id',
    'sort=--name',
    'sort=name,date',
    'sort=name%3BDROP%20TABLE%20member',
    'sort=date&sort=name',
  ])('asked with %s is no question', async (search) => {
    const headers = await money.bearer(idOf('ana'))
    expect(await money.server.call({ url: `/api/tree/get-referrals/?${search}`, headers })).toAnswer(400)
  })

  it('is not for who introduced more people than can be looked at; their dates are in order still', async () => {
    await query(
      money.owner,
    )`UPDATE placement SET left_referrals = ${REFERRALS_LOOKED_AT + 1} WHERE member_id = ${idOf('bea')}`
    const headers = await money.bearer(idOf('bea'))
    for (const search of ['q=cleo', 'sort=-earned', 'sort=name']) {
      const answer = await money.server.call({ url: `/api/tree/get-referrals/?${search}`, headers })
      expect(answer, search).toAnswer(422)
    }
    expect(await names('?sort=-date', 'bea')).toEqual(['cleo'])
    expect(await names('?status=inactive', 'bea')).toEqual(['cleo'])
  })
})
