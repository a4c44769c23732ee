import { EXPORT_ENDS } from '@aval/contract'
import { expect } from 'vitest'
import type { Client } from './server.ts'

/** The rows of a list that was saved as JSON lines, which has to be whole. @param path of the call, with its filters */
export async function exportedRows<Row = Record<string, unknown>>(who: Client, path: string): Promise<Row[]> {
  const answer = await who.get(`${path}${path.includes('?') ? '&' : '?'}format=jsonl`)
  expect(answer.statusCode).toBe(200)
  const lines = answer.body.trimEnd().split('\n')
  const end = EXPORT_ENDS.jsonl.exec(lines.pop() ?? '')
  expect(Number(end?.[1])).toBe(lines.length)
  return lines.map((line) => JSON.parse(line) as Row)
}

/** A list read as an export reads it, but row by row: none may be left out or come twice. */
export async function rowByRow<Row>(
  read: (after: Row | null, limit: number) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const rows: Row[] = []
  for (;;) {
    const [row] = await read(rows.at(-1) ?? null, 1)
    if (row === undefined) return rows
    rows.push(row)
  }
}
