/** The calls of the pages of referrals and of the tree, on a small network whose answers can be worked out by hand. */
import { pageOf, referral, treeMember, treeNode, treePath, treeSearch } from '@aval/contract'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { query } from '../../core/query.sql.ts'
import { createMoneyFixture } from '../../testing/money-fixture.ts'
import { join } from '../../testing/server.ts'
import { suiteFixture } from '../../testing/suite.ts'
import { numberTrees } from './numbering.commands.ts'

const money = await suiteFixture(createMoneyFixture, '2026-06-20T12:00:00Z')
/**
 * Members by first name: Ana introduced Bea, ten others and Zoe; Bea introduced Cleo, and Cleo Dora. Eva stands beside
 * Ana, and introduced Beatriz Alejandra.
 */
const ids = new Map<string, bigint>()
const idOf = (name: string): bigint => ids.get(name) ?? 0n
const node = (name: string) => `O-${idOf(name)}`

/** @param at a day, of which it is the afternoon, or an instant */
async function enlist(firstName: string, sponsor: string | null, lastName: string, at: string) {
  const sponsorId = sponsor === null ? money.server.rootId : idOf(sponsor)
  const username = firstName
    .normalize('NFD')
    .replace(/[^a-z0-9]/gi, '')
    .toLowerCase()
  const email = `${username}@mail.example`
  const named = { username, firstName, lastName, email, phoneNumber: '3001234567' }
  const joinedAt = new Date(at.length === 10 ? `${at}T15:00:00Z` : at)
  ids.set(firstName, await join(money.server, named, sponsorId, joinedAt))
}

await enlist('Ana', null, 'Paz Muñoz', '2026-06-01')
await enlist('Eva', null, 'Rangel', '2026-06-01')
await enlist('Beatriz Alejandra del Carmen', 'Eva', 'Rangel', '2026-06-01')
await enlist('Bea', 'Ana', 'Peña', '2026-06-02')
for (let index = 1; index <= 10; index += 1) await enlist(`Otro${index}`, 'Ana', 'Gil', '2026-06-03')
await enlist('Cleo', 'Bea', 'de la Cruz Ávila', '2026-06-10')
await numberTrees(money.server.context.db, new Date())
// What follows joined after the trees were numbered.
await enlist('Dora', 'Cleo', 'Ríos', '2026-06-11')
await enlist('Zoe', 'Ana', 'Núñez', '2026-06-12')
await money.invest(idOf('Cleo'), '500')
await money.invest(idOf('Dora'), '700')

async function get(url: string, name = 'Ana') {
  const memberId = name === 'root' ? money.server.rootId : idOf(name)
  return money.server.call({ url, headers: await money.bearer(memberId) })
}
async function nodes(search: string, name = 'Ana') {
  const answer = await get(`/api/tree/get-binary-tree/${search}`, name)
  expect(answer, answer.body).toAnswer(200)
  return z.array(treeNode).parse(answer.json())
}
const names = (found: readonly { name: string }[]) => found.map(({ name }) => name)

describe('the referrals of a member', () => {
  const referrals = async (search = '', name = 'Ana') =>
    pageOf(referral).parse((await get(`/api/tree/get-referrals/${search}`, name)).json())

  it('are their own, newest first, in pages', async () => {
    const first = await referrals()
    expect(first).toMatchObject({ count: 12, total_pages: 2, links: { previous: null } })
    expect(first.results).toHaveLength(10)
    expect(first.results.map(({ id }) => id)).toEqual(first.results.map(({ id }) => id).sort((a, b) => b - a))
    expect((await referrals('?page=2')).results.at(-1)).toEqual({
      id: Number(idOf('Bea')),
      date: '2026-06-02T15:00:00.000Z',
      status: false,
      is_master_code: false,
      referred_username: 'bea',
      referred_email: 'bea@mail.example',
      referred_phone_number: '3001234567',
      invested: '0.00',
      brought: '1200.00',
      earned: '0.00',
    })
  })

  it('never are those of others', async () => {
    expect((await referrals('', 'Bea')).results.map((row) => row.referred_username)).toEqual(['cleo'])
    expect(await referrals('', 'Zoe')).toMatchObject({ count: 0, total_pages: 1, results: [] })
  })

  it.each([
    ['page=3', 404],
    ['page_size=100', 200],
    ['status=active', 200],
    ['status=inactive&page=2', 200],
    ['status=inactive&page=3', 404],
    ['status=', 400],
    ['status=gone', 400],
    ['page=999999999', 404],
  ])('asked with %s answer %i', async (search, status) => {
    expect(await get(`/api/tree/get-referrals/?${search}`)).toAnswer(status)
  })

  it('are active once they have an investment', async () => {
    expect((await referrals('', 'Bea')).results[0]).toMatchObject({ status: true })
    const active = await referrals('?status=active', 'Bea')
    expect([active.count, active.results[0]?.referred_username]).toEqual([1, 'cleo'])
    expect(await referrals('?status=inactive', 'Bea')).toMatchObject({
      count: 0,
      total_pages: 1,
      results: [],
    })
    expect((await referrals('?status=inactive')).count).toBe(12)
  })
})

