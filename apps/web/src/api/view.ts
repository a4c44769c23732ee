/**
 * A view: an operator sees a member's own pages in a tab of their own, for reading. The tab's own storage holds its token, so that the
 * operator's session in the other tabs is untouched. The server refuses everything but reads.
 */
import { readJson, tabStorage } from './storage.ts'

/** What the console writes into the tab that it opens. */
export interface View {
  readonly access: string
  readonly username: string
  readonly until: string
  /** Where the operator came from. */
  readonly back: string
}

/** This tab's; null in every other tab, and for junk. */
export const readView = () => readJson(tabStorage, 'view') as View | null
