/**
 * What a spreadsheet would take for a formula, be it in somebody's name: what begins with one of these signs, in whatever form a program
 * makes them the plain one or a person takes them for it, also behind spaces and what is not drawn. A lone sign and digits compute nothing:
 * a number keeps its sign, and `+573001234567` is copied back as the phone that it is.
 */
const FORMULA =
  /^[\s\p{C}\p{Default_Ignorable_Code_Point}]*[=+\-@\p{Pd}\u02d6\u02d7\u06d4\u1400\u16ed\u2043\u2212\u2795\u2796\u2cba\ua4ff\ua78a\u{1029b}]/u
/** At the beginning these have a meaning of their own for some programs. */
const LEADING_BREAK = /^[\t\r\n]/
/** Where commas are decimal signs, as in Spanish, a cell begins behind a semicolon, and a line behind a break in somebody's text. */
const CELL_ELSEWHERE = /(?<=[;\u037e\ufe54\uff1b\t\r\n\v\f\u0085\u2028\u2029])/u
const NUMBER = /^[+-]?\d+(\.\d+)?$/

function withoutFormulas(cell: string): string {
  if (NUMBER.test(cell)) return cell
  const parts = cell.split(CELL_ELSEWHERE)
  const safe = parts.map((part) => (FORMULA.test(part.normalize('NFKC')) ? `'${part}` : part)).join('')
  return LEADING_BREAK.test(safe) ? `'${safe}` : safe
}

/** One line of CSV (RFC 4180) with its line end. */
export function csvLine(cells: readonly string[]): string {
  const written = cells.map((cell) => {
    const safe = withoutFormulas(cell)
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
  })
  return `${written.join(',')}\r\n`
}
