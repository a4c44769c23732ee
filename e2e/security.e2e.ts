import { expect, type Page, test } from '@playwright/test'
import { mailTo, PASSWORD, register } from '../tools/testing/client.ts'
import { journeyDataDir } from '../tools/testing/journey-place.ts'
import { codeOf, freshCode } from '../tools/testing/one-time-code.ts'
import { until } from '../tools/testing/until.ts'
import { axeFaults, overflow } from './axe.ts'
import { amend, heading, openAs, openIn, product } from './fixture.ts'
import { deviceOf, enter, go, leave, type Person, personAt } from './person.ts'

const SECOND = 'second-password'
const THIRD = 'third-password'

async function paste(page: Page, label: string, text: string): Promise<void> {
  await page.getByLabel(label).focus()
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`)
  await page.keyboard.press('ControlOrMeta+V')
}

/** Checks the whole page at once: what a bar over it hides in part would count as too small to press. */
async function expectAccessible(page: Page): Promise<void> {
  const { width, height } = page.viewportSize() ?? { width: 1280, height: 800 }
  await page.setViewportSize({ width, height: 3000 })
  expect([await axeFaults(page), await overflow(page)]).toEqual([[], 0])
  await page.setViewportSize({ width, height })
}

/** The wire's session is ended, the password changed, and the second factor set up. */
async function secure({ page, say }: Person, isWireLive: () => Promise<boolean>) {
  await expect(page.getByText(say('newDevice'))).toBeVisible()
  expect(await isWireLive()).toBe(true)
  // Of the wire's two, registering and signing in, the one that was used last stands first.
  await page
    .getByRole('button', { name: say('endUnknown') })
    .first()
    .click()
  await expect(page.getByText(say('ended'))).toBeVisible()
  expect(await isWireLive()).toBe(false)

  const current = page.getByLabel(say('currentPassword'))
  await current.fill('not-the-password')
  await page.getByLabel(say('newPassword'), { exact: true }).fill(SECOND)
  await page.getByLabel(say('repeatNew')).fill(SECOND)
  await page.getByRole('button', { name: say('reset') }).click()
  await expect(page.getByText(say('wrong'))).toBeVisible()
  await expect(current).toBeFocused()
  await expect(page.getByLabel(say('repeatNew'))).toHaveValue(SECOND)
  await current.fill(PASSWORD)
  await page.getByRole('button', { name: say('reset') }).click()
  await expect(page.getByText(say('changed'))).toBeVisible()
  await expect(current).toHaveValue('')

  const card = page.getByRole('region', { name: say('twoFactor') })
  await card.getByRole('button', { name: say('turnOn') }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(say('currentPassword')).fill('not-the-password')
  await dialog.getByRole('button', { name: say('continue'), exact: true }).click()
  await expect(dialog.getByText(say('wrong'))).toBeVisible()
  await expectAccessible(page)
  await dialog.getByLabel(say('currentPassword')).fill(SECOND)
  await dialog.getByRole('button', { name: say('continue'), exact: true }).click()
  const secret = (await card.locator('.address .visually-hidden').textContent()) ?? ''
  await expect(page.getByText(say('changed'))).toBeHidden()
  await expectAccessible(page)
  await card.getByLabel(say('appCode')).fill(codeOf(secret))
  const list = card.getByRole('list').getByRole('listitem')
  await expect(list).toHaveCount(10)
  const [recovery = ''] = await list.allTextContents()
  await card.getByRole('button', { name: say('done') }).click()
  await expect(card.getByText(say('notStored'))).toBeVisible()
  await card.getByLabel(say('stored')).check()
  await expectAccessible(page)
  await card.getByRole('button', { name: say('done') }).click()
  await expect(card.getByText(say('on'), { exact: true })).toBeVisible()
  return { secret, recovery }
}

/** Forgets the password, and chooses another with the code or the link of the e-mail. */
async function recover(person: Person, email: string, by: 'code' | 'link'): Promise<void> {
  const { page, say } = person
  await go(person, page.getByRole('link', { name: say('forgot') }), say('recover'))
  await page.getByLabel(say('email'), { exact: true }).fill(email)
  await expectAccessible(page)
  const link = /http\S+\/auth\/reset-password#\S+/
  const letters = async () => (await mailTo(product, email)).filter(({ text }) => link.test(text))
  const before = (await letters()).length
  await page.getByRole('button', { name: say('send') }).click()
  await expect(page.getByText(say('codeSent'))).toBeVisible()
  await expect(heading(page, say('chooseNew'))).toBeVisible()
  const text = await until('the message with the code', async () => {
    const [newest, ...older] = await letters()
    return newest !== undefined && older.length === before ? newest.text : null
  })
  const code = /\b\d{7}\b/.exec(text)?.[0] ?? ''
  await expect(page.getByLabel(say('email'), { exact: true })).toHaveValue(email)
  const wrong = String((Number(code) + 1) % 10_000_000).padStart(7, '0')
  await page.getByLabel(say('resetCode')).fill(wrong)
  await page.getByLabel(say('newPassword'), { exact: true }).fill(THIRD)
  await page.getByLabel(say('repeatNew')).fill(THIRD)
  await page.getByRole('button', { name: say('reset') }).click()
  await expect(page.getByText(say('refused'))).toBeVisible()
  await expect(page.getByLabel(say('resetCode'))).toBeFocused()
  await expectAccessible(page)
  if (by === 'link') await followLink({ page, say }, link.exec(text)?.[0] ?? '')
  else await page.getByLabel(say('resetCode')).fill(code)
  await page.getByRole('button', { name: say('reset') }).click()
  await expect(page.getByText(say('passwordReset'))).toBeVisible()
  await expect(heading(page, say('signInTitle'))).toBeVisible()
  if (by === 'code') await expect(page.getByLabel(say('identity'))).toHaveValue(email)
  else await page.getByLabel(say('identity')).fill(email)
}

/** A link asks for nothing but the password; one that is none says so. */
async function followLink({ page, say }: Pick<Person, 'page' | 'say'>, link: string): Promise<void> {
  const choose = async () => {
    await page.getByLabel(say('newPassword'), { exact: true }).fill(THIRD)
    await page.getByLabel(say('repeatNew')).fill(THIRD)
  }
  await page.goto('about:blank')
  await page.goto(`${link.split('#')[0]}#${'x'.repeat(43)}`)
  await choose()
  await page.getByRole('button', { name: say('reset') }).click()
  await expect(page.getByRole('alert')).toContainText(say('linkRefused'))
  await expectAccessible(page)
  await page.goto('about:blank')
  await page.goto(link)
  await expect(page.getByLabel(say('email'), { exact: true })).toHaveCount(0)
  await choose()
}

