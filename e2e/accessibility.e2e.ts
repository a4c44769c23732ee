import { expect, type Page, test } from '@playwright/test'
import { colorFaults, expectAccessible, setLook } from './axe.ts'
import { OF_MEMBERS, OF_OPERATORS, OF_VISITORS, openWhole } from './every-page.ts'
import {
  enterCode,
  enterPassword,
  openAs,
  openIn,
  speak,
  watchPolicy,
  wholePage,
  withoutStream,
} from './fixture.ts'

/**
 * Each page in Spanish on a laptop, then in English on a phone; in both themes without being loaded again. None asks another
 * origin for anything, or needs what the policy stops.
 */
async function checkPages(page: Page, paths: readonly string[]): Promise<void> {
  const stopped = await watchPolicy(page.context())
  for (const [language, width] of [
    ['es', 1280],
    ['en', 390],
  ] as const) {
    if (language === 'en') {
      await speak(page, 'en')
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    }
    for (const path of paths) {
      await page.setViewportSize({ width, height: 844 })
      await openWhole(page, path)
      await expectAccessible(page)
      expect([path, stopped]).toEqual([path, []])
    }
  }
}

test('axe finds nothing on any page of visitors, error pages and the offline page included', async ({
  page,
}) => {
  await openIn(page, 'es', '/auth/login/')
  await checkPages(page, OF_VISITORS)
})

test('axe finds nothing on any page of a member who invests', async ({ page }) => {
  await openAs(page, 'ana')
  await checkPages(page, OF_MEMBERS)
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Invest now' }).first().click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await expectAccessible(page, 1280, 390)
})

/** The one that pages begin with is checked above. */
const OTHER_COLORS = ['secondary', 'success', 'warning', 'info', 'danger']

/** Every page has every colour, each in the theme that the page before did not; the dashboard has all in both (looks). */
test('no colour of the look leaves a page of members without contrast', async ({ page }) => {
  await openAs(page, 'ana')
  for (const [at, path] of OF_MEMBERS.slice(1).entries()) {
    await openWhole(page, path)
    for (const [nth, color] of OTHER_COLORS.entries()) {
      const look = { 'color-scheme': (at + nth) % 2 === 0 ? 'light' : 'dark', theme: color }
      await setLook(page, look)
      expect([path, look, await colorFaults(page)]).toEqual([path, look, []])
    }
  }
})

test('axe finds nothing on any page of operators', async ({ page }) => {
  await withoutStream(page.context())
  await enterPassword(page, 'olga')
  await expect(page.getByLabel('Código')).toBeFocused()
  await expectAccessible(page, 1280, 390)
  await enterCode(page, 'olga')
  // From here on pages are opened by hand: not before the sign-in has led to one, with all that comes with it.
  await wholePage(page)
  await checkPages(page, OF_OPERATORS)
})
