/** The trail as operators read it. */
import { type AuditEntry, type AuditFilter, type Locale, REFUSALS, type RefusalCode } from '@aval/contract'
import type { Db } from '@aval/db'
import { readId } from '../../core/ids.ts'
import { MESSAGES } from '../../core/messages.ts'
import { findByUsername } from '../identity/members/members.queries.ts'
import { countTrail, selectActions, selectTrail, type TrailEntry, type Wanted } from './list.sql.ts'

export type { TrailEntry }

const PAGE = 50

/** What is asked for, found in the database; null where nothing can be meant by it. */
async function wantedOf(db: Db, filter: AuditFilter, zone: string): Promise<Wanted | null> {
  const { who, action, subject, outcome, from, to } = filter
  const actorId =
    who === undefined ? undefined : who === '-' ? null : (readId(who) ?? (await findByUsername(db, who)))
  if (who !== undefined && who !== '-' && actorId === null) return null
  const actions =
    action === undefined
      ? undefined
      : action.includes('.')
        ? [action]
        : (await selectActions(db)).filter((each) => each.startsWith(`${action}.`))
  return {
    zone,
    ...(actorId === undefined ? {} : { actorId }),
    ...(actions === undefined ? {} : { actions }),
    ...(subject === undefined ? {} : { subject }),
    ...(outcome === undefined ? {} : { outcome }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  }
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** The sentence of a refusal; what it mentions is not kept. */
function refusalIn(locale: Locale, code: unknown): string | null {
  if (typeof code !== 'string' || !Object.hasOwn(REFUSALS, code)) return null
  return MESSAGES[locale][code as RefusalCode].replace(/\{\{.*?\}\}/g, '…')
}

function presentEntry(row: TrailEntry, locale: Locale): AuditEntry {
  const [noun = '', ...rest] = row.subject.split(':')
  const { signed_in_at: at, signed_in: with_ } = row
  return {
    id: Number(row.id),
    at: row.at.toISOString(),
    actor: row.actor_id === null ? null : { id: Number(row.actor_id), username: row.actor ?? '' },
    action: row.action,
    outcome: row.outcome,
    subject: { noun, id: rest.join(':'), username: row.about },
    details: { ...row.details },
    refusal: row.outcome === 'refused' ? refusalIn(locale, row.details['code']) : null,
    erased: row.erased,
    from:
      at === null
        ? null
        : {
            browser: textOf(with_?.['browser']),
            system: textOf(with_?.['system']),
            network: textOf(with_?.['network']),
            at: at.toISOString(),
          },
  }
}

const markOf = ({ micros, id }: TrailEntry) => ({ micros, id })

/** Who reads it: days and sentences are theirs. */
export interface Reader {
  readonly locale: Locale
  readonly zone: string
}

/** @param before the `next` of the page before */
export async function readTrail(
  db: Db,
  filter: AuditFilter,
  { locale, zone }: Reader,
  before: string | undefined,
) {
  const wanted = await wantedOf(db, filter, zone)
  if (wanted === null) return { results: [], next: null }
  const [micros, id] = (before ?? '').split('.')
  const after = micros && id ? { before: { micros: BigInt(micros), id: BigInt(id) } } : {}
  const rows = await selectTrail(db, { ...wanted, ...after }, PAGE + 1)
  const shown = rows.slice(0, PAGE)
  const last = shown.at(-1)
  const next = rows.length > PAGE && last !== undefined ? `${last.micros}.${last.id}` : null
  return { results: shown.map((row) => presentEntry(row, locale)), next }
}

export const readActions = async (db: Db) => ({ actions: await selectActions(db) })

/** What a filter finds as a list of its own, for who reads all of it: newest first. */
export const trailOf = (filter: AuditFilter, zone: string) => ({
  count: async (db: Db, most: number) => {
    const wanted = await wantedOf(db, filter, zone)
    return wanted === null ? 0 : countTrail(db, wanted, most)
  },
  /** @param after null for the first */
  read: async (db: Db, after: TrailEntry | null, limit: number) => {
    const wanted = await wantedOf(db, filter, zone)
    if (wanted === null) return []
    return selectTrail(db, { ...wanted, ...(after === null ? {} : { before: markOf(after) }) }, limit)
  },
})
