import { expect, type Page, test } from '@playwright/test'
import { treeNode } from '../apps/web/src/testing/figures.ts'
import { openAs } from './fixture.ts'
import { besideMiddle, boxOf, card, isPainted, showNetwork, sight, zoom } from './tree-fixture.ts'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

/** With the clock stopped: until a press has been taken in, a millisecond at a time. */
async function ticking(page: Page, isSo: () => Promise<boolean>): Promise<void> {
  const look = async () => {
    await page.clock.runFor(1)
    return isSo()
  }
  await expect.poll(look, { intervals: [50] }).toBe(true)
}

test('the chart comes after a second, at zoom 0.7, and every move takes 400 milliseconds', async ({
  page,
}) => {
  await showNetwork(page)
  await openAs(page, 'ana')
  await page.clock.install()
  await page.goto('/network-marketing')
  await expect(card(page, 'Ana')).toBeVisible()

  await test.step('for a second there is the note that it is loading, and nothing is drawn', async () => {
    await page.locator('nav a[href="/referrals"]').first().click()
    await expect(page.locator('.tree-view')).toHaveCount(0)
    await page.clock.pauseAt(Date.now() + 60_000)
    await page.locator('nav a[href="/network-marketing"]').first().click()
    await expect(page.locator('.tree-loading')).toBeVisible()
    // The title is written when the second begins: on a slow machine that is later than what is drawn.
    await expect(page).toHaveTitle(/Mi árbol unilevel/)
    await page.clock.runFor(990)
    await expect(page.getByText('Cargando tu red…').first()).toBeAttached()
    await expect(page.locator('.tree-loading')).toBeVisible()
    await expect(page.locator('.tree-card')).toHaveCount(0)
    expect(await isPainted(page)).toBe(false)
    await page.clock.runFor(10)
    await expect(page.locator('.tree-loading')).toHaveCount(0)
    await page.clock.runFor(50)
    await expect(card(page, 'Ana')).toBeVisible()
    expect(await isPainted(page)).toBe(true)
  })

  await test.step('it begins at 0.7, with the first in the middle', async () => {
    expect(await zoom(page)).toBe(0.7)
    expect((await boxOf(card(page, 'Ana'))).width).toBeCloseTo(222 * 0.7, 1)
    expect(await besideMiddle(page, card(page, 'Ana'))).toBe(0)
  })

  await test.step('what is opened glides for 400 milliseconds, and then stays', async () => {
    const beto = card(page, 'Beto')
    const places: number[] = [(await boxOf(beto)).x]
    const isFaint: boolean[] = []
    await beto.locator('.tree-toggle').click()
    const spoken = page.getByRole('treeitem', { name: /^Beto/ })
    await ticking(page, async () => (await spoken.getAttribute('aria-expanded')) === 'true')
    for (const time of [200, 160, 80, 1000]) {
      await page.clock.runFor(time)
      places.push((await boxOf(beto)).x)
      isFaint.push(/opacity: 0\./.test((await card(page, 'Fila 3').getAttribute('style')) ?? ''))
    }
    const [start = 0, half = 0, nearly = 0, end = 0, later] = places
    expect(new Set([start, half, nearly, end]).size).toBe(4)
    expect([half > start, nearly > half, end > nearly]).toEqual([true, true, true])
    expect(later).toBe(end)
    expect(isFaint).toEqual([true, true, false, false])
  })

  await test.step('with reduced motion nothing moves', async () => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.getByRole('button', { name: 'Ver todo' }).click()
    await ticking(page, async () => (await zoom(page)) < 0.7)
    const there = await sight(page)
    await page.clock.runFor(1000)
    expect(await sight(page)).toEqual(there)
  })
})

test('an amount is whole on its card, however large, in both languages', async ({ page }) => {
  const amounts = ['1000.00', '88888.88', '888888.88', '8888888.88', '88888888.88', '888888888.88']
  const nodes = amounts.map((plan_name, at) =>
    treeNode(at + 1, at === 0 ? 0 : 1, {
      plan_name,
      children_count: at === 0 ? amounts.length - 1 : 0,
      depth: at === 0 ? 0 : 1,
    }),
  )
  await page.route(/get-binary-tree/, (route) => route.fulfill({ json: nodes }))
  for (const language of ['es', 'en'] as const) {
    await openAs(page, 'ana', '/network-marketing', language)
    const shown = page.locator('.tree-amount')
    await expect(shown).toHaveCount(amounts.length)
    const cut = await shown.evaluateAll((all) =>
      all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent),
    )
    expect(cut).toEqual([])
  }
})
