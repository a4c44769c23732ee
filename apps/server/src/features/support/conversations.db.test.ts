/** Support by several operators: who has a conversation, notes, the member next to it, times to a first answer. */
import {
  pageOf,
  supportAbout,
  supportAssignees,
  supportMessages,
  supportThread,
  supportTimes,
} from '@aval/contract'
import { describe, expect, inject, it } from 'vitest'
import { query } from '../../core/query.sql.ts'
import { exportedRows, rowByRow } from '../../testing/exported.ts'
import { createMoneyFixture } from '../../testing/money-fixture.ts'
import { accessOf, type Client, join, operatorClient } from '../../testing/server.ts'
import { suiteFixture } from '../../testing/suite.ts'
import { type QueuedRow, threadsAfter } from './conversations.queries.ts'
import { createSupportFixture, type Writer } from './testing/support-fixture.ts'
import { selectTimes } from './times.queries.ts'

const support = await suiteFixture(createSupportFixture)
const { server, operator: olga } = support
const omar = await operatorClient(server, { username: 'omar' })
await omar.decide('operator/elevation/')
const { db } = server.context

const assign = (who: Client, member: Writer, operator: string | null, from: string | null) =>
  who.post(`operator/support/${member.id}/assign/`, { operator, from })
const assignedTo = async (member: Writer) =>
  (await support.conversation(member)).thread.assigned?.operator ?? null
const waiting = async () => {
  const member = await support.writer()
  await support.ask(member, 'Hola')
  return member
}
const inQueue = async (who: Client, state: string, member: Writer) => {
  const answer = await who.get(`operator/support/?page_size=100&state=${state}`)
  return pageOf(supportThread)
    .parse(answer.json())
    .results.some(({ member_id: id }) => id === Number(member.id))
}

describe('a conversation', () => {
  it('is taken, handed over and let go of, and the trail says from whom to whom', async () => {
    const ana = await waiting()
    expect(await inQueue(olga, 'unassigned', ana)).toBe(true)
    expect((await assign(olga, ana, 'olga', null)).json()).toEqual({
      message: 'olga has the conversation now.',
    })
    expect([await inQueue(olga, 'mine', ana), await inQueue(omar, 'mine', ana)]).toEqual([true, false])
    expect([await inQueue(olga, 'unassigned', ana), await inQueue(olga, 'open', ana)]).toEqual([false, true])
    expect(await assign(olga, ana, 'omar', 'olga')).toAnswer(200)
    expect(await assignedTo(ana)).toBe('omar')
    expect(await assign(omar, ana, null, 'omar')).toAnswer(200)
    expect(await assignedTo(ana)).toBeNull()
    const trail = await query<{ details: unknown }>(db)`SELECT details FROM audit_event
      WHERE subject = ${`member:${ana.id}`} AND action = 'support.assign' ORDER BY id`
    expect(trail.map(({ details }) => details)).toEqual([
      { before: null, after: 'olga' },
      { before: 'olga', after: 'omar' },
      { before: 'omar', after: null },
    ])
  })

  it('that two take at once goes to one of them, and the other hears to whom and since when', async () => {
    const ana = await waiting()
    const answers = await Promise.all([assign(olga, ana, 'olga', null), assign(omar, ana, 'omar', null)])
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
    const first = await assignedTo(ana)
    const second = answers.find(({ statusCode }) => statusCode === 409)
    expect(second?.json()).toMatch(new RegExp(`^${first} has had this conversation since .*\\.$`))
    // To take what one already has changes nothing.
    expect(await assign(olga, ana, first, null)).toAnswer(200)
  })

  it('goes to nobody who does not answer members', async () => {
    const ana = await waiting()
    await join(server, { username: 'tesorera', operatorRole: 'treasurer' })
    for (const nobody of ['tesorera', 'nobody'])
      expect(await assign(olga, ana, nobody, null)).toAnswer(
        422,
        `No operator called ${nobody} answers members.`,
      )
    const { results } = supportAssignees.parse((await olga.get('operator/support/assignees/')).json())
    expect(results.map(({ operator }) => operator)).toEqual(['olga', 'omar'])
  })

  it('belongs to who answers first, stays with who has it, and is nobody’s once closed', async () => {
    const ana = await waiting()
    await support.answer(ana, 'Uno')
    expect(await assignedTo(ana)).toBe('olga')
    await omar.post(`operator/support/${ana.id}/answer/`, { text: 'Dos' })
    expect(await assignedTo(ana)).toBe('olga')
    await support.closeConversation(ana)
    expect(await assignedTo(ana)).toBeNull()
    expect(await assign(olga, ana, 'olga', null)).toAnswer(409)
    await support.ask(ana, 'Otra cosa')
    expect(await inQueue(olga, 'unassigned', ana)).toBe(true)
  })
})

