/** Lists as files, over a socket as browsers read them. */
import { createHash } from 'node:crypto'
import { EXPORT_ENDS, type ExportFormat, ROWS_ABOUT } from '@aval/contract'
import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { query, queryValue } from '../core/query.sql.ts'
import { accessOf, createTestServer, join } from '../testing/server.ts'
import { suiteFixture } from '../testing/suite.ts'
import { type ExportedList, exportRoute, MOST_EXPORTS, ROWS_A_PIECE } from './exports.ts'
import { routes } from './route.ts'

interface Row {
  readonly id: number
  readonly text: string
  readonly members: number
}

/** What the list does before it reads a piece. */
let beforePiece = async (_piece: number): Promise<void> => undefined
let pieces = 0

const listed = routes({
  exportNumbers: exportRoute({
    call: 'GET /operator/numbers/export/',
    ability: 'members.export',
    summary: 'Numbers',
    query: z.object({ count: z.string(), text: z.string().optional() }),
    list: ({ count, text = 'é' }): ExportedList<Row> => ({
      name: 'numbers',
      columns: [
        { name: 'id', value: ({ id }) => id },
        { name: 'text', value: (row) => row.text },
        { name: 'amount', value: () => '-1.50' },
        { name: 'members', value: ({ members }) => members },
        { name: 'nothing', value: () => null },
      ],
      about: async () => Number(count),
      read: async (tx, after: Row | null, limit) => {
        pieces += 1
        await beforePiece(pieces)
        return query<Row>(
          tx,
        )`SELECT id::int, ${text}::text AS text, (SELECT count(*)::int FROM member) AS members
          FROM generate_series(${(after?.id ?? 0) + 1}::int, ${Number(count)}::int) id LIMIT ${limit}::int`
      },
    }),
  }),
})

const server = await suiteFixture((adminUrl) => createTestServer(adminUrl, [listed]))
const address = await server.api.listen({ host: '127.0.0.1', port: 0 })
// Else closing waits for the connections that the client keeps.
afterAll(() => server.api.server.closeAllConnections())
const operatorId = await join(server, { isOperator: true })
const authorization = `Bearer ${await accessOf(server, operatorId)}`

beforeEach(() => {
  pieces = 0
  beforePiece = async () => undefined
})

const ask = (search: string, signal?: AbortSignal) =>
  fetch(`${address}/api/operator/numbers/export/?${search}`, {
    headers: { authorization, 'accept-encoding': 'gzip' },
    ...(signal === undefined ? {} : { signal }),
  })

/** The file without its last line, which is checked. */
function whole(file: string, format: ExportFormat): string {
  const lines = file.trimEnd().split(/\r?\n/)
  const [, rows, hash] = EXPORT_ENDS[format].exec(lines.at(-1) ?? '') ?? []
  const before = file.slice(0, file.lastIndexOf(lines.at(-1) ?? ''))
  expect(createHash('sha256').update(before).digest('hex')).toBe(hash)
  expect(lines.length - (format === 'csv' ? 2 : 1)).toBe(Number(rows))
  return before
}

const textOf = async (answer: Response) =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(await answer.arrayBuffer())

const trail = () =>
  query<{ action: string; actor_id: bigint; details: object }>(server.owner.db)`
    SELECT action, actor_id, details FROM audit_event WHERE subject = 'list:numbers' ORDER BY id DESC LIMIT 2`

/** Transactions of exports that are open. */
const snapshots = () =>
  queryValue<number>(
    server.owner.db,
  )`SELECT count(*)::int FROM pg_locks WHERE locktype = 'advisory' AND classid = 7303`

