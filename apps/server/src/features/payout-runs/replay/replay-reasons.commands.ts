/** Why what went into a run is not what it was: as precisely as what was written beside it can tell. */
import type { Db } from '@aval/db'
import { formatMicro, micro } from '@aval/money'
import { type Computed, rateText, type Terms } from '../calculate/calculate.queries.ts'
import type { Item, Missed } from '../calculate/engine.rules.ts'
import type { Run } from '../runs/runs.sql.ts'
import type { Differences } from './replay.rules.ts'
import { eachItems, eachMissed } from './replay.sql.ts'
import { tellChains } from './replay-chains.rules.ts'
import { selectChangedInvestments } from './replay-reasons.sql.ts'

/** Sentences on a section whose hash differs; `differing` names all of those. */
export type Reasons = (section: string, differing: readonly string[]) => Promise<string[]>

const MOST_TOLD = 20

/** The first of some sentences, and how many more there are; another where there is none. */
export function firstOf(sentences: readonly string[], otherwise: string): string[] {
  if (sentences.length === 0) return [otherwise]
  const more = sentences.length - MOST_TOLD
  return [...sentences.slice(0, MOST_TOLD), ...(more > 0 ? [`and ${more} more`] : [])]
}

export const planReason = (run: Run): string =>
  `version ${run.plan_version} says something else than when the run was computed`

function rateReason(run: Run, terms: Terms): string {
  const now = rateText(terms.rate)
  if (run.declared_id !== null && terms.source === 'plan')
    return `declaration ${run.declared_id} is gone; sealed at ${run.rate}, the plan says ${now}`
  const source =
    terms.source === 'declared' ? `declaration ${run.declared_id}` : `plan version ${run.plan_version}`
  return `sealed at ${run.rate}, ${source} now says ${now}`
}

/** Of a day of passive profit: whose principal is another shows in the pages, which keep it. */
export function dayReasons(run: Run, terms: Terms, found: Differences): Reasons {
  return async (section) => {
    if (section === 'plan') return [planReason(run)]
    if (section === 'rate') return [rateReason(run, terms)]
    const members = new Set(
      found.first.flatMap(({ memberId, of, field, sealed, recomputed }) =>
        of === 'item' && memberId !== null && (field !== 'amount' || sealed === null || recomputed === null)
          ? [memberId]
          : [],
      ),
    )
    if (members.size === 0) return ['the pages hold what is recomputed; what was recorded of them is another']
    const others = found.count > found.first.length ? ' and more' : ''
    return [
      `another principal at the cutoff, or profit before it, of member ${[...members].join(', ')}${others}`,
    ]
  }
}

async function gathered<Row>(parts: AsyncIterable<readonly Row[]>): Promise<Row[]> {
  const all: Row[] = []
  for await (const rows of parts) all.push(...rows)
  return all
}

async function investmentReasons(db: Db, run: Run): Promise<string[]> {
  const changed = await selectChangedInvestments(db, run.id)
  const told = changed.map(({ id, member_id, basis, amount }) => {
    const was = `investment ${id} of member ${member_id}`
    const then = formatMicro(micro(basis))
    return amount === null
      ? `${was}, sealed at ${then}, is gone`
      : `${was} was sealed at ${then}, and says ${formatMicro(micro(amount))}`
  })
  return firstOf(
    told,
    `those numbered ${run.first_investment} to ${run.last_investment} are not what they were; no sealed item tells which`,
  )
}

/** Of commissions: items tell the investment that they were computed from, and the steps of its chain. */
export function directReasons(db: Db, run: Run, computed: Computed): Reasons {
  return async (section) => {
    if (section === 'plan') return [planReason(run)]
    if (section === 'investments') return investmentReasons(db, run)
    const items = await gathered<Item>(eachItems(db, run.id))
    const missed = await gathered<Missed>(eachMissed(db, run.id))
    return firstOf(
      tellChains({ items, missed }, computed),
      'a chain is not what it was, with the same commissions; no sealed item tells which',
    )
  }
}
