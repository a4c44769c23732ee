import type { MonthEarnings } from '@aval/contract'
import { inTransaction } from '@aval/db'
import { formatMicro } from '@aval/money'
import { describe, expect, it } from 'vitest'
import { query, queryValue } from '../../core/query.sql.ts'
import { createMoneyFixture } from '../../testing/money-fixture.ts'
import { soundSuiteFixture } from '../../testing/suite.ts'
import { activateMaster, setExtraPercent } from '../genealogy/genealogy.commands.ts'
import { proposeProrate, proposeRelease } from '../payout-runs/pay/decisions.commands.ts'

const money = await soundSuiteFixture(createMoneyFixture, '2026-05-03T15:00:00Z')
const { db } = money.server.context
/** `top` sponsors `left` and `right`, one on each side; four levels below `top`, by a master link, stands `deep`. */

async function get(memberId: bigint, path: string, language = 'en') {
  return (await money.client(memberId)).get(`payments/${path}`, { 'accept-language': language })
}
const rowsOf = async (memberId: bigint, list: string, language = 'en') =>
  (await get(memberId, `${list}/`, language)).json().results

await money.fund('commission', '5000')
await money.fund('profit', '5000')
const top = await money.investor('2000')
const left = await money.investor('1500', top)
await money.investor('600', top)
const idle = await money.member(await money.member(left))
const deep = await money.member(idle)
await query(money.owner)`UPDATE member SET is_fundator = true WHERE id = ${top}`
await money.within((tx) => activateMaster(tx, top, left, money.now))
await money.invest(deep, '1000')
await money.payDay()

describe('why a payment is what it is', () => {
  it('direct: who invested what and when, the level and its percentage', async () => {
    const row = (await rowsOf(top, 'direct-payments')).at(-1)
    const why = (await get(top, `why/${row.id}/`)).json()
    expect(why).toMatchObject({
      kind: 'direct',
      amount: '75.00',
      state: 'paid',
      plan_version: 1,
      rule: 'Direct commission: a percentage of what your network invests, by level: 1: 5%, 2: 2%, 3: 1%.',
      arithmetic: ['1500.00 × 5 % = 75.00'],
    })
    expect(why.sentence).toMatch(/^5% of \$1,500\.00 invested by \S+ on May 3, 2026, level 1/)
    expect(why.inputs.map(({ name }: { name: string }) => name)).toEqual([
      'investor',
      'invested',
      'invested_on',
      'level',
      'percentage',
    ])
    expect(why.run.input_hash).toMatch(/^[0-9a-f]{64}$/)
  })

  it('direct: what is on top of the plan’s first level is named', async () => {
    const sponsor = await money.member()
    await money.invest(sponsor, '500')
    const extra = { sponsorId: sponsor, percent: '1.5', by: 'root' }
    await inTransaction(money.owner, (tx) => setExtraPercent(tx, extra, money.now))
    await money.invest(await money.member(sponsor), '1000')
    const [row] = await rowsOf(sponsor, 'direct-payments')
    expect(row).toMatchObject({ amount: '65.00', why: { arithmetic: '1000.00 × 6.5 % = 65.00' } })
    const why = (await get(sponsor, `why/${row.id}/`, 'es')).json()
    expect(why.sentence).toMatch(
      /Incluye 1,5 puntos porcentuales que recibes además del primer nivel del plan\.$/,
    )
    expect(why.inputs.at(-1)).toEqual({ name: 'extra', label: 'Además del plan', value: '1,5\u00a0%' })
    expect(why.arithmetic).toEqual(['1000.00 × 6.5 % = 65.00'])
  })

  it('master: the level beyond the third, by master code', async () => {
    const [row] = await rowsOf(top, 'direct-payments')
    expect(row).toMatchObject({ kind: 'master', level: 4, amount: '10.00', investment_amount: '1000.00' })
    const why = (await get(top, `why/${row.id}/`, 'es')).json()
    expect(why.kind).toBe('master')
    expect(why.sentence).toMatch(/^1 % de \$1\.000,00 que \S+ invirtió el 3 de mayo de 2026.*nivel 4/)
    // Plain decimals in Spanish too: the page that shows them writes them its own way, once.
    expect(why.arithmetic).toEqual(['1000.00 × 1 % = 10.00'])
  })

  it('passive: the principal that stood when the day began, and the day’s part of the period’s percentage', async () => {
    const [row] = await rowsOf(top, 'pasive-payments')
    const why = (await get(top, `why/${row.id}/`)).json()
    expect(why).toMatchObject({
      kind: 'passive',
      amount: '6.666666',
      arithmetic: ['2000.00 × 10 % ÷ 30 = 6.666666'],
    })
    expect(why.sentence).toBe(
      '0.3333% of the $2,000.00 you had invested when May 4, 2026 began, under plan version 1.',
    )
  })

  it('binary: what stood on each leg, what was matched, and what is carried on', async () => {
    const [row] = await rowsOf(top, 'binary-payments')
    expect(row).toMatchObject({
      left_points: '2500.00',
      right_points: '600.00',
      matched_points: '600.00',
      percentage: '10',
      amount: '60.00',
      carry_left: '1900.00',
      carry_right: '0.00',
      flushed: '0.00',
      state: 'paid',
    })
    const why = (await get(top, `why/${row.id}/`)).json()
    expect(why.sentence).toBe(
      '10% of 600.00 points matched on both legs on May 3, 2026, under plan version 1.',
    )
    expect(why.arithmetic).toEqual(['min(2500.00, 600.00) = 600.00', '600.00 × 10 % = 60.00'])
    // What a reversal does to points is a part of the rule.
    const ruleIn = async (language: string) => (await get(top, `why/${row.id}/`, language)).json().rule
    expect(await ruleIn('en')).toMatch(/is reversed, .* matches to come; a match that was paid stands\.$/)
    expect(await ruleIn('es')).toMatch(/Si se revierte .* lo que ya se emparejó y se pagó se mantiene\.$/)
  })

  it.each(['0', '1', '-1', 'x', '99999999999999999999', '1e9', '65536', '%27'])(
    'is refused for %s, which is no payment of the member',
    async (id) => {
      expect(await get(deep, `why/${id}/`)).toAnswer(404, 'We could not find that payment.')
    },
  )

  it('is refused for somebody else’s payment', async () => {
    const [row] = await rowsOf(top, 'binary-payments')
    expect(await get(deep, `why/${row.id}/`)).toAnswer(404)
  })
})

