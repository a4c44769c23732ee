/** Members who ask to be paid. */
import { createHash } from 'node:crypto'
import { investmentPayment } from '@aval/contract'
import { addressFromPrivateKey } from '@aval/tron'
import { expect, type Locator, type Page } from '@playwright/test'
import { type Client, codeByMail, inMail, register } from '../tools/testing/client.ts'
import { until } from '../tools/testing/until.ts'
import { type Language, product } from './fixture.ts'
import { wordsIn } from './words.ts'

/** Pays USDT to an address on the development chain, once for a key. */
export async function payIn(address: string, amount: number, key: string): Promise<void> {
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

/** An amount as pages write it, in whichever way a language groups. */
const written = (amount: string): string => {
  const [whole = '', part = '00'] = amount.split('.')
  return `${whole.replace(/\B(?=(\d{3})+$)/g, '[.,]')}[.,]${part}`
}

/** On the page of withdrawals: the amount is typed, and what becomes of it is shown. */
export async function reviewWithdrawal(page: Page, amount: string, language: Language = 'es'): Promise<void> {
  const field = page.getByLabel(wordsIn(language)('amount'), { exact: true })
  await field.fill(amount)
  await field.press('Enter')
  await expect(page.locator('.withdrawal-quote')).toBeVisible()
}

/**
 * Asks for a withdrawal as members do, section by section, and sees the page lead to its timeline.
 * @param code reads the code out of the mailbox, once it was asked for; null where a passkey signs
 * @returns the timeline of the new withdrawal
 */
export async function requestWithdrawal(
  page: Page,
  {
    amount,
    code,
    language = 'es',
  }: { amount: string; code: (() => Promise<string>) | null; language?: Language },
): Promise<Locator> {
  const say = wordsIn(language)
  await reviewWithdrawal(page, amount, language)
  if (code === null) await page.getByRole('button', { name: say('withPasskey') }).click()
  else {
    await page.getByRole('button', { name: say('generate') }).click()
    await expect(page.getByLabel(say('secretCode'))).toBeFocused()
    await page.getByLabel(say('secretCode')).fill(await code())
    await page.getByRole('button', { name: new RegExp(`^${say('submit')} .*${written(amount)}$`) }).click()
  }
  await expect(page.getByText(say('withdrawn'))).toBeVisible()
  const heading = page.getByRole('heading', { name: new RegExp(`${say('withdrawalOf')}${written(amount)}$`) })
  await expect(heading).toBeFocused()
  await expect(heading).toBeInViewport()
  return page.getByRole('region').filter({ has: heading })
}
