/** Lists as files. Every call that ends in `export/` takes the filters of its list, and a format. */
import { z } from 'zod'

/** `csv` is RFC 4180 with a byte order mark, `jsonl` an object a line. In both, numbers are written for machines. */
export const EXPORT_FORMATS = ['csv', 'jsonl'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

export const exportQuery = z.object({ format: z.enum(EXPORT_FORMATS).optional() })

/** A header of the answer: about how many rows the file will have. */
export const ROWS_ABOUT = 'aval-rows-about'

/**
 * The last line of a whole file says how many rows came before it, and the SHA-256 of every byte before it:
 * `#end,rows=2,sha256=…` in CSV, `{"end":{"rows":2,"sha256":"…"}}` in JSON lines. A file without that line broke off.
 */
export const EXPORT_ENDS: Readonly<Record<ExportFormat, RegExp>> = {
  csv: /^#end,rows=(\d{1,15}),sha256=([0-9a-f]{64})$/,
  jsonl: /^\{"end":\{"rows":(\d{1,15}),"sha256":"([0-9a-f]{64})"\}\}$/,
}
