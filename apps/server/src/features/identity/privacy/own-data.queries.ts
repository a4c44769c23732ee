/** All of a member's own data as one JSON document, or as a ZIP archive of CSV files; written while it is read. */
import type { Db } from '@aval/db'
import { formatAmount } from '@aval/money'
import { strToU8, Zip, ZipDeflate } from 'fflate'
import { csvLine } from '../../../core/csv.rules.ts'
import { subjectOf } from '../../mail/letters.presenter.ts'
import { OWN_LISTS, type OwnList, type OwnRow, pagesOf, selectPicture } from './own-data.sql.ts'

type Value = string | number | boolean | null

function writtenAs(written: OwnList['columns'][string] | undefined, value: unknown): Value {
  if (value === null || value === undefined) return null
  if (value instanceof Date) return value.toISOString()
  if (typeof value === 'bigint') return written === 'amount' ? formatAmount(value) : Number(value)
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  throw new Error('a list of own data has a value of no known kind')
}

/** A row as it is written: of a mail with the subject that it had. */
function presentRow(list: OwnList, row: OwnRow): Record<string, Value> {
  const shown =
    list.name === 'mails'
      ? { ...row, subject: subjectOf(row['template'], row['subject'], row['locale']) }
      : row
  const names = Object.keys(list.columns)
  return Object.fromEntries(names.map((name) => [name, writtenAs(list.columns[name], shown[name])]))
}

/** Amounts are texts with a dot; dates are ISO 8601 in UTC. @param now system time */
export async function* jsonOf(db: Db, memberId: bigint, now: Date): AsyncGenerator<string> {
  const picture = await selectPicture(db, memberId)
  yield `{\n"made_at": ${JSON.stringify(now)},\n"picture_webp_base64": ${JSON.stringify(picture?.toString('base64') ?? null)}`
  for (const list of OWN_LISTS) {
    yield `,\n"${list.name}": [`
    let written = 0
    for await (const page of pagesOf(db, list, memberId)) {
      const rows = page.map((row) => `\n${JSON.stringify(presentRow(list, row))}`)
      if (rows.length > 0) yield `${written > 0 ? ',' : ''}${rows.join(',')}`
      written += rows.length
    }
    yield ']'
  }
  yield '\n}\n'
}

/** With a byte order mark, or spreadsheets take the accents for something else. */
async function* csvOf(db: Db, list: OwnList, memberId: bigint): AsyncGenerator<string> {
  yield `\uFEFF${csvLine(Object.keys(list.columns))}`
  for await (const page of pagesOf(db, list, memberId))
    yield page
      .map((row) => csvLine(Object.values(presentRow(list, row)).map((value) => String(value ?? ''))))
      .join('')
}

/** A file a list. No more than a page of one is held at a time. */
export async function* zipOf(db: Db, memberId: bigint): AsyncGenerator<Uint8Array> {
  let ready: Uint8Array[] = []
  const zip = new Zip((error, chunk) => {
    if (error !== null) throw error
    ready.push(chunk)
  })
  const taken = () => {
    const chunks = ready
    ready = []
    return chunks
  }
  for (const list of OWN_LISTS) {
    const file = new ZipDeflate(`${list.name}.csv`)
    zip.add(file)
    for await (const text of csvOf(db, list, memberId)) {
      file.push(strToU8(text))
      yield* taken()
    }
    file.push(new Uint8Array(), true)
  }
  const picture = await selectPicture(db, memberId)
  if (picture !== null) {
    const file = new ZipDeflate('picture.webp', { level: 0 })
    zip.add(file)
    file.push(picture, true)
  }
  zip.end()
  yield* taken()
}
