/** The open network as lines of a list, each member before those below. */
import { kidsOf, NOBODY, parentOf } from '@aval/genealogy'
import type { Plot } from './plot.ts'

export interface Row {
  readonly node: number
  /** From 0. */
  readonly level: number
  /** Among those below the same member; from 1. */
  readonly position: number
  readonly siblings: number
}

export function rowsOf(plot: Plot): Row[] {
  if (plot.items.length === 0) return []
  const rows: Row[] = []
  // Nothing recurses: a chain of a hundred thousand is a legal network.
  const waiting: Row[] = [{ node: 0, level: 0, position: 1, siblings: 1 }]
  for (let row = waiting.pop(); row !== undefined; row = waiting.pop()) {
    rows.push(row)
    if (!plot.isOpen(row.node)) continue
    const kids = [...kidsOf(plot.layout, row.node)]
    const below = { level: row.level + 1, siblings: kids.length }
    for (const [at, node] of [...kids.entries()].reverse()) waiting.push({ node, ...below, position: at + 1 })
  }
  return rows
}

export type ListKey =
  | { readonly does: 'go'; readonly to: number }
  | { readonly does: 'toggle' | 'press' | 'select' | 'search' }

/** What a key does in the list, as in every tree: up and down along the lines, right opens or goes in, left closes or goes out. */
export function listKeyOf(key: string, plot: Plot, rows: readonly Row[], current: number): ListKey | null {
  const at = rows.findIndex(({ node }) => node === current)
  const go = (index: number): ListKey | null => {
    const row = rows[index]
    return row === undefined ? null : { does: 'go', to: row.node }
  }
  switch (key) {
    case 'ArrowDown':
      return go(at + 1)
    case 'ArrowUp':
      return go(at - 1)
    case 'Home':
      return go(0)
    case 'End':
      return go(rows.length - 1)
    case 'ArrowRight':
      if (!plot.canOpen(current)) return null
      return plot.isOpen(current) ? go(at + 1) : { does: 'toggle' }
    case 'ArrowLeft': {
      if (plot.isOpen(current)) return { does: 'toggle' }
      const parent = parentOf(plot.layout, current)
      return parent === NOBODY ? null : { does: 'go', to: parent }
    }
    case 'Enter':
      return { does: 'press' }
    case ' ':
      return { does: 'select' }
    case '/':
      return { does: 'search' }
    default:
      return null
  }
}
