import { devnetAddress } from '@aval/tron'
import { type Browser, expect, type Locator, type Page, test } from '@playwright/test'
import { TronWeb } from 'tronweb'
import { codeByMail, mailTo } from '../tools/testing/client.ts'
import { expectAccessible } from './axe.ts'
import { openAs, operatorsCode, product } from './fixture.ts'

const EMAIL = 'luis@demo.aval.example'
/** Nobody else in the demo is paid here. */
const WALLET = devnetAddress('witness')
const STAGES = [
  'Solicitado',
  'Aprobado',
  'Firmado',
  'Enviado a la red',
  'Confirmando en Tron',
  'Completado',
] as const

/** Fills in the form that is shown, with the code from the mailbox, and sends it. */
async function request(page: Page, amount: string): Promise<Locator> {
  const [whole = '', part = '00'] = amount.split('.')
  const shown = `${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${part}`
  await page.getByLabel('Monto', { exact: true }).fill(amount)
  await expect(page.getByLabel('Billetera USDT (TRC20)')).toHaveValue(WALLET)
  await page.getByRole('button', { name: 'Generar código secreto' }).click()
  await expect(page.getByText('Revisa tu correo')).toBeVisible()
  const code = await codeByMail(product, EMAIL, `retirar ${shown}`)
  await page.getByLabel('Código secreto').fill(code)
  await page.getByRole('button', { name: 'Enviar', exact: true }).click()
  await expect(page.getByText('¡Retiro realizado con éxito!')).toBeVisible()
  return page.getByRole('region', { name: `Retiro de $${shown}` })
}

/** The operator's queue, in a browser of the operator's own. */
async function queueOf(browser: Browser, operator: string): Promise<Page> {
  const page = await browser.newPage()
  await openAs(page, operator, '/operator?tab=withdrawals')
  return page
}

const rowOf = (queue: Page, amount: string) =>
  queue.getByRole('row').filter({ hasText: 'luis' }).filter({ hasText: amount })

async function approve(queue: Page, operator: string, amount: string): Promise<void> {
  await rowOf(queue, amount).getByRole('checkbox').check()
  await queue.locator('.queue-selection').getByRole('button', { name: 'Aprobar' }).click()
  await queue
    .getByRole('dialog', { name: /^Aprobar/ })
    .getByRole('button', { name: 'Aprobar' })
    .click()
  const confirm = queue.getByRole('dialog', { name: 'Confirma con tu código' })
  await expect(confirm).toContainText(`Aprobar 1 retiro de ${amount}`)
  await confirm.getByLabel('Código de seis dígitos').fill(await operatorsCode(operator))
  await confirm.getByRole('button', { name: 'Confirmar' }).click()
  await expect(queue.getByText('Retiros aprobados: 1.')).toBeVisible()
}

/** Every stage of the timeline is behind, in order. */
async function expectCompleted(current: Locator): Promise<void> {
  const steps = current.getByRole('listitem')
  await expect(steps.last()).toHaveAttribute('data-state', 'done', { timeout: 60_000 })
  await expect(steps.locator('.timeline-title')).toHaveText([...STAGES])
  await expect(current.locator('li[data-state="done"] time')).toHaveCount(STAGES.length)
}

/** Topic of the token's event. */
const TRANSFER = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/** What an unmodified tronweb sees of a transaction in the solid chain. */
async function solidTransfers(txid: string) {
  const tronWeb = new TronWeb({ fullHost: product.devnetUrl })
  await expect.poll(async () => (await tronWeb.trx.getConfirmedTransaction(txid)).txID).toBe(txid)
  const { log = [] } = await tronWeb.trx.getTransactionInfo(txid)
  const base58 = (topic = '') => TronWeb.address.fromHex(`41${topic.slice(-40)}`)
  return log.map(({ topics: [event, from, to], data }) => ({
    event: event === TRANSFER ? 'Transfer' : event,
    from: base58(from),
    to: base58(to),
    value: String(BigInt(`0x${data}`)),
  }))
}

// Each follows from the one before: the wallet is registered once.
test.describe.configure({ mode: 'serial', timeout: 240_000 })

