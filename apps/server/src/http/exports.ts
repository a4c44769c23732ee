/**
 * An operator's list as a file: all rows of one moment under the filters of the list, in CSV or JSON lines. It is read and sent in
 * pieces, so that memory does not grow with the list; who reads slowly is waited for, for as long as the database lets a transaction
 * do nothing (60 s), and who goes away ends it. It reads for half of the time at most: payouts come first (decision 079). An example:
 *
 *     exportMembers: exportRoute({
 *       call: 'GET /operator/members/export/',
 *       ability: 'members.export',
 *       summary: 'The members that a filter finds, as a file',
 *       query: contract.membersFilter,
 *       list: (query, call): ExportedList<MemberRow> => ({
 *         name: 'members',
 *         columns: [{ name: 'id', value: (row) => Number(row.id) }],
 *         about: (tx) => countMembers(tx, query),
 *         // The rows after the last one of the piece before; null at first.
 *         read: (tx, after, limit) => selectMembers(tx, query, after, limit),
 *       }),
 *     }),
 */
import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import {
  type Ability,
  type AuditAction,
  type ExportFormat,
  exportQuery,
  may,
  ROWS_ABOUT,
} from '@aval/contract'
import type { Database, Tx } from '@aval/db'
import { z } from 'zod'
import { recordAudit } from '../core/audit.sql.ts'
import { Refusal } from '../core/refusal.ts'
import type { OperatorCall } from './call.ts'
import { type ExportColumn, exportedText } from './exported-text.ts'
import { openSnapshot, roleOfSession, takePlace } from './exports.sql.ts'
import { type Described, type Route, route } from './route.ts'

export interface ExportedList<Row> {
  /** `members`: what the file and the entry in the audit trail are named by. */
  readonly name: string
  readonly columns: readonly ExportColumn<Row>[]
  /** About how many rows there will be, for who waits. */
  readonly about: (tx: Tx) => Promise<number>
  /** The rows after one, in the order of a key. Fewer than the limit are the last ones. */
  readonly read: (tx: Tx, after: Row | null, limit: number) => Promise<readonly Row[]>
}

/** Of one operator at a time, over all processes. */
export const MOST_EXPORTS = 2
/** Of all operators at one process: each takes one of its ten connections for as long as it lasts. */
const MOST_HERE = 4
/** Some 200 kB, read in some 20 ms. */
export const ROWS_A_PIECE = 1000
/** A snapshot keeps the database from tidying up what changed since. */
const LONGEST_MS = 15 * 60_000
const LONGEST_PAUSE_MS = 500

/** Counted no further than this: it only says how long it may take. */
export const MOST_ABOUT = 1_000_000

let running = 0

/**
 * The pieces of a list, read in one snapshot; between two of them it rests for as long as it read, and looks whether the operator still
 * may: a session that is ended or a role that is taken away ends the file.
 */
async function* piecesOf<Row>(
  tx: Tx,
  { read }: ExportedList<Row>,
  until: number,
  stillMay: () => Promise<boolean>,
) {
  let after: Row | null = null
  for (;;) {
    const began = performance.now()
    if (began > until) throw new Error('an export took too long')
    if (after !== null && !(await stillMay())) throw new Refusal('role_not_allowed')
    const rows = await read(tx, after, ROWS_A_PIECE)
    yield rows
    after = rows.at(-1) ?? null
    if (after === null || rows.length < ROWS_A_PIECE) return
    await wait(Math.min(performance.now() - began, LONGEST_PAUSE_MS))
  }
}

interface Wanted {
  readonly format: ExportFormat
  readonly operatorId: bigint
  /** As they were asked for. */
  readonly filters: Readonly<Record<string, unknown>>
  readonly onAbout: (rows: number) => void
  /** Whether the operator is signed in, and has the ability. */
  readonly stillMay: () => Promise<boolean>
}

