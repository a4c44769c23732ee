/** A page number to show, or a gap of pages left out. */
export type PageItem = number | 'gap'

/**
 * The numbers to show for `current` of `total`: the first, the last, the current and its neighbours, and gaps between.
 * A gap that would hide a single page shows that page. The length stays the same while paging through many pages, so
 * that the buttons do not move under the pointer.
 */
export function pageWindow(current: number, total: number, neighbours = 1): PageItem[] {
  const slots = 2 * neighbours + 5
  if (total <= slots) return range(1, total)
  const here = Math.min(Math.max(current, 1), total)
  const edge = neighbours + 3
  if (here <= edge) return [...range(1, slots - 2), 'gap', total]
  if (here > total - edge) return [1, 'gap', ...range(total - slots + 3, total)]
  return [1, 'gap', ...range(here - neighbours, here + neighbours), 'gap', total]
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index)
}

/** A page as a person types its number, kept within the pages there are; null for what is no number. */
export function pageTyped(text: string, total: number): number | null {
  const digits = text.replace(/[\s.,]/g, '')
  return /^\d{1,9}$/.test(digits) ? Math.min(Math.max(Number(digits), 1), total) : null
}

/** The page in a URL: a whole number from 1, anything else is page 1. */
export function pageFrom(text: string | null): number {
  return text !== null && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : 1
}
