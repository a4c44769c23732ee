/** Three ways to find the same members: one by one, two crowds side by side, and candidate after candidate. */
import { inTransaction } from '@aval/db'
import { describe, expect, it } from 'vitest'
import { query } from '../../core/query.sql.ts'
import { createMoneyFixture } from '../../testing/money-fixture.ts'
import { suiteFixture } from '../../testing/suite.ts'
import { standingOf } from './downline.queries.ts'
import { numberTrees } from './numbering.commands.ts'
import { inRounds, type Round } from './search.queries.ts'
import { selectCandidates, selectHasMore, selectInBoth, selectInInterval } from './search.sql.ts'

const MEMBERS = 60
const NAMES = [
  ['Ana María', 'Peña Gil'],
  ['Anaïs', 'Gil'],
  ['Mariana', 'Peñalosa'],
  ['María de', 'los Ángeles Rey'],
  ['Gil', 'Anaya'],
  ['María de los Ángeles', 'del Carmen O’Brien Gómez'],
  ['علی\u200cرضا', 'X'],
]
const WORDS = [
  ['ana'],
  ['gil'],
  ['m'],
  ['pena', 'ana'],
  ['gil', 'ana'],
  ['los', 'maria'],
  ['ana', 'zzz'],
  ['gomez'],
  ['carmen'],
  ['obrien'],
  ['gomez', 'maria'],
  ['علیرضا'],
  ['x'],
  ['maria', 'de', 'los', 'angeles', 'del', 'carmen', 'obrien', 'gomez'],
  ['zzz'],
]
const MANY = 1_000

const money = await suiteFixture(createMoneyFixture, '2026-06-20T12:00:00Z')
const members: bigint[] = []

const { db } = money.server.context
for (let index = 0; index < MEMBERS; index += 1) {
  if (index === MEMBERS - 5) await numberTrees(db, new Date())
  const sponsor = members[Math.floor(index / 3)] ?? money.server.rootId
  const id = await money.member(sponsor)
  const [first, last] = NAMES[index % NAMES.length] ?? []
  await query(db)`UPDATE member SET first_name = ${first}, last_name = ${last} WHERE id = ${id}`
  members.push(id)
}

const sorted = (ids: Iterable<bigint>) => [...new Set(ids)].sort((one, other) => Number(one - other))

it.each(['unilevel', 'binary'] as const)(
  'all find the same below everybody who has a number, in the %s tree',
  async (tree) => {
    await inTransaction(money.server.context.db, async (tx) => {
      let found = 0
      const finding = new Set<string>()
      for (const member of members.slice(0, 20)) {
        const { generation, at, size } = await standingOf(tx, tree, member)
        if (at === null || size === null) continue
        const interval = { generation, from: at, to: at + size - 1 }
        for (const words of WORDS) {
          const wanted = { words, key: words[0] ?? '', topId: member, most: MANY, limit: MANY }
          const one = sorted(await selectInInterval(tx, tree, interval, words, MANY))
          expect(sorted(await selectInBoth(tx, tree, interval, wanted)), words.join(' ')).toEqual(one)
          for (const others of ['looked at', 'from the index'] as const) {
            const candidates = await selectCandidates(tx, tree, interval, wanted, others)
            expect(sorted(candidates), `${words.join(' ')}, ${others}`).toEqual(one)
          }
          found += one.length
          if (one.length > 0) finding.add(words.join(' '))
        }
      }
      expect(found).toBeGreaterThan(100)
      expect(WORDS.map((words) => words.join(' ')).filter((words) => !finding.has(words))).toEqual([
        'ana zzz',
        'zzz',
      ])
    })
  },
)