describe('what was not paid', () => {
  it('is listed with its reason, in a sentence', async () => {
    const [row] = await rowsOf(idle, 'not-paid')
    expect(row).toMatchObject({ kind: 'direct', reason: 'inactive', amount: '50.00', level: 1 })
    expect(row.sentence).toMatch(
      /^You had nothing invested when \S+ invested \$1,000\.00: level 1 would have paid \$50\.00/,
    )
    expect((await rowsOf(idle, 'not-paid', 'es'))[0].sentence).toMatch(/^No tenías nada invertido cuando/)
  })
})

describe('the points of a member', () => {
  it('are the investments below, newest first, each on its leg', async () => {
    expect(await rowsOf(top, 'binary-points-payments')).toMatchObject([
      { leg: 'L', points: '1000.00', investment_amount: '1000.00', state: 'counted' },
      { leg: 'R', points: '600.00', state: 'counted' },
      { leg: 'L', points: '1500.00', state: 'counted' },
    ])
    expect(await rowsOf(deep, 'binary-points-payments')).toEqual([])
  })

  it('and the standing of the legs says who qualifies, and what is lacking', async () => {
    expect((await get(top, 'binary-standing/')).json()).toMatchObject({
      as_of: '2026-05-03',
      left_points: '1900.00',
      right_points: '0.00',
      qualified: true,
      lacking: [],
      daily_cap: '1000.00',
    })
    expect((await get(deep, 'binary-standing/')).json()).toMatchObject({
      qualified: false,
      lacking: ['active_left', 'active_right'],
    })
  })
})

describe('earnings of a year', () => {
  it('are twelve months, whose parts add up, with the daily percentages summed', async () => {
    const months = (await get(top, 'earnings/2026/')).json()
    expect(months).toHaveLength(12)
    expect(months[4]).toEqual({
      month: 5,
      summed_percentage: '0.3333',
      amount: '181.666666',
      passive: '6.666666',
      direct: '115.00',
      binary: '60.00',
    })
    expect(months[0]).toMatchObject({ amount: '0.00', summed_percentage: '0' })
  })

  it.each(['abc', '0', '99999', '-2026', '2026.5'])('of %s are refused', async (year) => {
    expect(await get(top, `earnings/${year}/`)).toAnswer(400)
  })
})

