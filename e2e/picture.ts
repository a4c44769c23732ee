/** Pictures of a walk, for people: taken where `PICTURES` names a folder. */
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { givenPictures } from '../tools/core/config.ts'

const folder = givenPictures()
let taken = 0

/** Keeps what the page shows now, whole, once nothing on it is still being loaded. */
export async function picture(page: Page, name: string): Promise<void> {
  if (folder === undefined) return
  taken += 1
  await expect(page.locator('.skeleton, [aria-busy=true], [data-refreshing=true], .boot')).toHaveCount(0)
  await page.screenshot({
    path: join(folder, `${String(taken).padStart(2, '0')}-${name}.png`),
    fullPage: (await page.getByRole('dialog').count()) === 0,
  })
}
