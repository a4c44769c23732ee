import { investmentEntry, investmentPayment, pageOf } from '@aval/contract'
import { expect, test } from '@playwright/test'
import { TronWeb } from 'tronweb'
import { register } from '../tools/testing/client.ts'
import { product } from './fixture.ts'

/** Any key will do: the faucet fills its account. */
const WALLET_KEY = '11'.repeat(32)

test('a few lines of unmodified tronweb pay an invoice, and verify answers before, during and after', async () => {
  const member = await register(product.url)
  const asked = await member.post('plans/create-investment-payment/', { amount: 1000 })
  const { txn_id, address, amount } = asked.as(investmentPayment).result
  const verify = () => member.post('plans/verify-investment-amount/', { txn_id })
  expect(await verify()).toMatchObject({
    status: 422,
    body: expect.stringContaining('Todavía no vemos tu pago'),
  })

  const tronWeb = new TronWeb({ fullHost: product.devnetUrl, privateKey: WALLET_KEY })
  const from = tronWeb.address.fromPrivateKey(WALLET_KEY)
  const { usdt } = (await (await fetch(`${product.devnetUrl}/dev/status`)).json()) as { usdt: string }
  await fetch(`${product.devnetUrl}/dev/faucet`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ address: from, usdt: '2000', trx: '1000' }),
  })
  await expect.poll(() => tronWeb.trx.getUnconfirmedBalance(from || '')).toBeGreaterThan(0)

  const contract = await tronWeb.contract().at(usdt)
  const txid = await contract['transfer']?.(
    address,
    amount.replace('.', '').padEnd(amount.indexOf('.') + 6, '0'),
  ).send()
  expect(txid).toMatch(/^[0-9a-f]{64}$/)

  await expect.poll(async () => (await verify()).body, { intervals: [150] }).toMatch(/\d de 3 confirmaciones/)
  await expect.poll(async () => (await verify()).status).toBe(200)
  expect((await verify()).body).toContain('$1.000,00')
  expect((await member.get('core/dashboard/')).body).toMatchObject({ investment_amount: 1000 })
  const [entry] = (await member.get('plans/history/')).as(pageOf(investmentEntry)).results
  expect(entry?.explorer_url).toBe(`${product.devnetUrl}/tx/${txid}`)
})
