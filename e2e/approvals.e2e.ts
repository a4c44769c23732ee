/** Approving with passkeys: made on the page, pinned by a command, verified by the signer. */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { investmentPayment } from '@aval/contract'
import { addressFromPrivateKey } from '@aval/tron'
import { type Browser, expect, type Page, test } from '@playwright/test'
import { childEnvironment, root } from '../tools/core/config.ts'
import { ownKeyFile } from '../tools/supervisor/signer.ts'
import { type Client, codeByMail, register } from '../tools/testing/client.ts'
import { journeyApprovalsUrl, journeyDataDir } from '../tools/testing/journey-place.ts'
import { until } from '../tools/testing/until.ts'
import { openApprovals } from './approving.ts'
import { expectAccessible } from './axe.ts'
import { openAs, product } from './fixture.ts'

/** APPROVE_ROWS=1500 makes it the day of a large company. One member asks for at most so many. */
const ROWS = Number(process.env['APPROVE_ROWS'] ?? 30)
const ROWS_OF_MEMBER = 30

// Most of a large one is asking: every withdrawal takes a code from the mailbox.
test.describe.configure({ mode: 'serial', timeout: 240_000 + ROWS * 2_000 })

async function payIn(address: string, amount: number, key: string): Promise<void> {
  const paid = await fetch(`${product.devnetUrl}/dev/pay`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ to: address, amount: String(amount), key }),
  })
  expect(paid.ok).toBe(true)
}

/** A member who paid more than was invested, and registered a wallet; that is asked to be paid to. */
async function newMember(username: string): Promise<{ client: Client; wallet: string }> {
  const client = await register(product.url, '0', username)
  const invoice = await client.post('plans/create-investment-payment/', { amount: 500 })
  const { address, amount, txn_id: key } = invoice.as(investmentPayment).result
  await payIn(address, Number(amount) + 2_000, key)
  const wallet = addressFromPrivateKey(createHash('sha256').update(username).digest())
  await client.patch('auth/user/', { usdt_wallet: wallet })
  const code = await codeByMail(product, `${username}@example.com`, 'billetera')
  const changed = await client.patch('auth/user/', { usdt_wallet: wallet, secret_code: code })
  expect(changed.status).toBe(200)
  await until('the balance', async () => {
    const { body } = await client.get('auth/user/')
    return (body as { balance: number }).balance >= 2_000 ? true : null
  })
  return { client, wallet }
}

/** Asks for so many withdrawals of a little above 50, each of another amount, so that its code can be told. */
async function askFor(count: number, username: string): Promise<void> {
  const { client, wallet } = await newMember(username)
  for (let at = 1; at <= count; at += 1) {
    const amount = `50.${String(at).padStart(2, '0')}`
    await client.post('withdrawals/withdrawals/create-code/', { amount, wallet_address: wallet })
    const code = await codeByMail(product, `${username}@example.com`, `retirar ${amount}`)
    const asked = await client.post('withdrawals/withdrawals/', {
      amount,
      wallet_address: wallet,
      used_code: code,
    })
    expect(asked.status, JSON.stringify(asked.body)).toBe(201)
  }
}

