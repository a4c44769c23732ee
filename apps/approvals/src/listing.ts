/** The list as it travels, made at most once a second however many operators look at it. */
import { createHash } from 'node:crypto'
import { WITHDRAWAL_DUE_SOON_HOURS, withdrawalDue } from '@aval/contract/deadlines'
import type { Database } from '@aval/db'
import { selectDecisions } from './decisions.sql.ts'
import { type ListedRow, selectClockAhead, selectList, selectOperators, selectStopped } from './list.sql.ts'

/** For so long an answer is given again. */
const FRESH_MS = 1_000

export interface Listing {
  readonly body: string
  /** Differs where anything in it does. */
  readonly tag: string
}

const HOUR_MS = 3_600_000

/** By when it is to have arrived, and from when on that is soon; null for a frozen account. The page reckons with these. */
function withDeadline(row: ListedRow) {
  if (row.frozen) return { ...row, due_at: null, soon_at: null }
  const { at } = withdrawalDue(row.requested_at, row.requested_at)
  return { ...row, due_at: at, soon_at: new Date(at.getTime() - WITHDRAWAL_DUE_SOON_HOURS * HOUR_MS) }
}

async function readListing(db: Database): Promise<Listing> {
  const [rows, decisions, operators, stopped, clock_ahead] = await Promise.all([
    selectList(db),
    selectDecisions(db),
    selectOperators(db),
    selectStopped(db),
    selectClockAhead(db),
  ])
  const body = JSON.stringify({ stopped, clock_ahead, operators, rows: rows.map(withDeadline), decisions })
  return { body, tag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"` }
}

/** @param now milliseconds, of any clock that goes forward */
export function createListing(db: Database, now: () => number): () => Promise<Listing> {
  let kept: { at: number; listing: Promise<Listing> } | null = null
  return async () => {
    if (kept === null || now() - kept.at >= FRESH_MS) kept = { at: now(), listing: readListing(db) }
    const asked = kept
    try {
      return await asked.listing
    } catch (error) {
      if (kept === asked) kept = null
      throw error
    }
  }
}