test.describe('money leaves', () => {
  test('50 USD asked for with a code are approved with a code, and 49 USDT arrive while the member watches', async ({
    page,
    browser,
  }) => {
    await test.step('the wallet is registered in the profile', async () => {
      await openAs(page, 'luis', '/profile')
      await page.getByLabel('Billetera USDT (TRC20)').fill(WALLET)
      await page.getByRole('button', { name: 'Guardar cambios' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Código de tu correo').fill(await codeByMail(product, EMAIL, 'billetera'))
      await expect(dialog).toBeHidden()
    })

    await page.goto('/withdrawals')
    const current = await request(page, '50')
    await expect(current.getByText('En revisión', { exact: false })).toBeVisible()
    await expect(current.locator('.withdrawal-facts')).toContainText('49.00')
    await expectAccessible(page, 390, 1280)
    await page.evaluate('window.isStillHere = true')

    await test.step('an operator approves it', async () => {
      const queue = await queueOf(browser, 'olga')
      const row = rowOf(queue, '$50.00')
      await expect(row).toContainText('0 de 1 aprobaciones')
      await row.getByRole('button', { name: 'Ver detalle' }).click()
      await expect(row.locator('xpath=following-sibling::tr[1]').getByText('Primer retiro')).toBeVisible()
      await expectAccessible(queue, 390, 1280)
      await approve(queue, 'olga', '$50.00')
      await queue.close()
    })

    await expectCompleted(current)
    expect(await page.evaluate('window.isStillHere')).toBe(true)
    const [explorer] = await Promise.all([
      page.context().waitForEvent('page'),
      current.getByRole('link', { name: 'Ver transacción' }).click(),
    ])
    await expect(explorer.getByText(WALLET).first()).toBeVisible()
    const [txid = ''] = /[0-9a-f]{64}/.exec(explorer.url()) ?? []
    expect(await solidTransfers(txid)).toEqual([
      { event: 'Transfer', from: devnetAddress('hotWallet'), to: WALLET, value: '49000000' },
    ])
    await expect
      .poll(async () => (await mailTo(product, EMAIL)).filter(({ text }) => text.includes(txid)).length)
      .toBe(1)
  })

  test('what nobody has approved can be taken back, and is there again at once', async ({ page }) => {
    await openAs(page, 'luis', '/withdrawals')
    const available = page.locator('.withdrawal-available .figure')
    await expect(available).toContainText(/\d/)
    const before = (await available.textContent()) ?? ''
    const current = await request(page, '60')
    await expect(available).not.toHaveText(before)
    await current.getByRole('button', { name: 'Cancelar retiro' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancelar retiro' }).click()
    await expect(page.getByText('Retiro cancelado')).toBeVisible()
    await expect(current.getByText('Cancelado por ti').first()).toBeVisible()
    await expect(available).toHaveText(before)
  })

  test('1,000 USD take two operators: the first alone moves nothing, and cannot approve twice', async ({
    page,
    browser,
  }) => {
    await openAs(page, 'luis', '/withdrawals')
    const current = await request(page, '1000')
    const first = await queueOf(browser, 'olga')
    await approve(first, 'olga', '$1,000.00')
    await expect(rowOf(first, '$1,000.00')).toContainText('1 de 2 aprobaciones')
    await expect(rowOf(first, '$1,000.00').getByRole('checkbox')).toHaveCount(0)
    await rowOf(first, '$1,000.00').getByRole('button', { name: 'Ver detalle' }).click()
    await expect(first.getByText('Ya lo aprobaste', { exact: false })).toBeVisible()
    await first.close()
    await expect(current.getByText('En revisión', { exact: false })).toBeVisible()
    await expect(current.getByRole('button', { name: 'Cancelar retiro' })).toBeVisible()

    const second = await queueOf(browser, 'omar')
    await approve(second, 'omar', '$1,000.00')
    await second.close()
    await expectCompleted(current)
    const link = current.getByRole('link', { name: 'Ver transacción' })
    const [txid = ''] = /[0-9a-f]{64}/.exec((await link.getAttribute('href')) ?? '') ?? []
    expect(await solidTransfers(txid)).toMatchObject([{ to: WALLET, value: '999000000' }])
  })
})
