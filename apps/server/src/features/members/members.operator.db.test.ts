/** Members as operators find, list and read them. */
import type { ListedMember, MemberMovement, SearchHit } from '@aval/contract'
import { describe, expect, it } from 'vitest'
import { query } from '../../core/query.sql.ts'
import { addressOf } from '../../testing/addresses.ts'
import { exportedRows } from '../../testing/exported.ts'
import { createMoneyFixture } from '../../testing/money-fixture.ts'
import { join, PROBLEM } from '../../testing/server.ts'
import { soundSuiteFixture } from '../../testing/suite.ts'

const money = await soundSuiteFixture(createMoneyFixture, '2026-05-03T15:00:00Z')
const { server } = money
const person = { firstName: 'Ana María', lastName: 'Núñez', phoneNumber: '+573001234567' }
const ana = await join(
  server,
  { username: 'anita', email: 'ana.n@example.com', ...person },
  server.rootId,
  money.now,
)
const luis = await join(server, { username: 'luis', firstName: 'Luis', isFundator: true }, ana, money.now)
const idle = await join(server, { username: 'idle' }, ana, money.now)
await money.fund('profit', '1000')
await money.fund('commission', '1000')
await money.invest(ana, '1000')
await money.invest(luis, '500')
await money.payDay()
const operatorId = await money.operator()
const operator = await money.client(operatorId)
const member = await money.client(ana)

const found = async (q: string): Promise<SearchHit[]> =>
  (await operator.get(`operator/search/?q=${encodeURIComponent(q)}`)).json().results
