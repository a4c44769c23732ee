/** Every quick answer about a downline against the same by walking, on random trees that grow while they are numbered. */
import { describe, expect, it } from 'vitest'
import { dice } from '../../core/dice.ts'
import { atOneMoment, queryOne } from '../../core/query.sql.ts'
import { createMoneyFixture } from '../../testing/money-fixture.ts'
import { suiteFixture } from '../../testing/suite.ts'
import { countTeam, findBelow, standingOf, waysDown } from './downline.queries.ts'
import { numberTrees, numberWhenDue } from './numbering.commands.ts'
import type { Tree } from './numbering.sql.ts'
import { readMember } from './tree.queries.ts'

type Roll = ReturnType<typeof dice>

const money = await suiteFixture(createMoneyFixture, '2026-06-01T12:00:00Z')
const { db } = money.server.context
/** The generation in force. */
const generation = () => db.selectFrom('downline_generation').selectAll().executeTakeFirstOrThrow()

type Above = ReadonlyMap<bigint, bigint | null>

function wayIn(above: Above, id: bigint): bigint[] {
  const way: bigint[] = []
  for (let here: bigint | null = id; here !== null; here = above.get(here) ?? null) way.push(here)
  return way.reverse()
}

/** The trees walked link by link, with which every quicker answer is compared. */
async function walkTrees() {
  const links = await db.selectFrom('sponsorship').select(['member_id', 'sponsor_id']).execute()
  const places = await db.selectFrom('placement').select(['member_id', 'parent_id', 'leg']).execute()
  const balances = await db.selectFrom('member_balance').select(['member_id', 'principal']).execute()
  const above = {
    unilevel: new Map(links.map((row) => [row.member_id, row.sponsor_id])),
    binary: new Map(places.map((row) => [row.member_id, row.parent_id])),
  }
  const principal = new Map(balances.map((row) => [row.member_id, row.principal]))
  const ids = links.map((row) => row.member_id).sort((a, b) => (a < b ? -1 : 1))
  const ways = {
    unilevel: new Map(ids.map((id) => [id, wayIn(above.unilevel, id)])),
    binary: new Map(ids.map((id) => [id, wayIn(above.binary, id)])),
  }
  /** From the first member of all down to this one. */
  const way = (tree: Tree, id: bigint) => ways[tree].get(id) ?? []
  /** Without the member. */
  const below = (tree: Tree, id: bigint) =>
    ids.filter((other) => other !== id && way(tree, other).includes(id))
  return {
    ids,
    principal,
    way,
    below,
    direct: (id: bigint) => links.filter((row) => row.sponsor_id === id).length,
    volume: (tree: Tree, id: bigint) =>
      below(tree, id).reduce((sum, other) => sum + (principal.get(other) ?? 0n), 0n),
    leg: (id: bigint, side: 'L' | 'R') =>
      places.find((row) => row.parent_id === id && row.leg === side)?.member_id ?? null,
  }
}

const PREFERENCES = ['left', 'right', 'weaker']

/** Grows by `count`; `sponsorOf` chooses among those who are there. */
async function grow(count: number, roll: Roll, sponsorOf: (ids: bigint[]) => bigint | undefined) {
  const rows = await db.selectFrom('sponsorship').select('member_id').orderBy('member_id').execute()
  const ids = rows.map((row) => row.member_id)
  for (let index = 0; index < count; index += 1) {
    const id = await money.member(sponsorOf(ids))
    ids.push(id)
    const preference = PREFERENCES[roll(3)] ?? 'weaker'
    await db.updateTable('placement').set({ preference }).where('member_id', '=', id).execute()
  }
}

/** Compares every answer about every member; of pairs, some. */
async function compare(roll: Roll): Promise<void> {
  const walked = await walkTrees()
  const anybody = () => walked.ids[roll(walked.ids.length)] ?? 1n
  for (const id of walked.ids) {
    const direct = walked.direct(id)
    const team = walked.below('unilevel', id).length
    expect(await countTeam(db, id), `team of ${id}`).toEqual({ direct, indirect: team - direct })
  }
  for (let pair = 0; pair < 40; pair += 1) {
    const [top, other] = [anybody(), anybody()]
    for (const tree of ['unilevel', 'binary'] as const) {
      const way = walked.way(tree, other)
      const inside = way.includes(top)
      await atOneMoment(db, async (tx) => {
        const caller = await standingOf(tx, tree, top)
        const found = await findBelow(tx, tree, caller, other)
        expect(found !== null, `${other} below ${top} in ${tree}`).toBe(inside)
        if (!inside) return
        const expected = way.slice(way.indexOf(top))
        for (const ends of [2, 100]) {
          const shown = (await waysDown(tx, tree, caller, [other], ends)).get(other)
          const cut = expected.length > 2 * ends
          expect(shown?.ids).toEqual(cut ? [...expected.slice(0, ends), ...expected.slice(-ends)] : expected)
          expect(shown?.skipped).toBe(Math.max(0, expected.length - 2 * ends))
        }
      })
    }
  }
}