describe('the statement', () => {
  it('has every line of the member’s own ledger, adding up to the balance shown', async () => {
    const answer = await get(top, 'statement/')
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8')
    const lines = answer.body.trimEnd().split('\r\n')
    const cells = lines.slice(1).map((line: string) => line.split(','))
    const number = (text: string | undefined) =>
      Number.parseInt((text ?? '').replace('.', '').padEnd(1, '0'), 10)
    expect(lines[0]).toContain('Date (America/Bogota),Movement,Detail,Balance change (USD),Balance (USD)')
    expect(number(cells.at(-1)?.[4])).toBeGreaterThan(0)
    expect(cells.at(-1)?.[4]).toBe(formatMicro(await money.balanceOf(top)))
    expect(cells.at(-1)?.[6]).toBe('2000.00')
  })

  it('is a file under a name of its two dates, and of nothing else that was sent', async () => {
    const nameOf = async (query: string) =>
      (await get(top, `statement/?from=2026-05-01&to=2026-05-04${query}`)).headers['content-disposition']
    const name = 'attachment; filename="aval-2026-05-01-2026-05-04.csv"'
    expect(await nameOf('')).toBe(name)
    expect(await nameOf('&filename=evil.html&name=..%2Fevil')).toBe(name)
    for (const day of ['2026-05-01%22%3B%20x%3D%22', '2026-05-01%0D%0ASet-Cookie:%20a', '..%2F2026-05-01'])
      expect(await get(top, `statement/?from=${day}&to=2026-05-04`)).toAnswer(400)
  })

  it('begins with what stood before the first day asked for', async () => {
    const lines = (await get(top, 'statement/?from=2026-05-04&to=2026-05-04')).body.trimEnd().split('\r\n')
    expect(lines[1]).toBe('2026-05-04,Opening standing,,,115.00,,2000.00')
  })

  it('is in the member’s time zone, which it says once, days included', async () => {
    await query(money.owner)`UPDATE member SET time_zone = 'Asia/Tokyo' WHERE id = ${top}`
    const lines = (await get(top, 'statement/?from=2026-05-04&to=2026-05-04')).body.trimEnd().split('\r\n')
    await query(money.owner)`UPDATE member SET time_zone = NULL WHERE id = ${top}`
    expect(lines[0]).toContain('Date (Asia/Tokyo),')
    // Invested at 15:00 UTC of the 3rd: in Tokyo it is the 4th.
    expect(lines[2]).toMatch(/^2026-05-04 00:0\d:\d\d,/)
    expect(lines.join('\n').split('Asia/Tokyo')).toHaveLength(2)
    expect((await get(top, 'statement/')).body).toContain('Date (America/Bogota),')
  })

  it.each(['from=2026-06-01&to=2026-05-01', 'from=x', 'to=2026-13-01', 'from=2026-05-01T00:00'])(
    'of %s is refused',
    async (query) => {
      expect(await get(top, `statement/?${query}`)).toAnswer(400)
    },
  )
})

const isPending = ({ status }: { status: string }) => status === 'pending'

describe('a run that waits', () => {
  it('shows its payments as awaiting funding, and after a pro rata release what was paid of them', async () => {
    const rich = await money.investor('500')
    await money.investor('90000', rich)
    // It pays another part of what was invested than the small ones before: an operator looks at that first.
    const decision = { operatorId: money.server.rootId, note: '', now: money.now }
    const waits = async () => {
      const seen = (await (await money.client(rich)).get('core/dashboard/')).json()
      const { waiting, received } = (await get(rich, 'totals/')).json()
      const months: MonthEarnings[] = (await get(rich, 'earnings/2026/')).json()
      const sums = [seen.total_profit, ...months.map(({ amount }) => Number(amount)), Number(received)]
      const [data] = (await rowsOf(rich, 'direct-payments')).filter(isPending)
      return [seen.in_review, seen.awaiting_funding, waiting, Math.max(...sums), data?.state]
    }
    // No pool is short of what an operator has to look at, and nothing of it was paid.
    expect(await waits()).toEqual([4500, 0, '4500.00', 0, 'in_review'])
    const objected = await queryValue<bigint>(db)`SELECT id FROM payout_run WHERE objections <> '[]'`
    await money.decided(proposeRelease, { runId: objected, ...decision })
    await money.resume()
    await money.investor('90000', rich)
    expect(await waits()).toEqual([0, 4500, '4500.00', 4500, 'awaiting_funding'])
    const [waiting] = await rowsOf(rich, 'direct-payments')
    expect(waiting).toMatchObject({ state: 'awaiting_funding', status: 'pending', amount: '4500.00' })
    const runId = await queryValue<bigint>(db)`
      SELECT max(id) FROM payout_run WHERE state = 'held' AND kind = 'direct'`
    await money.decided(proposeProrate, { runId, ...decision })
    const paid = await queryValue<bigint>(db)`SELECT payable FROM payout_run WHERE id = ${runId}`
    await money.resume()
    await money.payAllDirect()
    const [shared] = await rowsOf(rich, 'direct-payments')
    expect(shared).toMatchObject({ state: 'paid', status: 'paid' })
    expect(paid).toBeLessThan(4_500_000_000n)
    expect(shared.why.sentence).toMatch(/The company paid this run pro rata: .* of \$4,500\.00\.$/)
    expect((await rowsOf(rich, 'not-paid'))[0]).toMatchObject({ reason: 'pro_rata', kind: 'direct' })
  })
})
