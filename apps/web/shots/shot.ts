/** One state of a page. */
import type { Page } from '@playwright/test'
import type { Said } from './sign-in.ts'

export interface Shot {
  readonly name: string
  readonly path: string
  readonly visitor?: boolean
  readonly says?: readonly Said[]
  /** What the browser is prepared with, before the page is opened. */
  readonly before?: (page: Page) => Promise<unknown>
  readonly act?: (page: Page) => Promise<unknown>
  /** What to press first, by its accessible name in either language. */
  readonly press?: RegExp
  /** What that shows, which may come later. */
  readonly shows?: string
  /** What every call of the page but those of the frame gets. */
  readonly calls?: 'fail' | 'wait'
  /** Of the window, not of the whole page. */
  readonly window?: boolean
}