it('a queue leaves as a file: whose, since when and who has it, and nothing of what was written', async () => {
  const [ana, bea] = [await waiting(), await waiting()]
  await assign(olga, ana, 'olga', null)
  const mine = await exportedRows(olga, 'operator/support/export/?state=mine')
  expect(mine.find((row) => row['member_id'] === Number(ana.id))).toMatchObject({
    state: 'open',
    operator: 'olga',
    unread: 1,
  })
  expect(mine.some((row) => row['member_id'] === Number(bea.id))).toBe(false)
  expect(JSON.stringify(mine)).not.toContain('Hola')
  const open = pageOf(supportThread).parse(
    (await olga.get('operator/support/?page_size=100&state=open')).json(),
  )
  const rows = await rowByRow<QueuedRow>((after, limit) => threadsAfter(db, 'open', 0n, after, limit))
  expect(rows.map((row) => Number(row.member_id))).toEqual(
    open.results.map((row) => row.member_id).toSorted((a, b) => a - b),
  )
})

describe('times to a first answer', () => {
  const now = new Date('2031-05-31T00:00:00Z')
  const answered = async (member: Writer, operator: bigint, days: number, waits: readonly number[]) => {
    for (const waited of waits)
      await query(
        server.owner.db,
      )`INSERT INTO support_message (member_id, operator_id, text, at, waited_seconds)
        VALUES (${member.id}, ${operator}, 'x', ${new Date(now.getTime() - days * 86_400_000)}, ${waited})`
  }

  it('are the median and the 90th percentile of 7 and 30 days, of all and of each operator', async () => {
    const ana = await waiting()
    const people = await query<{ id: bigint }>(db)`
      SELECT id FROM member WHERE username IN ('olga', 'omar') ORDER BY username`
    const [byOlga = 0n, byOmar = 0n] = people.map(({ id }) => id)
    await answered(ana, byOlga, 1, [60, 120, 180, 240, 300, 360, 420, 480, 540, 600])
    await answered(ana, byOmar, 20, [7200])
    await answered(ana, byOmar, 31, [1])
    const [all, ...each] = await selectTimes(db, now, 'en')
    expect(all).toMatchObject({ week: 10, week_median: 300, week_p90: 540, month: 11, month_median: 360 })
    expect(each).toMatchObject([
      { operator: 'olga', month: 10, month_median: 300 },
      { operator: 'omar', week: 0, week_median: null, month: 1, month_median: 7200, month_p90: 7200 },
    ])
  })

  it('count an answer that ended a wait, once, from the member’s first message', async () => {
    const before = supportTimes.parse((await olga.get('operator/support/times/')).json()).week.count
    const ana = await waiting()
    await support.ask(ana, '¿Siguen ahí?')
    await support.answer(ana, 'Uno')
    await support.answer(ana, 'Dos')
    const after = supportTimes.parse((await olga.get('operator/support/times/')).json())
    expect(after.week.count).toBe(before + 1)
    expect(after.newest).toBeNull()
    expect(supportMessages.parse((await ana.get('support/messages/')).json()).results[0]).not.toHaveProperty(
      'waited_seconds',
    )
  })
})

describe('the member beside the conversation', () => {
  it('is who it is, what they have, and what is under way', async () => {
    const money = await createMoneyFixture(inject('ownerUrl'), '2026-05-03T15:00:00Z')
    try {
      await money.fund('profit', '5000')
      const ana = await money.joined('ana')
      await money.invest(ana, '1000')
      await money.payDay(3)
      await money.invoiceOver(ana, '500')
      const operator = await money.operator()
      const answer = await money.server.call({
        url: `/api/operator/support/${ana}/about/`,
        headers: { authorization: `Bearer ${await accessOf(money.server, operator)}` },
      })
      const about = supportAbout.parse(answer.json())
      expect(about).toMatchObject({
        username: 'ana',
        sponsor: { member_id: Number(money.server.rootId) },
        principal: '1000.00',
        balance: '9.999999',
        withdrawals: [],
        invoices: [{ amount: '502.50', received: '0.00' }],
        two_factor: false,
      })
      expect(about.payments.map(({ kind, amount }) => [kind, amount])).toEqual(
        Array.from({ length: 3 }, () => ['passive', '3.333333']),
      )
    } finally {
      await money.close()
    }
  })
})
