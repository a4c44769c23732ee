import { pageOf, referral, treeNode } from '@aval/contract'
import { connect } from '@aval/db'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { features } from '../../features.ts'
import { accessOf, createTestServer, join } from '../../testing/server.ts'
import { suiteFixture } from '../../testing/suite.ts'

const server = await suiteFixture(createTestServer, features)
/** ana introduced bea and 11 more; bea introduced cleo. */
let ana: bigint
let bea: bigint
let cleo: bigint

const joined = new Date('2026-02-03T04:05:06Z')

beforeAll(async () => {
  ana = await join(server, { username: 'ana', firstName: 'Ana' })
  const named = { username: 'bea', firstName: 'Beatriz Alejandra del Carmen', phoneNumber: '3001234567' }
  bea = await join(server, named, ana, joined)
  for (let index = 0; index < 11; index += 1) await join(server, {}, ana)
  cleo = await join(server, { username: 'cleo' }, bea)
  await join(server)
})

async function get(url: string, memberId: bigint) {
  return server.call({ url, headers: { authorization: `Bearer ${await accessOf(server, memberId)}` } })
}

describe('the referrals of a member', () => {
  it('are their own, newest first, in pages', async () => {
    const first = pageOf(referral).parse((await get('/api/tree/get-referrals/', ana)).json())
    expect(first).toMatchObject({ count: 12, total_pages: 2, links: { previous: null } })
    expect(first.results).toHaveLength(10)
    expect(first.results.map(({ id }) => id)).toEqual(first.results.map(({ id }) => id).sort((a, b) => b - a))
    const second = pageOf(referral).parse((await get('/api/tree/get-referrals/?page=2', ana)).json())
    expect(second.results.at(-1)).toEqual({
      id: Number(bea),
      date: '2026-02-03T04:05:06.000Z',
      status: false,
      is_master_code: false,
      referred_username: 'bea',
      referred_email: expect.stringContaining('@example.com'),
      referred_phone_number: '3001234567',
    })
  })

  it('never are those of others', async () => {
    const ofBea = (await get('/api/tree/get-referrals/', bea)).json()
    expect(ofBea.results.map((row: { referred_username: string }) => row.referred_username)).toEqual(['cleo'])
    expect((await get('/api/tree/get-referrals/', cleo)).json()).toMatchObject({
      count: 0,
      total_pages: 1,
      results: [],
    })
  })

  it.each([
    ['page=0', 400],
    ['page=-1', 400],
    ['page=1.5', 400],
    ['page=x', 400],
    ['page=', 400],
    ['page=1&page=2', 400],
    ['page=3', 404],
    ['page=999999999', 404],
    ['page_size=0', 400],
    ['page_size=101', 400],
    ['page_size=100', 200],
    ['status=active', 200],
    ['status=inactive&page=2', 200],
    ['status=inactive&page=3', 404],
    ['status=', 400],
    ['status=gone', 400],
  ])('asked with %s answer %i', async (search, status) => {
    expect((await get(`/api/tree/get-referrals/?${search}`, ana)).statusCode).toBe(status)
  })

  it('are active once they have an investment', async () => {
    const owner = server.database.ownerUrl
    const arranging = connect(owner, 1)
    await sql`UPDATE member_balance SET principal = 500000000 WHERE member_id = ${cleo}`.execute(arranging.db)
    await arranging.close()
    expect((await get('/api/tree/get-referrals/', bea)).json().results[0]).toMatchObject({ status: true })
    const active = (await get('/api/tree/get-referrals/?status=active', bea)).json()
    expect([active.count, active.results[0].referred_username]).toEqual([1, 'cleo'])
    const inactive = (await get('/api/tree/get-referrals/?status=inactive', bea)).json()
    expect([inactive.count, inactive.total_pages, inactive.results]).toEqual([0, 1, []])
    const tree = (await get('/api/tree/get-binary-tree/', bea)).json()
    expect(tree[1]).toMatchObject({ username: 'cleo', plan_name: '500.00' })
  })
})

describe('the tree of a member', () => {
  it('begins with the member and lists parents before their children', async () => {
    const nodes = z.array(treeNode).parse((await get('/api/tree/get-binary-tree/', ana)).json())
    expect(nodes).toHaveLength(14)
    expect(nodes[0]).toMatchObject({
      id: `O-${ana}`,
      parentId: '',
      username: 'ana',
      depth: 0,
      children_count: 12,
    })
    const seen = new Set<string>()
    for (const node of nodes) {
      if (node.parentId !== '') expect(seen.has(node.parentId)).toBe(true)
      seen.add(node.id)
    }
    expect(nodes.map(({ depth }) => depth)).toEqual(nodes.map(({ depth }) => depth).sort((a, b) => a - b))
    expect(nodes.at(-1)).toMatchObject({
      username: 'cleo',
      parentId: `O-${bea}`,
      depth: 2,
      children_count: 0,
    })
  })

  it('shows names of at most 22 characters and pictures by absolute address', async () => {
    const [, first] = z.array(treeNode).parse((await get('/api/tree/get-binary-tree/', ana)).json())
    expect(first?.name).toBe('Beatriz Alejandra del…')
    expect([...(first?.name ?? '')].length).toBeLessThanOrEqual(22)
    expect(first?.imageUrl).toMatch(/^http:\/\/localhost:3000\/api\/avatars\//)
  })

  it('never shows who stands above', async () => {
    const [top, ...rest] = z.array(treeNode).parse((await get('/api/tree/get-binary-tree/', bea)).json())
    expect(top?.parentId).toBe('')
    expect(rest.map(({ username }) => username)).toEqual(['cleo'])
  })
})