it('stops at as many as are wanted, and knows whether an index has more', async () => {
  await inTransaction(money.server.context.db, async (tx) => {
    const { generation, at, size } = await standingOf(tx, 'unilevel', money.server.rootId)
    const interval = { generation, from: at ?? 0, to: (at ?? 0) + (size ?? 0) - 1 }
    const topId = money.server.rootId
    const wanted = { words: ['gil'], key: 'gil', topId, most: MANY, limit: 3 }
    expect(await selectInBoth(tx, 'unilevel', interval, wanted)).toHaveLength(3)
    expect(await selectCandidates(tx, 'unilevel', interval, wanted, 'looked at')).toHaveLength(3)
    expect(await selectHasMore(tx, wanted, 5)).toBe(true)
    expect(await selectHasMore(tx, wanted, MANY)).toBe(false)
  })
})

it('finds the numbers of those who are called alike in the indexes alone', async () => {
  await inTransaction(money.server.context.db, async (tx) => {
    // Of so few members the whole table is read, once they are counted.
    await query(tx)`SET LOCAL enable_seqscan = off`
    const later = await query<{ 'QUERY PLAN': string }>(tx)`EXPLAIN SELECT id FROM member
      WHERE folded_later_words(first_name || ' ' || last_name) <> '' AND folded_later_words(first_name || ' ' || last_name) @@ '''gom'':*'::tsquery LIMIT 5`
    expect(later.map((row) => row['QUERY PLAN']).join('\n')).toContain('member_by_later_words')
    await query(tx)`SET LOCAL enable_bitmapscan = off`
    const rows = await query<{ 'QUERY PLAN': string }>(tx)`EXPLAIN SELECT id FROM member
      WHERE folded_word(first_name || ' ' || last_name, 2) COLLATE "C" >= 'gil' AND folded_word(first_name || ' ' || last_name, 2) COLLATE "C" < 'gim'
      ORDER BY folded_word(first_name || ' ' || last_name, 2) COLLATE "C" LIMIT 5`
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    expect(plan).toContain('Index Only Scan using member_by_second_word')
  })
})

const round = (most: number, times: number): Round => ({ most, times, others: 'looked at' })

/** An index with these entries: what the rounds find in it, and how many rounds there were. */
async function lookedUp(rounds: readonly Round[], index: readonly bigint[], limit: number) {
  let count = 0
  const select = async ({ most }: Round, wanted: number) => {
    count += 1
    return index.slice(0, most).slice(0, wanted)
  }
  const { ids, more } = await inRounds(rounds, limit, select, async (most) => index.length > most)
  return { ids: ids.map(Number), more, rounds: count }
}

describe('a search in rounds', () => {
  const FEW_THEN_MANY = [round(4, 1), round(20, 3)]

  it('ends with the first that finds enough', async () => {
    const found = await lookedUp(FEW_THEN_MANY, [1n, 2n, 3n, 4n, 5n], 2)
    expect(found).toEqual({ ids: [1, 2, 3], more: true, rounds: 1 })
  })

  it('goes on where members were found twice, and lists each once', async () => {
    const found = await lookedUp(FEW_THEN_MANY, [1n, 1n, 1n, 2n, 2n, 3n], 2)
    expect(found).toEqual({ ids: [1, 2, 3], more: true, rounds: 2 })
    const few = await lookedUp([round(9, 1), round(9, 3)], [1n, 1n, 1n, 2n], 2)
    expect(few).toEqual({ ids: [1, 2], more: false, rounds: 2 })
  })

  it('says that there is nobody else where the index has no more, and ends', async () => {
    expect(await lookedUp(FEW_THEN_MANY, [1n, 2n], 2)).toEqual({ ids: [1, 2], more: false, rounds: 1 })
    expect(await lookedUp(FEW_THEN_MANY, [], 2)).toEqual({ ids: [], more: false, rounds: 1 })
  })

  it('says that there may be others where the index goes on behind the last round, without a round in vain', async () => {
    const long = Array.from({ length: 30 }, () => 7n)
    expect(await lookedUp([round(3, 2), round(3, 5)], long, 2)).toEqual({ ids: [7], more: true, rounds: 1 })
  })
})
