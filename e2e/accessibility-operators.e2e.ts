import { inEnglish } from './english.ts'
import { enterCode, enterPassword, expect, test } from './fixture.ts'
import { faultsOfAll, lookThrough, PASSES } from './looking.ts'

const OF_OPERATORS = [
  'operator',
  'operator?tab=overview',
  'operator?tab=reserves',
  'operator?tab=runs',
  'operator?tab=rates',
  'operator?tab=plan',
  'operator?tab=investments',
  'operator?tab=support',
] as const

// A colour on its way to another one is neither.
test.use({ contextOptions: { reducedMotion: 'reduce' } })

test('axe finds nothing on any page of operators', async ({ page, product }) => {
  test.setTimeout(480_000)
  await enterPassword(page, product.url, 'olga')
  await expect(page.getByLabel('Código')).toBeFocused()
  expect(await faultsOfAll(page)).toEqual([])
  await enterCode(page, 'olga')
  await page.waitForURL('**/dashboard**')
  for (const pass of PASSES) {
    if (pass.language === 'en') await inEnglish(page)
    // Without investments, the dashboard is another one.
    await lookThrough(page, product.url, ['dashboard', ...OF_OPERATORS], pass)
  }
})
