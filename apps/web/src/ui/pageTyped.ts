/** A typed page number, limited to the pages there are; null if it is not a number. */
export function pageTyped(text: string, total: number): number | null {
  const digits = text.replace(/[\s.,]/g, '')
  return /^\d{1,9}$/.test(digits) ? Math.min(Math.max(Number(digits), 1), total) : null
}