for (const [language, width] of [
  ['es', 1280],
  ['en', 390],
] as const)
  test.describe(`in ${language} at ${width} pixels`, () => {
    test.use({ ...deviceOf(width), permissions: ['clipboard-read', 'clipboard-write'] })

    test('an account is secured and recovered', async ({ page }) => {
      const person = personAt(page, language, width)
      const { say } = person
      const wire = await register(product.url)
      const { username } = wire

      await openIn(page, language, '/auth/login/?next=/security')
      await enter(person, username, PASSWORD)
      await expect(heading(page, say('security'))).toBeVisible()
      const isWireLive = async () => (await wire.get('auth/user/')).status === 200
      const { secret, recovery } = await secure(person, isWireLive)
      await leave(person)

      await openIn(page, language, '/auth/login/')
      await enter(person, username, SECOND)
      await expect(heading(page, say('twoFactor'))).toBeVisible()
      const code = (await freshCode(journeyDataDir, username, secret)) ?? ''
      await paste(page, say('code'), ` ${code.slice(0, 3)} ${code.slice(3)} `)
      await expect(heading(page, say('greeting'))).toBeVisible()
      await leave(person)

      await openIn(page, language, '/auth/login/')
      await recover(person, `${username}@example.com`, language === 'es' ? 'link' : 'code')
      await page.getByLabel(say('password'), { exact: true }).fill(THIRD)
      await page.getByRole('button', { name: say('signIn'), exact: true }).click()
      await expect(heading(page, say('twoFactor'))).toBeVisible()
      await paste(page, say('code'), recovery)
      await expect(page.getByLabel(say('recovery'))).toHaveValue(recovery)
      await page.keyboard.press('Enter')
      await expect(heading(page, say('greeting'))).toBeVisible()
    })
  })

const LONGEST = '203.113.208.145'

test('at 768 px an address of the session list stands in one line', async ({ page }) => {
  await page.setViewportSize({ width: 768, height: 1024 })
  // The longest there is: the one of this machine stood in one line where others did not.
  await amend<{ results: object[] }>(page, '**/api/auth/sessions/?page=1', ({ results }) => ({
    results: results.map((one) => ({ ...one, ip: LONGEST })),
  }))
  await openAs(page, 'ana', '/security')
  const addresses = page.locator('.security-ip')
  await expect(addresses.first()).toHaveText(LONGEST)
  const lines = await page.evaluate<number[]>(`[...document.querySelectorAll('.security-ip')].map((one) => {
    const range = document.createRange()
    range.selectNodeContents(one)
    return range.getClientRects().length
  })`)
  expect(new Set(lines)).toEqual(new Set([1]))
  expect(await overflow(page)).toBe(0)
})