describe('the tree of a member', () => {
  it('begins with the member and lists parents before their children', async () => {
    const found = await nodes('')
    expect(found).toHaveLength(15)
    const top = { id: node('Ana'), parentId: '', username: 'ana', depth: 0, children_count: 12 }
    expect(found[0]).toMatchObject(top)
    const seen = new Set<string>()
    for (const { id, parentId } of found) {
      if (parentId !== '') expect(seen.has(parentId)).toBe(true)
      seen.add(id)
    }
    expect(found.map(({ depth }) => depth)).toEqual(found.map(({ depth }) => depth).sort((a, b) => a - b))
    const last = { username: 'dora', parentId: node('Cleo'), depth: 3, children_count: 0 }
    expect(found.at(-1)).toMatchObject(last)
    expect(found.at(-2)).toMatchObject({ username: 'cleo', plan_name: '500.00' })
  })

  it('shows names of at most 22 characters and pictures by absolute address', async () => {
    const [, first] = await nodes('', 'Eva')
    expect(first?.name).toBe('Beatriz Alejandra del…')
    expect([...(first?.name ?? '')].length).toBeLessThanOrEqual(22)
    expect(first?.imageUrl).toMatch(/^http:\/\/localhost:3000\/api\/avatars\//)
  })

  it('never shows who stands above', async () => {
    const [top, ...rest] = await nodes('', 'Bea')
    expect(top?.parentId).toBe('')
    expect(rest.map(({ username }) => username)).toEqual(['cleo', 'dora'])
  })
})

describe('a part of the tree', () => {
  it('begins with the member who is asked for, and says how far below the caller that is', async () => {
    const found = await nodes(`?root=${node('Bea')}`)
    expect(found.map(({ name, depth, parentId }) => [name, depth, parentId])).toEqual([
      ['Bea', 1, ''],
      ['Cleo', 2, node('Bea')],
      ['Dora', 3, node('Cleo')],
    ])
  })

  it('ends after as many levels and nodes as are asked for; what is left out is counted', async () => {
    const found = await nodes(`?root=${node('Bea')}&depth=1`)
    expect(names(found)).toEqual(['Bea', 'Cleo'])
    expect(found[1]).toMatchObject({ children_count: 1 })
    const few = await nodes('?limit=3')
    expect(names(few)).toEqual(['Ana', 'Bea', 'Otro1'])
    expect(few[0]).toMatchObject({ children_count: 12 })
  })

  it('is a page of children, five where it is not said, in the order in which they joined', async () => {
    const first = await nodes(`?children_of=${node('Ana')}`)
    expect(names(first)).toEqual(['Bea', 'Otro1', 'Otro2', 'Otro3', 'Otro4'])
    expect(first[0]).toMatchObject({ parentId: node('Ana'), depth: 1 })
    expect(names(await nodes(`?children_of=${node('Ana')}&offset=10&count=2000`))).toEqual(['Otro10', 'Zoe'])
    expect(await nodes(`?children_of=${node('Ana')}&offset=999999999`)).toEqual([])
  })

  it('in the binary view hangs everybody from their place, with the side', async () => {
    const found = await nodes('?view=binary', 'root')
    const places = await money.server.context.db.selectFrom('placement').selectAll().execute()
    expect(found).toHaveLength(places.length)
    for (const place of places) {
      const shown = found.find(({ id }) => id === `O-${place.member_id}`)
      expect(shown).toMatchObject({
        parentId: place.parent_id === null ? '' : `O-${place.parent_id}`,
        leg: place.leg,
        children_count: places.filter(({ parent_id }) => parent_id === place.member_id).length,
      })
      const above = found.find(({ id }) => id === shown?.parentId)
      expect(shown?.depth).toBe(above === undefined ? 0 : above.depth + 1)
    }
    const top = places.filter(({ parent_id }) => parent_id === money.server.rootId)
    const children = await nodes(`?view=binary&children_of=O-${money.server.rootId}`, 'root')
    expect(children.map(({ leg }) => leg)).toEqual(top.map(({ leg }) => leg).sort())
  })

  it('as of a day has the members who had joined by its end, with what they had invested by then', async () => {
    const early = await nodes('?as_of=2026-06-02')
    expect(names(early)).toEqual(['Ana', 'Bea'])
    expect(early.map(({ children_count }) => children_count)).toEqual([1, 0])
    const later = await nodes('?as_of=2026-06-19')
    expect(later).toHaveLength(15)
    expect(later.find(({ name }) => name === 'Cleo')).toMatchObject({ plan_name: '0.00', children_count: 1 })
    const now = await nodes('?as_of=2026-06-20')
    expect(now.find(({ name }) => name === 'Cleo')).toMatchObject({ plan_name: '500.00' })
    expect(await nodes('?as_of=2026-05-31')).toEqual([])
    expect(names(await nodes('?as_of=2026-06-10&view=binary'))).not.toContain('Zoe')
    const page = await nodes(`?as_of=2026-06-03&children_of=${node('Ana')}&offset=8`)
    expect(names(page)).toEqual(['Otro8', 'Otro9', 'Otro10'])
  })

  it('as of a day ends with that day where the plan is, not at midnight of UTC', async () => {
    await enlist('Isla', null, 'Mar', '2026-06-12')
    // Bogotá is five hours behind.
    await enlist('Luz', 'Isla', 'Mar', '2026-06-13T00:30:00Z')
    await enlist('Sol', 'Isla', 'Mar', '2026-06-13T04:59:59.999Z')
    await enlist('Alba', 'Isla', 'Mar', '2026-06-13T05:00:00Z')
    for (const view of ['unilevel', 'binary']) {
      const asOf = async (day: string) => names(await nodes(`?as_of=${day}&view=${view}`, 'Isla'))
      expect(await asOf('2026-06-12'), view).toEqual(['Isla', 'Luz', 'Sol'])
      expect((await asOf('2026-06-13')).toSorted(), view).toEqual(['Alba', 'Isla', 'Luz', 'Sol'])
    }
    const to = (name: string) => get(`/api/tree/path/?id=${node(name)}&as_of=2026-06-12`, 'Isla')
    expect(await to('Sol')).toAnswer(200)
    expect(await to('Alba')).toAnswer(404)
  })
})

describe('a member who is not below the caller', () => {
  const calls = (id: string) => [
    `/api/tree/get-binary-tree/?root=${id}`,
    `/api/tree/get-binary-tree/?children_of=${id}`,
    `/api/tree/path/?id=${id}`,
    `/api/tree/members/${id}/`,
  ]

  it('does not exist: those beside, those above, and nobody', async () => {
    for (const id of [node('Eva'), `O-${money.server.rootId}`, 'O-999999', 'O-999999999999999999']) {
      for (const url of calls(id)) expect(await get(url), url).toAnswer(404)
    }
    for (const url of calls(node('Ana'))) expect(await get(url, 'Bea'), url).toAnswer(404)
    // Spillover puts others' referrals below: they show in the binary view alone.
    expect((await get(`/api/tree/search/?q=eva`)).json()).toEqual({ results: [], more: false })
  })

  const tree = {
    root: ['', '5', 'O-0', 'O-1%20OR%201=1', 'O-99999999999999999999', 'O-1&root=O-2'],
    depth: ['0', '-1', '51', '1e3'],
    limit: ['0', '2001'],
    view: ['ternary', ''],
    children_of: ['O-1&count=0', 'O-1&count=2001', 'O-1&offset=-1', 'O-1&offset=10000000000'],
    as_of: ['yesterday', '2026-02-30', '0001-01-01', '9999-12-31'],
  }
  const q = ['a', '%20%20a%20%20', 'a'.repeat(65), 'ab&view=x']
  it.each([
    ...Object.entries(tree).flatMap(([key, values]) =>
      values.map((value) => `get-binary-tree/?${key}=${value}`),
    ),
    ...q.map((text) => `search/?q=${text}`),
    'search/',
    'path/',
    'path/?id=O-x',
  ])('asked for as %s is no question', async (url) => {
    expect(await get(`/api/tree/${url}`), url).toAnswer(400)
  })

  it.each(['5', 'O-', 'O-0', 'O-01', 'o-1', '%00', "O-1'--", 'O-99999999999999999999'])(
    'is nobody of the name %s',
    async (name) => {
      expect(await get(`/api/tree/members/${name}/`)).toAnswer(404)
    },
  )
})

describe('the search', () => {
  const search = async (q: string, by = 'Ana', view = 'unilevel') => {
    const answer = await get(`/api/tree/search/?q=${encodeURIComponent(q)}&view=${view}`, by)
    expect(answer, answer.body).toAnswer(200)
    return treeSearch.parse(answer.json())
  }
  const found = async (q: string, by?: string) => names((await search(q, by)).results)

  it('finds the beginnings of names and words, whatever their case and accents', async () => {
    expect(await found('cle')).toEqual(['Cleo de la Cruz Ávila'])
    expect(await found('CRUZ')).toEqual(['Cleo de la Cruz Ávila'])
    expect(await found('avil cleo')).toEqual(['Cleo de la Cruz Ávila'])
    expect(await found('nunez')).toEqual(['Zoe Núñez'])
    expect(await found('  PEÑA ')).toEqual(['Bea Peña'])
    expect(await found('otro')).toHaveLength(10)
    expect(await found('ruz')).toEqual([])
    expect(await found('cleo zoe')).toEqual([])
  })

  it('shows the way down, and an exact username first', async () => {
    const { results } = await search('dora')
    expect(results).toEqual([
      {
        id: node('Dora'),
        username: 'dora',
        name: 'Dora Ríos',
        depth: 3,
        path: [node('Ana'), node('Bea'), node('Cleo'), node('Dora')],
        path_skipped: 0,
      },
    ])
    expect((await search('otro3')).results[0]).toMatchObject({ username: 'otro3', depth: 1 })
  })

  it('finds a whole address below, and the beginning of one among own referrals alone', async () => {
    expect(await found('DORA@mail.example')).toEqual(['Dora Ríos'])
    expect(await found('dora@mail.exampl')).toEqual([])
    expect(await found('zoe@mail')).toEqual(['Zoe Núñez'])
    expect(await found('eva@mail.example')).toEqual([])
    expect(JSON.stringify(await search('zoe'))).not.toContain('mail.example')
  })

  it('takes what people type as text', async () => {
    for (const q of ['%%', '__', "o'b", '\\\\', '((', '🙂🙂', '``', '<b>', 'ana%'])
      expect(await found(q)).toEqual([])
    expect(await get('/api/tree/search/?q=a%00b')).toAnswer(400)
  })

  it('finds no more than twenty, and says that there are others', async () => {
    const { db } = money.server.context
    for (let index = 0; index < 24; index += 1) await money.member(idOf('Eva'))
    await query(db)`UPDATE member SET first_name = 'Quica'
      WHERE id IN (SELECT member_id FROM sponsorship WHERE sponsor_id = ${idOf('Eva')})`
    const many = await search('quica', 'Eva')
    expect(many.results).toHaveLength(20)
    expect(many.more).toBe(true)
    await numberTrees(db, new Date())
    expect(await search('quica', 'Eva')).toMatchObject({ more: true })
    expect((await search('quica', 'root')).results).toHaveLength(20)
    expect((await search('quica', 'Ana')).results).toEqual([])
  })
})

describe('the way to a member', () => {
  it('is the nodes from the caller down', async () => {
    const answer = treePath.parse((await get(`/api/tree/path/?id=${node('Dora')}`)).json())
    expect(names(answer.nodes)).toEqual(['Ana', 'Bea', 'Cleo', 'Dora'])
    expect(answer.nodes.map(({ depth }) => depth)).toEqual([0, 1, 2, 3])
    expect(answer.nodes[0]?.parentId).toBe('')
    expect(answer.skipped).toBe(0)
    const own = treePath.parse((await get(`/api/tree/path/?id=${node('Ana')}`)).json())
    expect(names(own.nodes)).toEqual(['Ana'])
  })

  it('as of a day is with what they had then, and is none to a member who joined later', async () => {
    const to = (name: string, day: string, view = 'unilevel') =>
      get(`/api/tree/path/?id=${node(name)}&as_of=${day}&view=${view}`)
    const { nodes } = treePath.parse((await to('Cleo', '2026-06-10')).json())
    const shown = nodes.map(({ name, plan_name, children_count: below }) => `${name} ${plan_name} ${below}`)
    expect(shown).toEqual(['Ana 0.00 11', 'Bea 0.00 1', 'Cleo 0.00 0'])
    expect(await to('Cleo', '2026-06-09')).toAnswer(404)
    expect(await to('Cleo', '2026-06-09', 'binary')).toAnswer(404)
    expect(await to('Ana', '2026-05-31')).toAnswer(404)
    expect(await to('Cleo', '2026-02-30')).toAnswer(400)
  })
})

describe('the sheet of a member', () => {
  it('has what a member may see of one below, and nothing else', async () => {
    const answer = await get(`/api/tree/members/${node('Bea')}/`)
    expect(treeMember.strict().parse(answer.json())).toMatchObject({
      name: 'Bea Peña',
      joined: '2026-06-02T15:00:00.000Z',
      active: false,
      invested: '0.00',
      direct: 1,
      team: 2,
      team_volume: '1200.00',
      level: 1,
      is_master_code: false,
    })
    expect(answer.body).not.toMatch(/mail\.example|3001234567/)
  })

  it('shows members below in the binary tree, too', async () => {
    const { db } = money.server.context
    const places = db.selectFrom('placement').select('parent_id').where('member_id', '=', idOf('Eva'))
    expect(await places.execute()).toEqual([{ parent_id: money.server.rootId }])
    const sheet = treeMember.parse((await get(`/api/tree/members/${node('Dora')}/`, 'root')).json())
    expect(sheet).toMatchObject({ level: 4, active: true, invested: '700.00', team: 0 })
  })
})