describe('a list as a file', () => {
  it('is CSV that no spreadsheet runs, with machine numbers and a last line that proves it whole', async () => {
    const answer = await ask(`count=2&text=${encodeURIComponent('=1+1,"ñ"')}`)
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(answer.headers.get('content-disposition')).toMatch(/filename="aval-numbers-\d{4}-\d\d-\d\d\.csv"/)
    expect(answer.headers.get(ROWS_ABOUT)).toBe('2')
    expect(whole(await textOf(answer), 'csv')).toBe(
      '\uFEFFid,text,amount,members,nothing\r\n' + `1,"'=1+1,""ñ""",-1.50,2,\r\n2,"'=1+1,""ñ""",-1.50,2,\r\n`,
    )
  })

  it('is JSON lines where those are asked for', async () => {
    const answer = await ask('count=1&format=jsonl')
    expect(answer.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8')
    const line = { id: 1, text: 'é', amount: '-1.50', members: 2, nothing: null }
    expect(whole(await textOf(answer), 'jsonl')).toBe(`${JSON.stringify(line)}\n`)
    expect(whole(await textOf(await ask('count=0&format=jsonl')), 'jsonl')).toBe('')
  })

  it('shows one moment, however many pieces it is read in, and is recorded with its filters and rows', async () => {
    beforePiece = async (piece) => {
      if (piece === 2) await join(server)
    }
    const count = 2 * ROWS_A_PIECE + 1
    const lines = whole(await textOf(await ask(`count=${count}&format=jsonl`)), 'jsonl')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Row)
    expect(lines.map(({ id }) => id)).toEqual(Array.from({ length: count }, (_, at) => at + 1))
    expect(new Set(lines.map(({ members }) => members)).size).toBe(1)
    expect(pieces).toBe(3)
    const filters = { count: String(count) }
    expect(await trail()).toEqual([
      {
        action: 'list.exported',
        actor_id: operatorId,
        details: { format: 'jsonl', filters, rows: count, whole: true },
      },
      { action: 'list.export', actor_id: operatorId, details: { format: 'jsonl', filters, about: count } },
    ])
    expect(await snapshots()).toBe(0)
  })

  it('that breaks off half way has no last line, and says so in the trail', async () => {
    beforePiece = async (piece) => {
      if (piece === 2) throw new Error('the disk is gone')
    }
    const answer = await ask(`count=${2 * ROWS_A_PIECE}`)
    await expect(answer.text()).rejects.toThrow()
    await expect
      .poll(async () => (await trail())[0]?.details)
      .toMatchObject({ rows: ROWS_A_PIECE, whole: false })
    expect(await snapshots()).toBe(0)
  })

  it.each([
    ['a role is taken away', "UPDATE member SET operator_role = 'support' WHERE id = $1"],
    [
      'a session is ended',
      "UPDATE session SET ended_at = now(), ended_because = 'ended' WHERE member_id = $1 AND ended_at IS NULL",
    ],
  ])('ends when %s in the middle of it', async (_what, taking) => {
    const leaver = await join(server, { isOperator: true })
    const access = await accessOf(server, leaver)
    beforePiece = async (piece) => {
      if (piece === 2) await sql.raw(taking.replace('$1', String(leaver))).execute(server.owner.db)
    }
    const answer = await fetch(`${address}/api/operator/numbers/export/?count=${4 * ROWS_A_PIECE}`, {
      headers: { authorization: `Bearer ${access}` },
    })
    await expect(answer.text()).rejects.toThrow()
    // What was being read when it happened is the last.
    await expect
      .poll(async () => (await trail())[0]?.details)
      .toMatchObject({ rows: 2 * ROWS_A_PIECE, whole: false })
    expect(await snapshots()).toBe(0)
  })

  it('waits for who reads slowly, and ends with who goes away', async () => {
    const leaving = new AbortController()
    const wide = 'x'.repeat(2000)
    const answer = await ask(`count=${100 * ROWS_A_PIECE}&text=${wide}`, leaving.signal)
    const reader = answer.body?.getReader()
    await reader?.read()
    expect(await snapshots()).toBe(1)
    leaving.abort()
    await expect.poll(snapshots).toBe(0)
    await expect.poll(async () => (await trail())[0]?.details).toMatchObject({ whole: false })
    // What fits in the buffers on the way, of two hundred megabytes.
    expect(pieces).toBeLessThan(50)
  })

  it('is not written for one operator more than twice at a time', async () => {
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
    beforePiece = () => held
    const open = Array.from({ length: MOST_EXPORTS }, () => ask('count=1'))
    await expect.poll(snapshots).toBe(MOST_EXPORTS)
    expect((await ask('count=1')).status).toBe(409)
    letGo()
    for (const answer of open) whole(await textOf(await answer), 'csv')
    expect((await ask('count=1')).status).toBe(200)
  })
})