/** The authenticator of the operator's own device. */
async function addAuthenticator(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

/** Makes a passkey on the page. @returns the line to hand over, and the fingerprint to read out */
async function enrol(page: Page): Promise<{ line: string; fingerprint: string }> {
  await page.getByRole('link', { name: 'Crear mi llave' }).click()
  await page.getByRole('button', { name: 'Crear la llave' }).click()
  await expect(page.getByText('Llave creada')).toBeVisible()
  const shown = async (name: string) =>
    (await page.locator('dl > div').filter({ hasText: name }).locator('code').textContent()) ?? ''
  return { line: await shown('Línea'), fingerprint: await shown('Huella') }
}

/** On the signer's machine: shows whose key it is, asks, and pins it. @returns what it said */
async function pin(line: string): Promise<string> {
  const secrets = JSON.parse(await readFile(join(journeyDataDir, 'secrets.json'), 'utf8'))
  const file = ownKeyFile(journeyDataDir)
  const command = spawn(process.execPath, ['tools/keys.ts', 'approver', 'add', file, '--key', line], {
    cwd: root,
    env: childEnvironment({ SIGNER_PASSPHRASE: secrets.signerPassphrase }),
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let said = ''
  command.stdout.on('data', (part: Buffer) => (said += part))
  command.stdin.end('yes\n')
  expect(await once(command, 'close')).toEqual([0, null])
  return said
}

/** The page of an operator whose device has a passkey that the signer knows. */
async function operatorWithKey(browser: Browser, username: string): Promise<Page> {
  const page = await openApprovals(browser, username)
  await addAuthenticator(page)
  const { line, fingerprint } = await enrol(page)
  await expectAccessible(page)
  expect(await pin(line)).toContain(fingerprint)
  await page.getByRole('link', { name: 'Retiros', exact: true }).click()
  return page
}

/** Chooses all that this search finds, and approves it by passkey. */
async function approveFound(page: Page, typed: string, count: number): Promise<void> {
  await page.getByLabel('Buscar').fill(typed)
  await expect(page.getByText(`${count.toLocaleString('en-US')} retiros ·`)).toBeVisible()
  await page.getByLabel('Elegir todo lo que se muestra').check()
  await page.getByRole('button', { name: 'Revisar' }).click()
  await expect(
    page.getByRole('heading', { name: `Vas a firmar ${count.toLocaleString('en-US')} retiros` }),
  ).toBeVisible()
  await page.getByRole('button', { name: 'Aprobar con mi llave' }).click()
}

const NAMES = Array.from({ length: Math.ceil(ROWS / ROWS_OF_MEMBER) }, (_, at) => `keypayee${at + 1}`)

test(`${ROWS} withdrawals are approved by two operators, each with a passkey that the signer knows`, async ({
  browser,
}) => {
  await test.step('members ask', async () => {
    for (const name of NAMES) await askFor(ROWS_OF_MEMBER, name)
  })
  const olga = await operatorWithKey(browser, 'olga')
  await test.step('one operator is not enough: a member’s withdrawals of a day count together', async () => {
    await approveFound(olga, 'keypayee', ROWS)
    await expect(olga.getByText('La bóveda la aceptó')).toBeVisible()
    await expect(olga.getByText(/les falta otra persona: 1 de 2 operadores/)).toBeVisible()
    await expectAccessible(olga, 390, 1280)
  })
  const omar = await operatorWithKey(browser, 'omar')
  await approveFound(omar, 'keypayee', ROWS)
  await expect(omar.getByText('La bóveda la aceptó')).toBeVisible()
  await expect(omar.getByText(/tienen todas sus aprobaciones/)).toBeVisible()
  await omar.getByRole('button', { name: 'Volver a la lista' }).click()
  await omar.getByLabel('Buscar').fill('keypayee')
  await expect(omar.getByText(/Nada (coincide|espera)/)).toBeVisible()
})

test('a key that nobody pinned approves nothing, and the page says why', async ({ browser }) => {
  await askFor(1, 'keystranger')
  const page = await openApprovals(browser, 'olga')
  await addAuthenticator(page)
  await enrol(page)
  await page.getByRole('link', { name: 'Retiros', exact: true }).click()
  await page.getByLabel('Buscar').fill('keystranger')
  await page.getByRole('listitem').getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Revisar' }).click()
  await page.getByRole('button', { name: 'Aprobar con mi llave' }).click()
  await expect(page.getByText('La bóveda la rechazó')).toBeVisible()
  await expect(page.getByText('El firmante no conoce esa llave')).toBeVisible()
  await expectAccessible(page, 390, 1280)
})

test('under its number the page says where to go, and shows nothing', async ({ page }) => {
  await page.goto(journeyApprovalsUrl.replace('localhost', '127.0.0.1'))
  await expect(page.getByText('Abriste esta página en otra dirección')).toBeVisible()
  await expect(page.getByLabel('¿Quién eres?')).toHaveCount(0)
  await expectAccessible(page, 390, 1280)
  await page.getByRole('link', { name: `Abrir ${journeyApprovalsUrl}` }).click()
  await expect(page.getByLabel('¿Quién eres?')).toBeVisible()
  await expectAccessible(page, 390, 768, 1280)
})

test('each of its files is named with its hash, and the policy has nothing to stop', async ({ page }) => {
  const stopped: string[] = []
  page.on('console', (message) => {
    if (/Content Security Policy|Trusted|integrity/i.test(message.text())) stopped.push(message.text())
  })
  await page.goto(journeyApprovalsUrl)
  await expect(page.getByLabel('¿Quién eres?')).toBeVisible()
  await expect(page.locator('script')).toHaveCount(2)
  await expect(page.locator('script:not([integrity]), link[rel=stylesheet]:not([integrity])')).toHaveCount(0)
  expect(stopped).toEqual([])
})

test('a wrong code is refused by name, and what was chosen is still chosen', async ({ browser }) => {
  await askFor(1, 'codepayee')
  const page = await openApprovals(browser, 'omar')
  await page.getByLabel('Buscar').fill('codepayee')
  await page.getByRole('listitem').getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Revisar' }).click()
  await page.getByRole('button', { name: 'Aprobar con un código' }).click()
  await page.getByLabel('Código para aprobar').fill('000000')
  await page.getByRole('button', { name: 'Aprobar', exact: true }).click()
  await expect(page.getByText('El código no es el correcto')).toBeVisible()
  await page.getByRole('button', { name: 'Volver a la lista' }).click()
  await expect(page.getByText('1 elegido de 1 miembro')).toBeVisible()
})

test('in the demo the operators’ codes are one press away', async ({ page }) => {
  await openAs(page, 'ana')
  const [codes] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('link', { name: 'Códigos' }).click(),
  ])
  await expect(codes.getByRole('heading', { name: 'olga' })).toBeVisible()
  await expect(codes.getByText('To approve withdrawals')).toHaveCount(2)
  await expect(codes.locator('dd').first()).toHaveText(/^\d{3} \d{3}$/)
  await expectAccessible(codes, 390, 1280)
})
