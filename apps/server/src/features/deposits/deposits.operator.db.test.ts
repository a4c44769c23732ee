/** Every transfer that came to our addresses is found by what became of it, and by who it has to do with. */
import { observedTransfers } from '@aval/contract'
import { describe, expect, it } from 'vitest'
import { query } from '../../core/query.sql.ts'
import { HOUSE } from '../../ledger/ledger.commands.ts'
import { addressOf } from '../../testing/addresses.ts'
import { exportedRows, rowByRow } from '../../testing/exported.ts'
import { createMoneyFixture } from '../../testing/money-fixture.ts'
import { operatorClient } from '../../testing/server.ts'
import { soundSuiteFixture } from '../../testing/suite.ts'
import { type TransferRow, transfersAfter } from './deposits.queries.ts'

const money = await soundSuiteFixture(createMoneyFixture, '2026-05-03T15:00:00Z')
const operator = await operatorClient(money.server, { username: 'olga' })
const ana = await money.joined('ana')
const bob = await money.joined('bob')

const list = async (search = '') =>
  observedTransfers.parse((await operator.get(`operator/transfers/?${search}`)).json())
const fates = async (search: string) => (await list(search)).results.map(({ fate }) => fate)

await money.invoiceOver(ana, '700')
await money.receive(ana, '300')
const completing = await money.receive(ana, '413.5')
await money.invest(bob, '600')
money.nextDay()
const matched = await money.receive(bob, '12')
await money.receive(HOUSE, '1000')
await query(money.gateway.db)`
  SELECT record_incoming_transfer(${'a'.repeat(64)}, 0, 7, ${money.now}, 'wrong_token', 'fake', 'TSender', ${await addressOf(money.db, ana)}, 5)`
await money.arrive(bob, '9')

describe('a transfer to an address that nobody has claimed', () => {
  it('is found and looked into as such, and stands in no balance and no comparison', async () => {
    const [{ address = '' } = {}] = await query<{ address: string }>(money.db)`
      SELECT address FROM deposit_address WHERE member_id IS NULL ORDER BY key_index DESC LIMIT 1`
    await query(money.gateway.db)`
      SELECT record_incoming_transfer(${'b'.repeat(64)}, 0, 8, ${money.now}, 'credit', 'usdt', 'TSender', ${address}, 5000000)`
    expect((await list(`search=${address}`)).results).toMatchObject([
      { fate: 'unclaimed', amount: '5.00', member: null },
    ])
    expect((await list('fate=unclaimed')).results).toHaveLength(1)
    expect(await query(money.db)`SELECT FROM custody_holding WHERE address = ${address}`).toEqual([])
    expect(await money.faults()).toEqual([])
    await query(money.owner)`DELETE FROM incoming_transfer WHERE verdict = 'unclaimed'`
  })
})

describe('the list of deposits', () => {
  it('says of each what became of it, newest first', async () => {
    const all = await list('page_size=50')
    expect(all.results.map(({ fate }) => fate).sort()).toEqual(
      ['company', 'no_invoice', 'overpaid', 'paid', 'part', 'waiting', 'wrong_token'].sort(),
    )
    expect(all).toMatchObject({ count: 7, more: false })
    const dates = all.results.map(({ date }) => date)
    expect(dates).toEqual([...dates].sort().reverse())
  })

  it('says what a part waits for, and what of a surplus went to the balance', async () => {
    const { results } = await list('fate=overpaid')
    expect(results).toMatchObject([
      {
        txid: completing,
        amount: '413.50',
        to_balance: '10.00',
        member: { id: Number(ana), username: 'ana' },
      },
    ])
    expect(results[0]?.invoice).toMatchObject({ due: '703.50', received: '703.50', state: 'paid' })
    const [part] = (await list('fate=part')).results
    expect(part).toMatchObject({ amount: '300.00', invoice: { id: results[0]?.invoice?.id } })
  })

  it('shows a foreign token in its own units, never as an amount of ours, and its sum is nothing', async () => {
    const found = await list('fate=wrong_token')
    expect(found.results).toMatchObject([
      { amount: null, value: '5', contract: 'fake', member: { username: 'ana' } },
    ])
    expect(found.sum).toBe('0.00')
  })

  it('is narrowed by every fate, and sums what it shows', async () => {
    for (const fate of ['waiting', 'part', 'paid', 'overpaid', 'no_invoice', 'company', 'wrong_token'])
      expect(await fates(`fate=${fate}`)).toEqual([fate])
    expect(await fates('fate=late')).toEqual([])
    expect((await list('fate=no_invoice')).sum).toBe('12.00')
    expect(await operator.get('operator/transfers/?fate=nonsense')).toAnswer(400)
  })

  it('is searched by txid, address, sender, username and e-mail', async () => {
    const { results } = await list(`search=${matched}`)
    expect(results).toMatchObject([{ txid: matched }])
    const address = await addressOf(money.db, bob)
    expect((await list(`search=${address}`)).results.every(({ member }) => member?.username === 'bob')).toBe(
      true,
    )
    expect((await list(`search=${address}&fate=no_invoice`)).count).toBe(1)
    expect((await list('search=BOB')).count).toBe(3)
    const { email } = await money.db
      .selectFrom('member')
      .select('email')
      .where('id', '=', bob)
      .executeTakeFirstOrThrow()
    expect((await list(`search=${encodeURIComponent(email)}`)).count).toBe(3)
    expect((await list('search=nobody')).count).toBe(0)
    expect((await list(`search=${await addressOf(money.db, HOUSE)}`)).results).toMatchObject([
      { fate: 'company', member: null },
    ])
  })

  it('is of the days asked for, by the company’s days', async () => {
    expect((await list('to=2026-05-03')).count).toBe(3)
    expect((await list('from=2026-05-04')).count).toBe(4)
    expect((await list('from=2026-05-04&fate=no_invoice')).count).toBe(1)
    expect((await list('to=2026-05-03&fate=no_invoice')).count).toBe(0)
  })

  it('leaves out what somebody looked into, where that is asked for, and says who it was', async () => {
    expect(
      await operator.post(`operator/transfers/${matched}/0/review/`, { note: 'Told the member.' }),
    ).toAnswer(200)
    expect((await list('fate=no_invoice&open=1')).count).toBe(0)
    expect((await list('fate=no_invoice')).results).toMatchObject([
      { review: { by: 'olga', note: 'Told the member.' } },
    ])
  })

  it('leaves as a file, whole and in the order of the list, under its filters', async () => {
    const lines = (search: string) =>
      exportedRows<{ txid: string; fate: string }>(operator, `operator/transfers/export/${search}`)
    const all = (await list('page_size=50')).results
    expect((await lines('')).map(({ txid }) => txid)).toEqual(all.map(({ txid }) => txid))
    expect(await lines('?fate=overpaid')).toMatchObject([{ fate: 'overpaid', amount: '413.50' }])
    const filter = { fate: null, search: '', from: null, until: null, open: false }
    const found = await rowByRow<TransferRow>((after, limit) =>
      transfersAfter(money.db, filter, after, limit),
    )
    expect(found.map(({ txid }) => txid)).toEqual(all.map(({ txid }) => txid))
  })
})
