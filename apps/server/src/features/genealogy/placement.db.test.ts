import { inTransaction } from '@aval/db'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { query, queryOne } from '../../core/query.sql.ts'
import { createTestServer, join, signedIn } from '../../testing/server.ts'
import { suiteFixture } from '../../testing/suite.ts'
import { countTeam } from './downline.queries.ts'
import { holdPlace } from './genealogy.commands.ts'
import { genealogyRoutes } from './genealogy.routes.ts'

const server = await suiteFixture(createTestServer, [genealogyRoutes])

interface Place {
  member_id: bigint
  parent_id: bigint | null
  leg: 'L' | 'R' | null
  left_chain: bigint
  right_chain: bigint
}

/** Checks every place and chain against the tree walked step by step. */
async function auditTree(): Promise<void> {
  const places = (await server.context.db.selectFrom('placement').selectAll().execute()) as Place[]
  const byId = new Map(places.map((place) => [place.member_id, place]))
  const children = new Map<string, bigint>()
  for (const { member_id, parent_id, leg } of places) {
    if (parent_id === null) continue
    expect(children.has(`${parent_id}${leg}`), 'two members in one place').toBe(false)
    children.set(`${parent_id}${leg}`, member_id)
  }
  expect(places.filter(({ parent_id }) => parent_id === null)).toHaveLength(1)
  for (const place of places) {
    for (const side of ['L', 'R'] as const) {
      let top = place
      while (top.leg === side && top.parent_id !== null) top = byId.get(top.parent_id) ?? top
      expect(side === 'L' ? place.left_chain : place.right_chain).toBe(top.member_id)
    }
  }
  const chains = await server.context.db.selectFrom('placement_chain').selectAll().execute()
  for (const { head_id, side, tail_id } of chains) {
    let end = head_id
    for (let next = children.get(`${end}${side}`); next !== undefined; next = children.get(`${end}${side}`))
      end = next
    expect(tail_id).toBe(end)
  }
  const heads = new Set(places.flatMap((place) => [`${place.left_chain}L`, `${place.right_chain}R`]))
  expect(new Set(chains.map(({ head_id, side }) => `${head_id}${side}`))).toEqual(heads)
}

async function auditCounts(): Promise<void> {
  const rows = await query(server.context.db)`
    SELECT p.member_id FROM placement p
    WHERE p.left_referrals + p.right_referrals <> (SELECT count(*) FROM sponsorship s WHERE s.sponsor_id = p.member_id)
      OR abs(p.left_referrals - p.right_referrals) > 1`
  expect(rows).toEqual([])
}

describe('two hundred registrations at once under three sponsors', () => {
  it('each get a place of their own, and the trees are what walking makes them', async () => {
    const sponsors = [server.rootId, await join(server), await join(server)]
    const ids = await Promise.all(
      Array.from({ length: 200 }, (_, index) => join(server, {}, sponsors[index % 3])),
    )
    expect(new Set(ids).size).toBe(200)
    await auditTree()
    await auditCounts()
    expect(await countTeam(server.context.db, server.rootId)).toEqual({ direct: 69, indirect: 133 })
  })
})

