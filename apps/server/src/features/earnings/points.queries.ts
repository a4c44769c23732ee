/** The investments below a member, whose points the legs are made of; quick for a team of three and of a million. */
import type { Db } from '@aval/db'
import { balancesOf } from '../../ledger/ledger.queries.ts'
import {
  countInvestments,
  type StoredPoints,
  selectBelow,
  selectInvestmentIds,
  selectLegs,
  selectLegTotals,
  selectPoints,
} from './points.sql.ts'

/** Up to here a team is listed whole; above, so many invest in it that the newest are found by looking at the newest. */
const SMALL_TEAM = 2000
const WINDOW = 500
/** A hundred pages of a hundred in the sparsest of large teams; further back is refused rather than waited for. */
const MOST_WINDOWS = 1000

export interface PointsRow extends StoredPoints {
  readonly leg: 'L' | 'R'
  /** Its day has been matched. */
  readonly counted: boolean
}

interface Found {
  readonly ids: readonly { id: bigint; memberId: bigint }[]
  readonly legs: ReadonlyMap<bigint, 'L' | 'R'>
}

async function amongFew(
  db: Db,
  memberId: bigint,
  team: readonly bigint[],
  limit: number,
  offset: number,
): Promise<Found> {
  const ids = await selectInvestmentIds(db, team, null, limit, offset)
  const legs = await selectLegs(
    db,
    memberId,
    ids.map((row) => row.memberId),
  )
  return { ids, legs }
}

async function amongMany(db: Db, memberId: bigint, limit: number, offset: number): Promise<Found> {
  const ids: { id: bigint; memberId: bigint }[] = []
  const legs = new Map<bigint, 'L' | 'R'>()
  let before: bigint | null = null
  let passed = 0
  for (let windows = 0; windows < MOST_WINDOWS && ids.length < limit; windows += 1) {
    const window = await selectInvestmentIds(db, null, before, WINDOW, 0)
    const last = window.at(-1)
    if (last === undefined) break
    before = last.id
    const found = await selectLegs(db, memberId, [...new Set(window.map((row) => row.memberId))])
    for (const row of window) {
      const leg = found.get(row.memberId)
      if (leg === undefined) continue
      passed += 1
      if (passed <= offset || ids.length === limit) continue
      ids.push(row)
      legs.set(row.memberId, leg)
    }
  }
  return { ids, legs }
}

/** How many investments since the last matched day stand below the member. */
async function countSince(db: Db, memberId: bigint, until: Date | null): Promise<number> {
  let count = 0
  let before: bigint | null = null
  for (let windows = 0; windows < MOST_WINDOWS; windows += 1) {
    const window = await selectInvestmentIds(db, null, before, WINDOW, 0)
    const recent = window.filter((row) => until === null || row.creditedAt >= until)
    const legs = await selectLegs(
      db,
      memberId,
      recent.map((row) => row.memberId),
    )
    count += recent.filter((row) => legs.has(row.memberId)).length
    const last = window.at(-1)
    if (last === undefined || recent.length < window.length) return count
    before = last.id
  }
  return count
}

/** A page of the points that a member's legs were given, newest first. */
export async function pointsOf(
  db: Db,
  memberId: bigint,
  limit: number,
  offset: number,
): Promise<{ rows: PointsRow[]; count: number }> {
  const totals = await selectLegTotals(db, memberId)
  const team = await selectBelow(db, memberId, SMALL_TEAM + 1)
  const few = team.length <= SMALL_TEAM
  const count = few
    ? await countInvestments(db, team)
    : totals.events + (await countSince(db, memberId, totals.until))
  if (offset >= count) return { rows: [], count }
  const { ids, legs } = few
    ? await amongFew(db, memberId, team, limit, offset)
    : await amongMany(db, memberId, limit, offset)
  const rows = (await selectPoints(db, ids)).flatMap((row): PointsRow[] => {
    const leg = legs.get(row.member_id)
    const counted = totals.until !== null && row.credited_at < totals.until
    return leg === undefined ? [] : [{ ...row, leg, counted }]
  })
  return { rows, count }
}

/** The points on a member's legs, and what the member lacks to earn by them. */
export async function legsOf(db: Db, memberId: bigint) {
  const [legs, balances] = await Promise.all([selectLegTotals(db, memberId), balancesOf(db, memberId)])
  const lacking = [
    ...(balances.principal > 0n ? [] : (['investment'] as const)),
    ...(legs.active_left ? [] : (['active_left'] as const)),
    ...(legs.active_right ? [] : (['active_right'] as const)),
  ]
  return { ...legs, lacking }
}

export type Legs = Awaited<ReturnType<typeof legsOf>>
