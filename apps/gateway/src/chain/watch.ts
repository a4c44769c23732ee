/** Remembers what the looks saw, for those who send money. */
import type { Look } from './follower.ts'
import { type ChainView, hasLeapt } from './standing.rules.ts'

export interface Watch {
  /** After each look; null when it failed. */
  saw(look: Look | null, now: Date): void
  view(): ChainView | null
}

export function createWatch(): Watch {
  let view: ChainView | null = null
  let sawAt = 0
  return {
    saw(look, now) {
      if (look === null) {
        view = view === null ? null : { ...view, failed: true }
        return
      }
      const at = now.getTime()
      const headAt = look.headAt.getTime()
      const advancedAt = view?.headId === look.headId ? view.advancedAt : at
      const leaps = view !== null && hasLeapt(view, headAt, at - sawAt)
      const leaptAt = leaps ? at : view?.leaptAt
      view = { ...look, headAt, advancedAt, failed: false, ...(leaptAt !== undefined && { leaptAt }) }
      sawAt = at
    },
    view: () => view,
  }
}
