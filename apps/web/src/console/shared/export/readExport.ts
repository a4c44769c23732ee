/** Reads an exported list as it comes, and sees whether it came whole. */
import { EXPORT_ENDS, type ExportFormat } from '@aval/contract'

export type ReadExport =
  | { readonly isWhole: true; readonly file: Blob; readonly rows: number }
  /** Nothing of it is kept: a list that looks whole and is not would be believed. */
  | { readonly isWhole: false; readonly rows: number }

const LINE_END = 10
/** The last line has about 100 bytes. */
const TAIL = 400
/** Bytes that stay in the page's own memory: a browser may put those of a blob on the disk. */
const GATHERED = 4 * 1024 * 1024

const countLines = (bytes: Uint8Array): number => {
  let lines = 0
  for (let at = bytes.indexOf(LINE_END); at !== -1; at = bytes.indexOf(LINE_END, at + 1)) lines += 1
  return lines
}

/** How many rows its last line says it has; null where there is no such line. */
async function rowsOf(file: Blob, format: ExportFormat): Promise<number | null> {
  const tail = await file.slice(-TAIL).text()
  if (!tail.endsWith('\n')) return null
  const found = EXPORT_ENDS[format].exec(tail.trimEnd().split(/\r?\n/).at(-1) ?? '')
  return found === null ? null : Number(found[1])
}

/** @param onRows hears how many rows came so far */
export async function readExport(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  format: ExportFormat,
  onRows: (rows: number) => void,
): Promise<ReadExport> {
  const blobs: Blob[] = []
  let gathered: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  // The head of a CSV is no row.
  let rows = format === 'csv' ? -1 : 0
  const gather = () => {
    blobs.push(new Blob(gathered))
    gathered = []
    size = 0
  }
  try {
    for (const reader = body.getReader(); ; ) {
      const { done, value } = await reader.read()
      if (done) break
      gathered.push(value)
      size += value.length
      rows += countLines(value)
      onRows(Math.max(0, rows))
      if (size > GATHERED) gather()
    }
  } catch {
    return { isWhole: false, rows: Math.max(0, rows) }
  }
  gather()
  const file = new Blob(blobs)
  const written = await rowsOf(file, format)
  if (written === null) return { isWhole: false, rows: Math.max(0, rows) }
  return { isWhole: true, file, rows: written }
}
