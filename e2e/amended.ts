import type { Page } from '@playwright/test'

/** What the server answers to a question of the page's, with something else in it. */
export async function amended(page: Page, url: string, changes: Record<string, unknown>): Promise<void> {
  await page.route(url, async (route) => {
    if (route.request().method() !== 'GET') return route.fallback()
    const response = await route.fetch().catch(() => null)
    const json = (await response?.json().catch(() => null)) ?? null
    // A page that is left takes its questions along.
    if (response === null || json === null) await route.abort().catch(() => undefined)
    else await route.fulfill({ response, json: { ...json, ...changes } })
  })
}