const members = async (filter: string) => {
  const { results, next, count, more } = (await operator.get(`operator/members/?${filter}`)).json()
  if (next === null && !filter.includes('after=')) expect([count, more]).toEqual([results.length, false])
  return { names: (results as ListedMember[]).map(({ username }) => username), next }
}
const row = (id: bigint) =>
  server.context.db
    .selectFrom('member')
    .select(['ref_code', 'username'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

describe('the search', () => {
  it('finds a member by each of their marks, and says by which', async () => {
    const { ref_code } = await row(ana)
    const wallet = 'TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf'
    await query(server.context.db)`UPDATE member SET usdt_wallet = ${wallet} WHERE id = ${ana}`
    const marks = {
      [String(ana)]: 'id',
      ANITA: 'username',
      núñ: 'name',
      'maria nunez': 'name',
      'ana.n@': 'email',
      '300 123 4567': 'phone',
      [ref_code]: 'ref_code',
      [wallet]: 'wallet',
      [await addressOf(server.context.db, ana)]: 'deposit_address',
    }
    for (const [text, by] of Object.entries(marks)) {
      const hit = (await found(text)).find(({ kind, id }) => kind === 'member' && id === String(ana))
      expect([text, hit?.found_by]).toEqual([text, by])
    }
    expect(await found('nobody at all')).toEqual([])
  })

  it('finds whoever has many names by each of them and by all, however they are typed', async () => {
    const name = 'María de los Ángeles del Carmen O’Brien Gómez'
    const id = luis
    const call = (first: string) =>
      query(server.context.db)`UPDATE member SET first_name = ${first} WHERE id = ${id}`
    await call(name)
    for (const typed of [...name.split(' '), name, 'gomez', "o'brien", 'obrien', 'ma\u200bria\u00a0gomez'])
      expect([typed, (await found(typed)).map((hit) => hit.id)]).toEqual([
        typed,
        expect.arrayContaining([String(id)]),
      ])
    expect((await members('q=carmen%20gomez')).names).toEqual([(await row(id)).username])
    await call('')
  })

  it('finds money by its amount as it is written in either language, its number and its transaction', async () => {
    for (const text of ['1,000', '1.000,00', '1000'])
      expect((await found(text)).map(({ kind }) => kind)).toContain('investment')
    const [deposit] = await query<{ txid: string }>(
      server.context.db,
    )`SELECT txid FROM deposit_credit WHERE member_id = ${ana}`
    expect(await found(deposit?.txid ?? '')).toMatchObject([
      { kind: 'deposit', member: { username: 'anita' } },
    ])
    const [invoice] = await query<{ txn_id: string }>(
      server.context.db,
    )`SELECT txn_id FROM invoice WHERE member_id = ${luis}`
    expect(await found(invoice?.txn_id ?? '')).toMatchObject([
      { kind: 'invoice', member: { username: 'luis' } },
    ])
    const [run] = await query<{ id: bigint; period: string }>(
      server.context.db,
    )`SELECT id, period FROM payout_run WHERE kind = 'passive'`
    const runs = (await found(run?.period ?? '')).filter(({ kind }) => kind === 'run')
    expect(runs.map(({ id }) => id)).toContain(String(run?.id))
  })

  it('takes what is no text of ours as nothing', async () => {
    for (const q of ['%', '_', "'", '\\', '🙂', 'a'.repeat(254)]) expect(await found(q)).toEqual([])
  })
})

describe('the list of members', () => {
  it('holds to all its filters', async () => {
    expect((await members('active=true&order=-principal')).names).toEqual(['anita', 'luis'])
    expect((await members('active=false&sponsor=ANITA')).names).toEqual(['idle'])
    expect((await members('fundator=true')).names).toEqual(['luis'])
    expect((await members('has_balance=true&order=joined')).names).toEqual(['anita', 'luis'])
    expect((await members('open_withdrawal=true')).names).toEqual([])
    expect((await members('q=anita&open_withdrawal=false')).names).toEqual(['anita'])
    expect((await members('joined_from=2026-05-03&joined_to=2026-05-03&q=idle')).names).toEqual(['idle'])
    expect((await members('joined_to=2026-05-02')).names).toEqual([])
    const compliance = await money.operator()
    await query(
      server.context.db,
    )`SELECT freeze_member(${idle}, true, 'Two people use it.', ${compliance}, now())`
    const gone = await join(server, { username: 'gone' }, luis, money.now)
    const closing = { reason: 'Asked for it.', username: 'gone' }
    expect(await operator.decide(`operator/members/${gone}/close/`, closing)).toAnswer(200)
    expect((await members('frozen=true')).names).toEqual(['idle'])
    expect((await members('frozen=false&sponsor=anita')).names).toEqual(['luis'])
    expect((await members('closed=true')).names).toEqual([`closed-${gone}`])
    expect((await members('closed=false&sponsor=luis')).names).toEqual([])
    expect(await exportedRows(operator, 'operator/members/export/?frozen=true')).toMatchObject([
      { username: 'idle', frozen: true },
    ])
    await query(server.context.db)`SELECT freeze_member(${idle}, false, 'One did.', ${compliance}, now())`
    expect((await members('frozen=true')).names).toEqual([])
    expect(await operator.get('operator/members/?order=balance', PROBLEM)).toRefuse(400, 'input_invalid')
  })

  it('goes on after the last member of a page, each once, in every order', async () => {
    for (let more = 0; more < 30; more += 1) await join(server, {}, luis, money.now)
    for (const order of ['-joined', 'joined', '-principal']) {
      const seen: string[] = []
      let after = ''
      do {
        const { names, next } = await members(`order=${order}${after}`)
        seen.push(...names)
        after = next === null ? '' : `&after=${next}`
      } while (after !== '')
      const all = await query(server.context.db)`SELECT FROM member`
      expect(new Set(seen).size).toBe(all.length)
      expect(seen).toHaveLength(all.length)
    }
  })

  it('leaves as a file under its filters', async () => {
    const rows = await exportedRows(operator, 'operator/members/export/?active=true')
    expect(rows.map(({ username, principal }) => [username, principal])).toEqual([
      ['anita', '1000.00'],
      ['luis', '500.00'],
    ])
  })
})

describe('a member’s page', () => {
  it('says who it is and what they have', async () => {
    const file = (await operator.get(`operator/members/${ana}/`)).json()
    expect(file).toMatchObject({
      username: 'anita',
      name: 'Ana María Núñez',
      principal: '1000.00',
      direct: 2,
      email_proven: false,
      owed: '0.00',
    })
    expect(await operator.get('operator/members/999999/', PROBLEM)).toRefuse(404, 'member_not_found')
  })

  it('has a ledger whose running balance ends at the balance, page after page, and its export agrees', async () => {
    await money.payDay(50)
    const lines: MemberMovement[] = []
    let after = ''
    do {
      const page = (await operator.get(`operator/members/${ana}/movements/${after}`)).json()
      lines.push(...page.results)
      after = page.next === null ? '' : `?before=${page.next}`
    } while (after !== '')
    expect(lines.length).toBeGreaterThan(50)
    const { balance, principal } = (await operator.get(`operator/members/${ana}/`)).json()
    expect(lines[0]).toMatchObject({ balance, principal })
    const oldest = lines.at(-1)
    expect(oldest?.balance).toBe(oldest?.to_balance)
    expect(lines.find(({ kind }) => kind === 'passive')).toMatchObject({ payment_id: expect.any(Number) })
    const written = await exportedRows<MemberMovement>(operator, `operator/members/${ana}/movements/export/`)
    expect(written.toReversed().map((line) => [line.id, line.balance, line.principal])).toEqual(
      lines.map((line) => [line.id, line.balance, line.principal]),
    )
  })

  it('explains a payment as the member reads it', async () => {
    const { results } = (await operator.get(`operator/members/${ana}/payments/`)).json()
    const why = (await operator.get(`operator/members/${ana}/payments/${results[0].id}/why/`)).json()
    expect(why).toEqual((await member.get(`payments/why/${results[0].id}/`)).json())
    const others = await operator.get(`operator/members/${idle}/payments/${results[0].id}/why/`, PROBLEM)
    expect(others).toRefuse(404, 'payment_not_found')
  })

  it('has everything else under its own calls', async () => {
    for (const what of [
      'investments',
      'invoices',
      'deposits',
      'withdrawals',
      'referrals',
      'sessions',
      'security-events',
      'mails',
      'notes',
      'looks',
    ]) {
      const answer = await operator.get(`operator/members/${ana}/${what}/`)
      expect([what, answer.statusCode]).toEqual([what, 200])
      expect(await operator.get(`operator/members/999999/${what}/`, PROBLEM)).toRefuse(
        404,
        'member_not_found',
      )
    }
    const network = (await operator.get(`operator/members/${luis}/network/`)).json()
    expect(network.upline.map(({ username }: { username: string }) => username)).toEqual(['anita', 'root'])
    const { results } = (await operator.get(`operator/members/${ana}/deposits/`)).json()
    expect(results).toMatchObject([{ outcome: 'paid', verdict: 'credit' }])
  })

  it('that is opened is recorded, once an hour for an operator', async () => {
    const looks = async () => (await operator.get(`operator/members/${idle}/looks/`)).json()
    for (let time = 0; time < 3; time += 1) await operator.get(`operator/members/${idle}/`)
    expect((await looks()).count).toBe(1)
    const other = await money.operator()
    await (await money.client(other)).get(`operator/members/${idle}/`)
    const { results } = await looks()
    expect(results.map(({ operator }: { operator: string }) => operator)).toEqual([
      (await row(other)).username,
      (await row(operatorId)).username,
    ])
  })

  it('keeps notes with their authors, which nobody changes', async () => {
    const note = { text: '  Called: wants to change the e-mail. ' }
    expect(await operator.post(`operator/members/${idle}/notes/`, note, PROBLEM)).toRefuse(
      403,
      'elevation_required',
    )
    await operator.decide('operator/elevation/')
    expect(await operator.post(`operator/members/${idle}/notes/`, note)).toAnswer(201)
    const { results } = (await operator.get(`operator/members/${idle}/notes/`)).json()
    expect(results).toMatchObject([{ text: note.text.trim(), author: (await row(operatorId)).username }])
    await expect(query(server.context.db)`UPDATE member_note SET text = 'x'`).rejects.toThrow()
    await expect(query(server.owner.db)`DELETE FROM member_note`).rejects.toThrow()
  })
})
