/** Payments that do not come as asked: in parts, too much, late, for two investments at once, begun in another browser. */
import { investmentPayment } from '@aval/contract'
import { type Browser, expect, type Locator, test } from '@playwright/test'
import { type Client, PASSWORD, register, signIn } from '../tools/testing/client.ts'
import { overflow } from './axe.ts'
import { type Language, openAs, product } from './fixture.ts'
import { advanceDay, button, deviceOf, type Person, personAt } from './person.ts'

/** A payer on the development chain, and what the screens say of it. */
interface Payer extends Person {
  readonly member: Client
  readonly dialog: Locator
  readonly pending: Locator
}

async function payer(person: Person, language: Language): Promise<Payer> {
  const member = await register(product.url)
  await openAs(person.page, member, '/dashboard', language)
  const dialog = person.page.getByRole('dialog', { name: person.say('investTitle') })
  const pending = person.page.getByRole('region', { name: person.say('pendingTitle') })
  return { ...person, member, dialog, pending }
}

const live = ({ dialog }: Payer, state: string) => dialog.locator(`[data-state="${state}"]`)
const inDialog = ({ dialog }: Payer, name: string | RegExp) => dialog.getByRole('button', { name })

async function ask(who: Payer, amount: string): Promise<void> {
  const { page, say, press, dialog } = who
  await press(button(who, say('investNow')))
  await dialog.getByRole('textbox').fill(amount)
  await press(inDialog(who, new RegExp(`^${say('invest')}$`)))
  await expect(live(who, 'waiting')).toBeVisible()
  expect(await overflow(page)).toBe(0)
}

const addressOf = (who: Payer) => who.dialog.locator('[data-address]').getAttribute('data-address')

async function pay(to: string | null, amount: string): Promise<void> {
  const answer = await fetch(`${product.devnetUrl}/dev/pay`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ to, amount }),
  })
  expect(answer.status).toBe(200)
}

const figure = ({ page }: Payer, name: 'balance' | 'investment') =>
  page.locator(`[data-figure="${name}"]`).first()

/** Paid, with what was bought; the figures behind follow without a reload. */
async function done(who: Payer, investment: string): Promise<void> {
  await expect(live(who, 'paid')).toBeVisible()
  expect(await overflow(who.page)).toBe(0)
  await who.press(inDialog(who, who.say('done')))
  await expect(who.dialog).toBeHidden()
  await expect(figure(who, 'investment')).toContainText(who.say('written')(investment))
}

async function inThreeParts(who: Payer): Promise<void> {
  await ask(who, '700')
  const address = await addressOf(who)
  await pay(address, '300')
  await expect(live(who, 'partly_paid')).toContainText(who.say('written')('403.50'))
  await expect(who.dialog.locator('.pay-amount')).toContainText(who.say('written')('403.50'))
  await who.page.keyboard.press('Escape')
  await expect(who.pending).toContainText(who.say('written')('300.00'))
  await pay(address, '200')
  await who.press(who.pending.getByRole('button', { name: who.say('goOn') }))
  await expect(live(who, 'partly_paid')).toContainText(who.say('written')('203.50'))
  await pay(address, '203.50')
  await done(who, '700.00')
  await expect(who.pending).toBeHidden()
}

async function tooMuch(who: Payer): Promise<void> {
  await ask(who, '10')
  await pay(await addressOf(who), '106.05')
  await expect(live(who, 'paid')).toContainText(who.say('written')('96.00'))
  await done(who, '710.00')
  await expect(who.page.getByText(who.say('written')('96.00')).first()).toBeAttached()
}

/** What arrives counts for the older one, which the newer one says. */
async function twoAtOnce(who: Payer): Promise<void> {
  const older = await who.member.post('plans/create-investment-payment/', { amount: 20 })
  const { address } = older.as(investmentPayment).result
  await who.page.reload()
  await expect(who.pending).toContainText(who.say('written')('20.00'))
  await who.member.post('plans/create-investment-payment/', { amount: 30 })
  await who.press(button(who, who.say('investNow')))
  await expect(who.dialog).toContainText(who.say('behind'))
  await pay(address, '20.10')
  await expect(who.dialog).not.toContainText(who.say('behind'))
  await pay(address, '30.15')
  await done(who, '760.00')
}

async function inAnotherBrowser(who: Payer, browser: Browser, language: Language): Promise<void> {
  await ask(who, '40')
  await pay(await addressOf(who), '10')
  await expect(live(who, 'partly_paid')).toBeVisible()
  await who.page.keyboard.press('Escape')
  const context = await browser.newContext(deviceOf(1280))
  const elsewhere = personAt(await context.newPage(), language, 1280)
  await openAs(
    elsewhere.page,
    await signIn(product.url, who.member.username, PASSWORD),
    '/investment-history',
    language,
  )
  const pending = elsewhere.page.getByRole('region', { name: who.say('pendingTitle') })
  await elsewhere.press(pending.getByRole('button', { name: who.say('goOn') }))
  await expect(elsewhere.page.getByRole('dialog').locator('.pay-amount')).toContainText(
    who.say('written')('30.20'),
  )
  await context.close()
}

async function withTheBalance(who: Payer): Promise<void> {
  await who.press(who.pending.getByRole('button', { name: who.say('goOn') }))
  await who.press(inDialog(who, who.say('completeWith')))
  await done(who, '800.00')
}

async function cancelledAfterAPart(who: Payer): Promise<void> {
  await ask(who, '50')
  await pay(await addressOf(who), '12.34')
  await expect(live(who, 'partly_paid')).toBeVisible()
  await who.press(inDialog(who, who.say('cancelInvestment')))
  await who.press(who.page.getByRole('alertdialog').getByRole('button', { name: who.say('yesCancel') }))
  await expect(live(who, 'cancelled')).toContainText(who.say('written')('12.34'))
  expect(await overflow(who.page)).toBe(0)
  await who.press(inDialog(who, who.say('investFromBalance')))
  await expect(who.dialog.getByRole('checkbox')).toBeChecked()
  await who.page.keyboard.press('Escape')
}

async function late(who: Payer): Promise<void> {
  await ask(who, '60')
  const address = await addressOf(who)
  await pay(address, '5')
  await expect(live(who, 'partly_paid')).toBeVisible()
  await who.page.keyboard.press('Escape')
  await advanceDay(who)
  await pay(address, '55.30')
  await expect(async () => {
    await who.page.goto('/investment-history')
    await expect(who.pending).toBeVisible()
    await expect(who.pending).toContainText(/60[.,]30/, { timeout: 3_000 })
  }).toPass()
  await who.press(who.pending.getByRole('button', { name: who.say('investFromCard') }).last())
  await expect(who.dialog.getByRole('checkbox')).toBeChecked()
}

for (const [language, width] of [
  ['es', 390],
  ['en', 1280],
] as const)
  test.describe(`in ${language} at ${width} pixels`, () => {
    test.use(deviceOf(width))

    test('a payment that does not come as asked ends in a state that says what happened', async ({
      page,
      browser,
    }) => {
      const who = await payer(personAt(page, language, width), language)
      await test.step('in three parts', () => inThreeParts(who))
      await test.step('too much', () => tooMuch(who))
      await test.step('with two open', () => twoAtOnce(who))
      await test.step('begun here, gone on with elsewhere', () => inAnotherBrowser(who, browser, language))
      await test.step('completed with the balance', () => withTheBalance(who))
      await test.step('cancelled after a part', () => cancelledAfterAPart(who))
      await test.step('late', () => late(who))
    })
  })