describe('the side that a member sets for the next registrations', () => {
  const client = async (memberId: bigint) => signedIn(server, memberId)
  const placeOf = (memberId: bigint) =>
    server.context.db
      .selectFrom('placement')
      .select(['parent_id', 'leg'])
      .where('member_id', '=', memberId)
      .executeTakeFirstOrThrow()

  it('is the one with fewer own referrals at first, and then what was set: left, right, weaker', async () => {
    const ana = await join(server)
    const calls = await client(ana)
    const side = async () => (await calls.get('tree/placement-side/')).json()
    const set = async (to: string) => (await calls.post('tree/placement-side/', { side: to })).json()
    expect(await side()).toEqual({ side: 'weaker' })
    expect(await set('right')).toEqual({ message: 'Saved: your next registrations will go to the right.' })
    expect(await side()).toEqual({ side: 'right' })
    const first = await join(server, {}, ana)
    const second = await join(server, {}, ana)
    expect(await placeOf(first)).toEqual({ parent_id: ana, leg: 'R' })
    expect(await placeOf(second)).toEqual({ parent_id: first, leg: 'R' })
    await set('left')
    const third = await join(server, {}, ana)
    const fourth = await join(server, {}, ana)
    const fifth = await join(server, {}, ana)
    expect(await placeOf(third)).toEqual({ parent_id: ana, leg: 'L' })
    expect(await placeOf(fifth)).toEqual({ parent_id: fourth, leg: 'L' })
    await set('weaker')
    expect(await placeOf(await join(server, {}, ana))).toEqual({ parent_id: second, leg: 'R' })
  })

  it('is refused where it is no side, in the member’s language, and stays as it was', async () => {
    const calls = await client(await join(server))
    for (const side of ['L', '', null, 7, undefined])
      expect(await calls.post('tree/placement-side/', { side })).toAnswer(400)
    const spanish = await calls.post('tree/placement-side/', { side: 'up' }, { 'accept-language': 'es' })
    expect(spanish.json()).toMatch(/^[A-ZÁÉÍÓÚ].+\.$/)
    expect((await calls.get('tree/placement-side/')).json()).toEqual({ side: 'weaker' })
  })

  it('is set after a registration under way, whose place is held, and before the next one', async () => {
    const { db } = server.context
    const ana = await join(server)
    const calls = await client(ana)
    let setting: Promise<{ readonly statusCode: number }> | null = null
    const held = await inTransaction(db, async (tx) => {
      const place = await holdPlace(tx, ana)
      setting = calls.post('tree/placement-side/', { side: 'right' })
      const isWaiting = async () => {
        // The owner sees what sessions of other roles wait for.
        const rows = await query<{ waits: boolean }>(
          server.owner.db,
        )`SELECT EXISTS (SELECT FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock' AND query ILIKE 'update "placement"%') AS waits`
        return rows[0]?.waits === true
      }
      await expect.poll(isWaiting).toBe(true)
      return place
    })
    expect(await setting).toMatchObject({ statusCode: 200 })
    expect(held.side).toBe('L')
    expect(await placeOf(await join(server, {}, ana))).toEqual({ parent_id: ana, leg: 'R' })
  })

  it('may change while many register: each has a place of its own', async () => {
    const ana = await join(server)
    const calls = await client(ana)
    const sides = ['left', 'right', 'weaker']
    await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        index % 3 === 0
          ? calls.post('tree/placement-side/', { side: sides[(index / 3) % 3] })
          : join(server, {}, ana),
      ),
    )
    await auditTree()
  })
})

describe('a chain three thousand deep', () => {
  /** Rows of the sponsor's line, as that many registrations on one side would have written them. */
  async function layChain(length: number): Promise<{ top: bigint; end: bigint }> {
    const { db } = server.context
    const top = await join(server)
    await query(db)`UPDATE placement SET preference = 'left' WHERE member_id = ${top}`
    const { head, depth, tail } = await queryOne<{ head: bigint; depth: number; tail: bigint }>(db)`
      SELECT p.left_chain AS head, s.depth, c.tail_id AS tail FROM placement p JOIN sponsorship s USING (member_id)
      JOIN placement_chain c ON c.head_id = p.left_chain AND c.side = 'L' WHERE p.member_id = ${top}`
    const first = 1_000_000n
    const end = first + BigInt(length) - 1n
    const added = sql`generate_series(${first}::bigint, ${end}::bigint) AS id`
    await query(db)`INSERT INTO sponsorship (member_id, sponsor_id, depth)
      SELECT id, CASE id WHEN ${first} THEN ${top} ELSE id - 1 END, ${depth}::int + 1 + id - ${first} FROM ${added}`
    await query(db)`INSERT INTO placement (member_id, parent_id, leg, left_chain, right_chain)
      SELECT id, CASE id WHEN ${first} THEN ${tail} ELSE id - 1 END, 'L', ${head}, id FROM ${added}`
    await query(db)`INSERT INTO placement_chain (head_id, side, tail_id) SELECT id, 'R', id FROM ${added}`
    await query(db)`UPDATE placement_chain SET tail_id = ${end} WHERE head_id = ${head} AND side = 'L'`
    return { top, end }
  }

  /** How many statements one registration sends. */
  async function statementsOf(sponsorId: bigint): Promise<number> {
    let statements = 0
    const { pool } = server.connection
    const counting = (client: { query: unknown }) => {
      const original = client.query as (...all: unknown[]) => unknown
      client.query = (...all: unknown[]) => {
        statements += 1
        return original.apply(client, all)
      }
      pool.once('release', () => {
        client.query = original
      })
    }
    pool.once('acquire', counting)
    await join(server, {}, sponsorId)
    return statements
  }

  it('takes a new member with as many statements as the first, from its top and from its end', async () => {
    const shallow = await statementsOf(server.rootId)
    expect(shallow).toBeLessThanOrEqual(8)
    const { top, end } = await layChain(3000)
    expect(await statementsOf(top)).toBe(shallow)
    const placed = await server.context.db
      .selectFrom('placement')
      .select(['parent_id', 'leg'])
      .orderBy('member_id', 'desc')
      .where('member_id', '<', 1_000_000n)
      .executeTakeFirstOrThrow()
    expect(placed).toEqual({ parent_id: end, leg: 'L' })
    expect(await statementsOf(end)).toBe(shallow)
    await auditTree()
  })
})
