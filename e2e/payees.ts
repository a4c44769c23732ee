/** Members who ask to be paid. */
import { createHash } from 'node:crypto'
import { investmentPayment } from '@aval/contract'
import { addressFromPrivateKey } from '@aval/tron'
import { expect } from '@playwright/test'
import { type Client, codeByMail, inMail, register } from '../tools/testing/client.ts'
import { until } from '../tools/testing/until.ts'
import { product } from './fixture.ts'

async function payIn(address: string, amount: number, key: string): Promise<void> {
  const paid = await fetch(`${product.devnetUrl}/dev/pay`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ to: address, amount: String(amount), key }),
  })
  expect(paid.ok).toBe(true)
}

/** Asks for an invoice and pays it, and so much more. */
export async function invest(client: Client, amount: number, surplus = 0): Promise<void> {
  const invoice = await client.post('plans/create-investment-payment/', { amount })
  const { address, amount: due, txn_id: key } = invoice.as(investmentPayment).result
  await payIn(address, Number(due) + surplus, key)
}

/** A member who paid more than was invested, and registered a wallet; that is asked to be paid to. */
export async function newMember(
  username: string,
  surplus: number,
): Promise<{ client: Client; wallet: string }> {
  const client = await register(product.url, '0', username)
  await invest(client, 500, surplus)
  const wallet = addressFromPrivateKey(createHash('sha256').update(username).digest())
  await client.patch('auth/user/', { usdt_wallet: wallet })
  const code = await codeByMail(product, `${username}@example.com`, 'billetera')
  const changed = await client.patch('auth/user/', { usdt_wallet: wallet, secret_code: code })
  expect(changed.status).toBe(200)
  await until('the balance', async () => {
    const { body } = await client.get('auth/user/')
    return (body as { balance: number }).balance >= surplus ? true : null
  })
  return { client, wallet }
}

/**
 * A new member asks for so many withdrawals of a little above `base`, each of another amount, so that its code can be recognised.
 * @returns the wallet that they are to
 */
export async function askFor(count: number, username: string, base = 50): Promise<string> {
  const { client, wallet } = await newMember(username, count * (base + 1) + 500)
  for (let at = 1; at <= count; at += 1) {
    const amount = `${base}.${String(at).padStart(2, '0')}`
    await client.post('withdrawals/withdrawals/create-code/', { amount, wallet_address: wallet })
    const code = await codeByMail(product, `${username}@example.com`, `retirar ${inMail(amount)}`)
    const asked = await client.post('withdrawals/withdrawals/', {
      amount,
      wallet_address: wallet,
      used_code: code,
    })
    expect(asked.status, JSON.stringify(asked.body)).toBe(201)
  }
  return wallet
}