async function compareSheets(roll: Roll): Promise<void> {
  const walked = await walkTrees()
  for (let count = 0; count < 15; count += 1) {
    const id = walked.ids[roll(walked.ids.length)] ?? 1n
    const sheet = await readMember(db, money.server.rootId, `O-${id}`)
    const side = (leg: 'L' | 'R') => {
      const child = walked.leg(id, leg)
      return child === null ? 0n : walked.volume('binary', child) + (walked.principal.get(child) ?? 0n)
    }
    expect(sheet).toMatchObject({
      level: walked.way('unilevel', id).length - 1,
      direct: walked.direct(id),
      team: walked.below('unilevel', id).length,
      volume: walked.volume('unilevel', id),
      left: side('L'),
      right: side('R'),
    })
  }
}

describe('a downline', () => {
  const shapes: [string, (roll: Roll) => (ids: bigint[]) => bigint | undefined][] = [
    ['grown by chance', (roll) => (ids) => ids[roll(ids.length)]],
    ['a chain', () => (ids) => ids.at(-1)],
    ['a star', () => (ids) => ids[0]],
  ]
  it.each(shapes)(
    '%s is the same by numbers as by walking, before, between and while it is numbered',
    async (_name, sponsorFor) => {
      const roll = dice(20_260_601)
      const more = (count: number) => grow(count, roll, sponsorFor(roll))
      await more(14)
      await compare(roll)
      await numberTrees(db, new Date())
      await compare(roll)
      await more(9)
      await compare(roll)
      // Some join after the trees were read, some after the numbering was written, some while it comes into force.
      let late: Promise<unknown> = Promise.resolve()
      await numberTrees(db, new Date(), {
        read: () => more(5),
        written: async () => {
          await more(5)
          late = Promise.all(Array.from({ length: 5 }, () => money.member()))
        },
      })
      await late
      await compare(roll)
      await more(3)
      await compare(roll)
    },
  )

  it('has the volumes that its members have invested, also since they were summed', async () => {
    const roll = dice(7)
    const ids = (await walkTrees()).ids
    const invest = async () => {
      for (let count = 0; count < 8; count += 1) {
        const id = ids[roll(ids.length)] ?? 1n
        await money.invest(id, String(500 + 250 * roll(8)))
      }
    }
    await invest()
    await compareSheets(roll)
    await numberTrees(db, new Date())
    await compareSheets(roll)
    await invest()
    await money.invest(await money.member(ids.at(-1)), '500')
    await compareSheets(roll)
  })
})

describe('a numbering', () => {
  it('of two at once comes into force once, and nobody is lost', async () => {
    const before = await generation()
    await grow(3, dice(1), (ids) => ids[0])
    const done = await Promise.all([numberTrees(db, new Date()), numberTrees(db, new Date())])
    expect(done.filter((count) => count === null).length).toBeLessThanOrEqual(1)
    const after = await generation()
    expect(after.generation - before.generation).toBe(done.filter((count) => count !== null).length)
    await compare(dice(2))
  })

  it('that fails half way leaves everything as it was', async () => {
    await grow(3, dice(3), (ids) => ids[1])
    const before = await generation()
    const broken = numberTrees(db, new Date(), { written: () => Promise.reject(new Error('killed')) })
    await expect(broken).rejects.toThrow('killed')
    expect(await generation()).toEqual(before)
    await compare(dice(4))
  })

  it('gives everybody a number or notes them as new, and keeps one generation', async () => {
    await numberTrees(db, new Date())
    await grow(2, dice(5), (ids) => ids[0])
    const counts = await queryOne<Record<'members' | 'numbered' | 'recent' | 'generations', number>>(db)`
      SELECT (SELECT count(*)::int FROM sponsorship) AS members, (SELECT members FROM downline_generation) AS numbered,
        (SELECT count(*)::int FROM downline_recent) AS recent, (SELECT count(DISTINCT generation)::int FROM downline) AS generations`
    expect(counts.members).toBe(counts.numbered + counts.recent)
    expect(counts).toMatchObject({ recent: 2, generations: 1 })
  })

  it('is made when it is due, and not again at once', async () => {
    expect(await numberWhenDue(db, new Date())).toBeNull()
    const tomorrow = new Date(Date.now() + 86_500_000)
    expect(await numberWhenDue(db, tomorrow)).toBeGreaterThan(100)
    expect(await numberWhenDue(db, tomorrow)).toBeNull()
  })
})
