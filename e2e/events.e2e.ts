/** What changes comes to the pages by itself: one stream for all tabs of a browser. */
import { investmentPayment } from '@aval/contract'
import { expect, type Page, test } from '@playwright/test'
import { type Client, register } from '../tools/testing/client.ts'
import { openAs, product } from './fixture.ts'

const EVENTS = '/api/core/events/'

/** A form that something was typed into, beside a time. @returns what the time was written as */
async function typeBesideATime(tab: Page): Promise<string> {
  await tab.goto(`${product.url}/security`)
  await tab.getByLabel('Current password').fill('typed')
  return (await aTime(tab).textContent()) ?? ''
}

/** Of one list, because two come in either order. */
const aTime = (tab: Page) =>
  tab
    .getByRole('region', { name: 'Open sessions' })
    .getByRole('cell', { name: /\d\d:\d\d/ })
    .first()

/** In the profile of another device, once this one has said its own. */
async function moveToTokyo(member: Client): Promise<void> {
  await expect
    .poll(async () => ((await member.get('auth/user/')).body as { time_zone: string | null }).time_zone)
    .toBe('UTC')
  await member.patch('auth/user/', { time_zone: 'Asia/Tokyo' })
}

test('a payment on the chain moves the figures of open tabs, which share one stream; another time zone its times, and nothing typed', async ({
  page,
  context,
}) => {
  const streams: string[] = []
  context.on('response', (response) => {
    if (response.url().endsWith(EVENTS)) streams.push(`${response.status()} ${response.url()}`)
  })
  const member = await register(product.url)
  const asked = await member.post('plans/create-investment-payment/', { amount: '500' })
  const { address, amount } = asked.as(investmentPayment).result

  await openAs(page, member, '/dashboard', 'en')
  const other = await context.newPage()
  await other.goto(`${product.url}/dashboard`)
  const tabs = [page, other]
  for (const tab of tabs) {
    await expect(tab.getByRole('region', { name: 'Investment value', exact: true })).toContainText('0.00')
    await tab.evaluate('window.isStillHere = true')
  }
  const form = await context.newPage()
  const written = await typeBesideATime(form)
  await moveToTokyo(member)
  await expect.poll(() => streams).toEqual([`200 ${product.url}${EVENTS}`])

  const paid = await fetch(`${product.devnetUrl}/dev/pay`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ to: address, amount }),
  })
  expect(paid.ok).toBe(true)
  for (const tab of tabs) {
    await expect(tab.getByRole('region', { name: 'Investment value', exact: true })).toContainText('500.00')
    expect(await tab.evaluate('window.isStillHere')).toBe(true)
  }
  await expect(aTime(form)).not.toHaveText(written)
  await expect(form.getByLabel('Current password')).toHaveValue('typed')
  expect(streams).toHaveLength(1)
})
