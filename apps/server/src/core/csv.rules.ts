/**
 * What a spreadsheet would take for a formula, be it in somebody's name: what begins with one of these signs, in whatever form a program
 * makes them the plain one, also behind spaces and what is not drawn. A lone sign and digits compute nothing: a number keeps its sign, and
 * `+573001234567` is copied back as the phone that it is.
 */
const FORMULA = /^[\s\p{C}\p{Default_Ignorable_Code_Point}]*[=+\-@\p{Pd}\u2212\ua78a]/u
/** At the beginning these have a meaning of their own for some programs. */
const LEADING_BREAK = /^[\t\r\n]/
const NUMBER = /^[+-]?\d+(\.\d+)?$/

const isFormula = (cell: string) => LEADING_BREAK.test(cell) || FORMULA.test(cell.normalize('NFKC'))

/** One line of CSV (RFC 4180) with its line end. */
export function csvLine(cells: readonly string[]): string {
  const written = cells.map((cell) => {
    const safe = isFormula(cell) && !NUMBER.test(cell) ? `'${cell}` : cell
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
  })
  return `${written.join(',')}\r\n`
}
