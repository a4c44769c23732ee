/** The lines of a file that a list is written to. */
import { createHash } from 'node:crypto'
import type { ExportFormat } from '@aval/contract'
import { csvLine } from '../core/csv.rules.ts'

/** Amounts as decimal text with dots, as they travel elsewhere. Of an object a cell of CSV has its JSON. */
export type ExportValue = string | number | boolean | Date | Readonly<Record<string, unknown>> | null

export interface ExportColumn<Row> {
  /** The same in every language: programs read it. */
  readonly name: string
  readonly value: (row: Row) => ExportValue
}

const plain = (value: ExportValue) => (value instanceof Date ? value.toISOString() : value)

function cell(value: ExportValue): string {
  const shown = plain(value) ?? ''
  return typeof shown === 'object' ? JSON.stringify(shown) : String(shown)
}

/** Writes a list, its head first, and counts and hashes what it wrote. */
export function exportedText<Row>(format: ExportFormat, columns: readonly ExportColumn<Row>[]) {
  const hash = createHash('sha256')
  let rows = 0
  const hashed = (text: string) => {
    hash.update(text)
    return text
  }
  const csvRow = (row: Row) => csvLine(columns.map(({ value }) => cell(value(row))))
  const jsonRow = (row: Row) =>
    `${JSON.stringify(Object.fromEntries(columns.map(({ name, value }) => [name, plain(value(row))])))}\n`
  const written = format === 'csv' ? csvRow : jsonRow
  return {
    rows: () => rows,
    // With a byte order mark, or spreadsheets take the accents for something else.
    head: () => hashed(format === 'csv' ? `\uFEFF${csvLine(columns.map(({ name }) => name))}` : ''),
    lines(page: readonly Row[]): string {
      rows += page.length
      return hashed(page.map(written).join(''))
    },
    /** Last: see EXPORT_ENDS in the contract. */
    end(): string {
      const sha256 = hash.digest('hex')
      return format === 'csv'
        ? csvLine(['#end', `rows=${rows}`, `sha256=${sha256}`])
        : `${JSON.stringify({ end: { rows, sha256 } })}\n`
    },
  }
}