/** What there is to write, text by text. Refusals come before the first. */
async function* textOf<Row>(db: Database, list: ExportedList<Row>, wanted: Wanted): AsyncGenerator<string> {
  if (running >= MOST_HERE) throw new Refusal('exports_running')
  running += 1
  const { format, operatorId, filters, onAbout, stillMay } = wanted
  const record = (action: AuditAction, details: object) =>
    recordAudit(db, {
      at: new Date(),
      actorId: operatorId,
      action,
      outcome: 'done',
      subject: `list:${list.name}`,
      details: { format, filters, ...details },
    })
  const snapshot = await openSnapshot(db).catch((error: unknown) => {
    running -= 1
    throw error
  })
  const text = exportedText(format, list.columns)
  let hasBegun = false
  let isWhole = false
  try {
    if (!(await takePlace(snapshot.tx, operatorId, MOST_EXPORTS))) throw new Refusal('exports_running')
    const about = await list.about(snapshot.tx)
    onAbout(about)
    // Before anything leaves: a crash may keep us from saying how it ended.
    await record('list.export', { about })
    hasBegun = true
    yield text.head()
    for await (const rows of piecesOf(snapshot.tx, list, performance.now() + LONGEST_MS, stillMay))
      if (rows.length > 0) yield text.lines(rows)
    isWhole = true
    yield text.end()
  } finally {
    running -= 1
    await snapshot.end().catch(() => undefined)
    if (hasBegun) await record('list.exported', { rows: text.rows(), whole: isWhole })
  }
}

async function openExport<Row>(
  call: OperatorCall,
  list: ExportedList<Row>,
  query: Readonly<Record<string, unknown>>,
  ability: Ability,
): Promise<Readable> {
  const { format: named, ...filters } = query
  const format = named === 'jsonl' ? 'jsonl' : 'csv'
  call.header(
    'Content-Type',
    format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson; charset=utf-8',
  )
  const day = call.systemNow.toISOString().slice(0, 10)
  call.header('Content-Disposition', `attachment; filename="aval-${list.name}-${day}.${format}"`)
  const onAbout = (rows: number) => call.header(ROWS_ABOUT, String(rows))
  const { memberId: operatorId, sessionId } = call.caller
  const stillMay = async () => may(await roleOfSession(call.db, operatorId, sessionId), ability)
  const text = textOf(call.db, list, { format, operatorId, filters, onAbout, stillMay })
  const head = await text.next()
  const whole = async function* () {
    // Of JSON lines there is no head.
    if (typeof head.value === 'string' && head.value !== '') yield head.value
    yield* text
  }
  // In bytes: a piece is read when the one before has been sent on.
  const stream = Readable.from(whole(), { objectMode: false, highWaterMark: 65_536 })
  // Who goes away before the first byte has read nothing, and would leave the snapshot open.
  stream.once('close', () => void text.return(undefined).catch(() => undefined))
  return stream
}

interface ExportRoute<Shape extends z.ZodRawShape, Row, Params> {
  readonly call: `GET /operator/${string}/export/`
  readonly ability: Ability
  readonly summary: string
  /** The filters of the list. */
  readonly query: z.ZodObject<Shape>
  readonly refuses?: Described['refuses']
  /** Of a list that belongs to something. */
  readonly params?: z.ZodType<Params>
  readonly list: (
    query: z.output<z.ZodObject<Shape>>,
    call: OperatorCall,
    params: Params,
  ) => ExportedList<Row> | Promise<ExportedList<Row>>
}

/** A call that answers a list as a file: the filters of the list, and `format`. */
export function exportRoute<Shape extends z.ZodRawShape, Row, Params = unknown>(
  declared: ExportRoute<Shape, Row, Params>,
): Route {
  const { list, query, refuses = [], ...named } = declared
  return route({
    ...named,
    access: 'operator',
    tags: ['operator'],
    query: query.extend(exportQuery.shape),
    response: { 200: z.instanceof(Readable) },
    produces: 'text/csv; charset=utf-8',
    streams: true,
    refuses: [...refuses, 'exports_running'],
    handler: async (input, call) => {
      const asked = input.query as z.output<z.ZodObject<Shape>>
      const listed = await list(asked, call, input.params as Params)
      return openExport(call, listed, asked as Record<string, unknown>, declared.ability)
    },
  })
}
