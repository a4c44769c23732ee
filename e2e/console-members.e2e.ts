/** How operators find a member and read everything about them, in English. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { expect, type Page, test } from '@playwright/test'
import { everyFault } from './axe.ts'
import { openAs } from './fixture.ts'

const rows = (page: Page) => page.getByRole('main').locator('tbody tr')

/** Saves the list that is shown. */
async function exported(page: Page, format: RegExp): Promise<string> {
  await page.getByRole('button', { name: 'Export' }).click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    // By keys: a menu takes no press in the moment in which it opens.
    page.getByRole('menuitem', { name: format }).press('Enter'),
  ])
  expect(download.suggestedFilename()).toMatch(/^aval-.*\.(csv|jsonl)$/)
  return readFile(await download.path(), 'utf8')
}

/** What is before the last line, which proves it whole. */
function wholeLines(file: string): string[] {
  const lines = file.trimEnd().split(/\r?\n/)
  const last = lines.pop() ?? ''
  const hash = /[0-9a-f]{64}/.exec(last)?.[0]
  expect(
    createHash('sha256')
      .update(file.slice(0, file.lastIndexOf(last)))
      .digest('hex'),
  ).toBe(hash)
  return lines
}

test('the keyboard alone leads from anywhere to a member', async ({ page }) => {
  await openAs(page, 'olga', '/operator', 'en')
  await expect(page.getByRole('button', { name: 'Search' })).toBeVisible()
  await page.keyboard.press('Control+k')
  const box = page.getByRole('combobox', { name: 'Search everywhere' })
  await expect(box).toBeFocused()
  await page.keyboard.type('lui')
  const luis = page.getByRole('option', { name: /^luis/ })
  await expect(luis).toBeVisible()
  await expect(page.getByRole('dialog').getByText(/^\d+ results?$/)).toBeVisible()
  expect(await everyFault(page)).toEqual([])
  // The first is chosen already; down and up come back to it.
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowUp')
  await expect(luis).toHaveAttribute('data-highlighted', '')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/operator\/members\/\d+$/)
  await expect(page.getByRole('heading', { level: 1, name: 'luis' })).toBeVisible()

  await page.keyboard.press('Control+k')
  await expect(page.getByText('Opened lately')).toBeVisible()
  await expect(page.getByRole('option', { name: /^luis/ })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(box).toBeHidden()
})

test('the list holds its filters in the address, and its export has what it shows', async ({ page }) => {
  await openAs(page, 'olga', '/operator/members', 'en')
  await expect(rows(page).first()).toBeVisible()
  expect(await everyFault(page)).toEqual([])
  await expect(page.getByRole('status').filter({ hasText: /^\d+ members$/ })).toBeVisible()
  await page.getByText('More filters').click()
  await page.getByLabel('Active', { exact: true }).selectOption('true')
  await expect(page).toHaveURL(/active=true/)
  await page.getByLabel('Sponsor').fill('ana')
  await page.getByRole('button', { name: 'Find' }).click()
  await expect(page).toHaveURL(/sponsor=ana/)
  await expect(rows(page).first()).toContainText('by ana')
  await page.reload()
  await expect(page.getByLabel('Sponsor')).toHaveValue('ana')
  await expect(rows(page).first()).toContainText('by ana')
  const shown = await rows(page).getByRole('link').allTextContents()
  await expect(page.getByText(`${shown.length} members`)).toBeVisible()
  const [head, ...lines] = wholeLines(await exported(page, /^CSV/))
  expect(head).toContain('id,username,name,email')
  expect(lines.map((line) => line.split(',')[1]).toSorted()).toEqual(shown.toSorted())
  await page.goBack()
  await expect(page).not.toHaveURL(/sponsor/)
})

test('a member’s page: the running balance ends at the balance, tabs have addresses, and looking is recorded', async ({
  page,
}) => {
  await openAs(page, 'olga', '/operator/members?q=ana', 'en')
  await rows(page).getByRole('link', { name: 'ana', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'ana' })).toBeVisible()
  const first = rows(page).first()
  await expect(first).toBeVisible()
  // What is asked for again is shown paler meanwhile.
  await expect(page.locator('[data-refreshing=true]')).toHaveCount(0)
  expect(await everyFault(page)).toEqual([])
  const file = wholeLines(await exported(page, /^JSON/)).map((line) => JSON.parse(line))
  const balance = page.getByRole('region', { name: 'What they have' }).locator('dd').first()
  const figure = (text: string | null) => (text ?? '').replace(/[^\d.]/g, '')
  // The page cuts to cents; the file has every decimal.
  expect(figure(await balance.textContent())).toBe(file.at(-1).balance.replace(/(\.\d\d)\d+$/, '$1'))
  let sum = 0n
  const micro = (text: string) => {
    const [whole = '0', part = ''] = text.replace('-', '').split('.')
    return BigInt(whole + part.padEnd(6, '0')) * (text.startsWith('-') ? -1n : 1n)
  }
  for (const line of file) {
    sum += micro(line.to_balance)
    expect(micro(line.balance)).toBe(sum)
  }
  await test.step('a payment leads to its run', async () => {
    await first.getByRole('link', { name: /^Run \d+$/ }).click()
    await expect(page).toHaveURL(/\/operator\/runs\/\d+$/)
    await expect(page.getByRole('heading', { level: 2, name: 'Figures' })).toBeVisible()
    await page.goBack()
    await expect(first).toBeVisible()
  })
  for (const tab of [
    'Investments',
    'Payments',
    'Withdrawals',
    'Network',
    'Security',
    'Mails',
    'Chat',
    'Notes',
    'Who looked',
  ]) {
    await page.getByRole('tab', { name: tab, exact: true }).click()
    await expect(page).toHaveURL(/tab=/)
    await expect(page.getByRole('tabpanel').locator('[aria-busy=true], [data-refreshing=true]')).toHaveCount(
      0,
    )
    await expect(page.getByRole('tabpanel').getByText(/[a-z]+_[a-z]+/)).toHaveCount(0)
    expect([tab, await everyFault(page)]).toEqual([tab, []])
  }
  await expect(page.getByRole('tabpanel').getByRole('cell', { name: 'olga' }).first()).toBeVisible()
  await page.reload()
  await expect(page.getByRole('tab', { name: 'Who looked' })).toHaveAttribute('aria-selected', 'true')
})
