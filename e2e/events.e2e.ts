/** What changes comes to the pages by itself: one stream for all tabs of a browser. */
import { investmentPayment } from '@aval/contract'
import { expect, test } from '@playwright/test'
import { register } from '../tools/testing/client.ts'
import { openAs, product } from './fixture.ts'

const EVENTS = '/api/core/events/'

test('a payment on the chain moves the figures of two open tabs, which share one stream', async ({
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
  expect(streams).toHaveLength(1)
})
