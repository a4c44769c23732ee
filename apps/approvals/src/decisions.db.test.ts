import { afterAll, describe, expect, inject, it } from 'vitest'
import { addMember, addPlan, decisionBodyOf, openOffice, URL_OF_PAGE } from './testing/office.ts'

const office = await openOffice(inject('ownerUrl'))
afterAll(() => office.close())

const HOST = 'localhost:3002'
const get = (url: string) => office.server().inject({ url, headers: { host: HOST } })
const post = (payload: object) =>
  office.server().inject({
    method: 'POST',
    url: '/api/decisions/',
    headers: { host: HOST, origin: URL_OF_PAGE },
    payload,
  })
const PLAN = { timeZone: 'UTC', passive: { percentPerPeriod: '10', periodDays: 30 } }
await office.owner.query('SELECT store_first_plan($1)', [JSON.stringify(PLAN)])
const [olga, omar] = [await addMember(office, true), await addMember(office, true)]
const ana = await addMember(office)
let days = 0
const plan = (document: object = PLAN) => {
  days += 1
  return addPlan(office, olga, `2090-01-${String(days).padStart(2, '0')}`, document)
}

describe('decisions that wait', () => {
  it('are listed with what is signed, and a plan beside the one that it replaces', async () => {
    const document = { ...PLAN, timeZone: 'America/Bogota' }
    const { decisionId, statement } = await plan(document)
    await post(decisionBodyOf(omar, [{ decisionId, kind: 'plan', statement }]))
    const { decisions } = (await get('/api/list/')).json()
    expect(decisions).toEqual([
      {
        id: String(decisionId),
        kind: 'plan',
        statement,
        document: JSON.stringify(document),
        replaces: { version: 1, document: PLAN },
        proposed_by: expect.any(String),
        proposed_at: expect.any(String),
        expires_at: expect.any(String),
        needed: 1,
        approvals: [],
        waiting: [{ operator: String(omar), name: expect.any(String) }],
      },
    ])
  })

  it('are listed no more once they are taken back', async () => {
    const { decisionId } = await plan()
    await office.owner.query('SELECT withdraw_decision($1, $2, now())', [decisionId, olga])
    office.clock.now += 2_000
    const { decisions } = (await get('/api/list/')).json()
    expect(decisions.map(({ id }: { id: string }) => id)).not.toContain(String(decisionId))
  })
})

describe('an approval of decisions', () => {
  it('is stored for the signer with what was seen, and says what became of it', async () => {
    const one = await plan()
    const answer = await post(decisionBodyOf(olga, [one]))
    expect(answer.statusCode).toBe(201)
    const { id } = answer.json()
    const stored = await office.owner.query(
      'SELECT a.purpose, a.row_count, r.decision_id, r.kind, r.statement FROM approval a JOIN approval_decision r ON r.approval_id = a.id WHERE a.id = $1',
      [id],
    )
    expect(stored.rows).toEqual([
      {
        purpose: 'decisions',
        row_count: 1,
        decision_id: String(one.decisionId),
        kind: 'plan',
        statement: one.statement,
      },
    ])
    const state = async () => (await get(`/api/approvals/${id}/`)).json()
    expect(await state()).toMatchObject({ state: 'submitted', count: 1, complete: 0 })
    await office.owner.query("SELECT accept_decision_approval($1, '{2}')", [id])
    expect(await state()).toMatchObject({ state: 'accepted', complete: 0, given: 1, needed: 2 })
  })

  type Change = (body: ReturnType<typeof decisionBodyOf>) => object
  const withStatement =
    (statement: object): Change =>
    (body) => ({ ...body, rows: body.rows.map((row) => ({ ...row, statement })) })
  it.each<[string, Change]>([
    ['nobody', (body) => ({ ...body, operator: 'x' })],
    ['no decision', (body) => ({ ...body, rows: [] })],
    ['one decision twice', (body) => ({ ...body, rows: [...body.rows, ...body.rows] })],
    ['more than is asked for', (body) => ({ ...body, more: 1 })],
    ['a statement with a number', withStatement({ a: 5 })],
    ['a name with a quote', withStatement({ 'a"': '' })],
    ['a text beyond measure', withStatement({ a: 'x'.repeat(1_001) })],
  ])('of %s is refused', async (_what, change) => {
    const answer = await post(change(decisionBodyOf(olga, [await plan()])))
    expect([answer.statusCode, answer.json()]).toEqual([400, { code: 'bad_request' }])
  })

  it('is refused by name whose hash is of another list, whose operator is none, or which was used', async () => {
    const one = await plan()
    const other = { ...one, statement: { ...one.statement, starts_on: '2100-01-01' } }
    const { root } = decisionBodyOf(olga, [other])
    expect((await post(decisionBodyOf(olga, [one], { root }))).json()).toEqual({ code: 'list_differs' })
    expect((await post(decisionBodyOf(ana, [one]))).json()).toEqual({ code: 'not_an_operator' })
    const body = decisionBodyOf(olga, [one])
    expect((await post(body)).statusCode).toBe(201)
    expect((await post(body)).json()).toEqual({ code: 'approval_used' })
    const late = { expires_at: Date.now() - 1 }
    expect((await post(decisionBodyOf(olga, [one], late))).json()).toEqual({ code: 'approval_expired' })
  })
})
