/** Why what went into a day's match is not what it was. */
import type { Db } from '@aval/db'
import { formatMicro, micro } from '@aval/money'
import { planOfVersion } from '../../plan-versions/plan-versions.queries.ts'
import { type ComputedMatch, matchSpan } from '../calculate/calculate.queries.ts'
import { readCarry, readPlacements, readPrincipals, selectNetworkSize } from '../calculate/network.sql.ts'
import { BLOCK } from '../runs/runs.rules.ts'
import type { Run } from '../runs/runs.sql.ts'
import { eachItems, selectCarryBlocks, selectCarryItems, selectPageItems } from './replay.sql.ts'
import { type LegChanges, ownChanges } from './replay-legs.rules.ts'
import { firstOf, planReason, type Reasons } from './replay-reasons.commands.ts'
import {
  selectBrokenCarries,
  selectDayAt,
  selectMiscounted,
  selectMovedBy,
  selectOtherSponsors,
  selectUnchained,
} from './replay-reasons.sql.ts'

const MOST_TOLD = 20

const amount = (points: bigint) => formatMicro(micro(points))
const more = (points: bigint) => (points > 0n ? `${amount(points)} more` : `${amount(-points)} less`)

/** What was matched and carried out, recomputed, less the same as it was sealed. */
async function legChanges(db: Db, run: Run, match: ComputedMatch): Promise<LegChanges> {
  const changes = { left: match.carry.left.slice(), right: match.carry.right.slice() }
  const add = (id: number, left: bigint, right: bigint) => {
    changes.left[id] = (changes.left[id] ?? 0n) + left
    changes.right[id] = (changes.right[id] ?? 0n) + right
  }
  for (const { memberId, basis } of match.items) add(Number(memberId), basis, basis)
  for await (const items of eachItems(db, run.id))
    for (const { memberId, basis } of items) add(Number(memberId), -basis, -basis)
  // A block that the day did not change is carried on as it came in.
  const sealed = await readCarry(db, await selectNetworkSize(db), run.period)
  for (const block of await selectCarryBlocks(db, run.id)) {
    for (const { memberId, left, right } of await selectCarryItems(db, run.id, block)) {
      sealed.left[Number(memberId)] = left
      sealed.right[Number(memberId)] = right
    }
  }
  for (const [id, left] of sealed.left.entries()) add(id, -left, -(sealed.right[id] ?? 0n))
  return changes
}

async function movementReasons(db: Db, run: Run, match: ComputedMatch): Promise<string[]> {
  const places = await readPlacements(db, await selectNetworkSize(db))
  const { plan } = await planOfVersion(db, run.plan_version)
  const span = await matchSpan(db, run, plan.timeZone)
  const changed = ownChanges(places, await legChanges(db, run, match))
  const told: string[] = []
  for (const { id, points } of changed.slice(0, MOST_TOLD)) {
    const moved = await selectMovedBy(db, BigInt(id), span.from, span.until)
    const list = moved.map((row) => `investment ${row.id} at ${amount(row.amount)}`).join(', ')
    told.push(
      `member ${id} gave ${more(points)} points than was sealed; there is ${list === '' ? 'none' : list}`,
    )
  }
  if (changed.length > MOST_TOLD) told.push(`and ${changed.length - MOST_TOLD} more`)
  return firstOf(told, 'what was invested and taken back that day is not what it was; no leg tells by whom')
}

async function carryReasons(db: Db, run: Run, match: ComputedMatch, alone: boolean): Promise<string[]> {
  const told = (await selectBrokenCarries(db, run.period)).map(
    ({ id, period }) => `run ${id} of ${period} carried out what it had not sealed`,
  )
  if (alone) {
    const { left, right } = await legChanges(db, run, match)
    for (const [id, points] of left.entries()) {
      if (points !== 0n)
        told.push(`member ${id} begins with ${more(points)} points on the left than was sealed`)
      const other = right[id] ?? 0n
      if (other !== 0n)
        told.push(`member ${id} begins with ${more(other)} points on the right than was sealed`)
    }
  }
  return firstOf(told, 'what the day begins with is not what it was; no leg tells whose')
}

/** The passive run of the same midnight keeps what everybody's principal was. */
async function principalReasons(db: Db, run: Run): Promise<string[]> {
  const day = await selectDayAt(db, run.cutoff_at)
  if (day === undefined)
    return ['principals at the cutoff are not what they were; no passive run tells whose']
  const principals = await readPrincipals(db, await selectNetworkSize(db), { before: run.cutoff_at })
  const told: string[] = []
  for (let block = 0; block * BLOCK < principals.length || block < day.blocks; block += 1) {
    const items = new Map(
      (await selectPageItems(db, day.id, block)).map((item) => [Number(item.memberId), item.basis]),
    )
    for (let id = block * BLOCK; id < (block + 1) * BLOCK; id += 1) {
      const [was, is] = [items.get(id), principals[id] ?? 0n]
      // Who got nothing that day is on no page, whatever the principal.
      if (was !== undefined ? was !== is : is !== 0n && items.size > 0)
        told.push(
          `member ${id} had ${was === undefined ? 'none that earned' : amount(was)} by run ${day.id}, and has ${amount(is)}`,
        )
    }
  }
  return firstOf(told, 'principals at the cutoff are not what they were; no passive run tells whose')
}

async function placeReasons(db: Db): Promise<string[]> {
  const told = (await selectUnchained(db)).map(
    (id) => `member ${id} stands elsewhere than where it registered`,
  )
  for (const { member_id, sponsor_id, paid_id } of await selectOtherSponsors(db))
    told.push(`member ${member_id} was introduced by member ${paid_id}, and says member ${sponsor_id}`)
  for (const { member_id, counted, there } of await selectMiscounted(db))
    told.push(`member ${member_id} counted ${counted} referrals left and right, and has ${there}`)
  return firstOf(told, 'somebody stands, or was introduced, elsewhere than then; nothing beside it tells who')
}

export function matchReasons(db: Db, run: Run, match: ComputedMatch): Reasons {
  return async (section, differing) => {
    const alone = differing.every((name) => name === section || name === 'principals')
    switch (section) {
      case 'plan':
        return [planReason(run)]
      case 'movements':
        return alone
          ? movementReasons(db, run, match)
          : ['what was invested and taken back that day is not what it was']
      case 'carry':
        return carryReasons(db, run, match, alone)
      case 'principals':
        return principalReasons(db, run)
      default:
        return placeReasons(db)
    }
  }
}
