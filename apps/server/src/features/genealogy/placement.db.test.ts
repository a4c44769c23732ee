import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { query, queryOne } from '../../core/query.sql.ts'
import { createTestServer, join } from '../../testing/server.ts'
import { suiteFixture } from '../../testing/suite.ts'
import { countTeam } from './downline.queries.ts'

const server = await suiteFixture(createTestServer, [])

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
