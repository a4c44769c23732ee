/** Remembers what the looks saw, for those who send money. */
import type { Look } from './follower.ts'
import type { ChainView } from './standing.rules.ts'

export interface Watch {
  /** After each look; null when it failed. */
  saw(look: Look | null, now: Date): void
  view(): ChainView | null
}

export function createWatch(): Watch {
  let view: ChainView | null = null
  return {
    saw(look, now) {
      if (look === null) {
        view = view === null ? null : { ...view, failed: true }
        return
      }
      const advancedAt = view?.headId === look.headId ? view.advancedAt : now.getTime()
      view = { ...look, headAt: look.headAt.getTime(), advancedAt, failed: false }
    },
    view: () => view,
  }
}
