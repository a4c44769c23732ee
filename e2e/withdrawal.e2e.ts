import { devnetAddress } from '@aval/tron'
import { type Browser, expect, type Locator, type Page, test } from '@playwright/test'
import { TronWeb } from 'tronweb'
import { codeByMail, inMail, mailTo } from '../tools/testing/client.ts'
import { journeyApprovalsUrl } from '../tools/testing/journey-place.ts'
import { approve, openApprovals, rowAt } from './approving.ts'
import { expectAccessible } from './axe.ts'
import { closed, openAs, PHONE, product } from './fixture.ts'
import { requestWithdrawal } from './payees.ts'

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

/** Asks for it with the code from the mailbox. */
async function request(page: Page, amount: string): Promise<Locator> {
  const code = () => codeByMail(product, EMAIL, `retirar ${inMail(amount)}`)
  return requestWithdrawal(page, { amount, code })
}

/** The operator's queue, in a browser of the operator's own. */
async function queueOf(browser: Browser, operator: string): Promise<Page> {
  const page = await browser.newPage()
  await openAs(page, operator, '/operator/withdrawals')
  return page
}

/** Turns the pages of the queue until it is there: journeys before left withdrawals that nobody decided. */
async function rowOf(queue: Page, amount: string): Promise<Locator> {
  const row = queue.getByRole('row').filter({ hasText: 'luis' }).filter({ hasText: amount })
  for (let at = 1; ; at += 1) {
    await queue.goto(`/operator/withdrawals?page=${at}`)
    await expect(queue.getByRole('row').filter({ hasText: 'Por decidir' }).first()).toBeVisible()
    if (await row.isVisible()) return row
  }
}

/** Each mark lies whole in its list, with its sign on the line of its first word. A fact has no sign. */
async function expectWhole(marks: Locator): Promise<void> {
  await expect(marks.first()).toBeVisible()
  for (const mark of await marks.all()) {
    const cut = await mark.evaluate((it) => {
      const [sign, words] = it.children.length < 2 ? [] : it.children
      const list = it.parentElement?.getBoundingClientRect()
      const { left, right } = it.getBoundingClientRect()
      const [a, b] = [sign?.getBoundingClientRect(), words?.getClientRects()[0]]
      return {
        outside: left < (list?.left ?? 0) - 1 || right > (list?.right ?? 0) + 1,
        over: it.scrollWidth > it.clientWidth + 1 || it.scrollHeight > it.clientHeight + 1,
        apart:
          (a?.top ?? 0) > (b?.bottom ?? 0) ||
          (a?.bottom ?? 0) < (b?.top ?? 0) ||
          (a?.right ?? 0) > (b?.left ?? 0),
      }
    })
    expect(cut).toEqual({ outside: false, over: false, apart: false })
  }
}

/** Every stage of the timeline is behind, in order. */
async function expectCompleted(current: Locator): Promise<void> {
  const steps = current.getByRole('listitem')
  await expect(steps.last()).toHaveAttribute('data-state', 'done')
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
test.describe.configure({ mode: 'serial' })

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
      await closed(dialog)
    })

    await page.goto('/withdrawals')
    const current = await request(page, '50')
    await expect(current.locator('[aria-current="step"]')).toContainText('En revisión')
    await expect(current.locator('.withdrawal-facts')).toContainText(/49[.,]00/)
    await expectAccessible(page, 390, 1280)
    await page.evaluate('window.isStillHere = true')

    await test.step('an operator approves it', async () => {
      const queue = await queueOf(browser, 'olga')
      const row = await rowOf(queue, '$50,00')
      await expect(row).toContainText('0 de 1 aprobación')
      // By keys alone: to the row, beside which it opens; choosing and refusing only ask.
      const link = row.getByRole('link')
      const isReached = async () => (await row.locator(':focus').count()) > 0
      for (let step = 0; step < 11 && !(await isReached()); step += 1) await queue.keyboard.press('j')
      await expect(link).toBeFocused()
      await queue.keyboard.press('Enter')
      const context = queue.getByRole('region', { name: /^Retiro \d+$/ })
      await expect(context.getByText('Primer retiro')).toBeVisible()
      await expect(context.getByText('Hace falta 1 operador.')).toBeVisible()
      await expectAccessible(queue, 390, 1280)
      await queue.keyboard.press('x')
      await queue.keyboard.press('r')
      const dialog = queue.getByRole('dialog')
      // In a wide window every mark fits in a line, whatever its styles are.
      const size = queue.viewportSize()
      for (const narrow of [PHONE, { ...PHONE, width: 320 }]) {
        await queue.setViewportSize(narrow)
        await expectWhole(dialog.locator('.badge'))
      }
      if (size !== null) await queue.setViewportSize(size)
      await queue.keyboard.press('Escape')
      await expect(dialog).toBeHidden()
      await queue.keyboard.press('x')
      const [approvals] = await Promise.all([
        queue.context().waitForEvent('page'),
        queue.locator('.queue-head').getByRole('link', { name: 'Ir a aprobar' }).click(),
      ])
      await expect(approvals).toHaveURL(`${journeyApprovalsUrl}/`)
      await queue.close()
    })

    await test.step('on a page that says exactly what is signed', async () => {
      const approvals = await openApprovals(browser, 'olga', 'luis')
      await expectAccessible(approvals, 390, 1280)
      const row = rowAt(approvals, 'luis', '50,00')
      await expect(row).toContainText('Primer retiro')
      await expect(row).toContainText('Llegan 49,00')
      await expect(row).toContainText('0 de al menos 1 aprobación')
      await expect(row).toContainText(WALLET)
      await approve(approvals, 'olga', 'luis', '50,00')
      await expect(approvals.getByText('1 retiro tiene todas sus aprobaciones')).toBeVisible()
      await expectAccessible(approvals, 390, 1280)
      await approvals.close()
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
    // Approved and on its way are told while they last; of a stage that was over first there is no mail.
    const subjects = (await mailTo(product, EMAIL)).map(({ subject }) => subject)
    const stages = [
      /Recibimos tu retiro de \$50,00/,
      /(Aprobamos tu retiro de \$50,00|\$50,00 va en camino)/,
      /\$50,00 está en tu billetera/,
    ]
    for (const stage of stages) expect(subjects).toContainEqual(expect.stringMatching(stage))
  })

  test('what nobody has approved can be taken back, and is there again at once', async ({
    page,
    browser,
  }) => {
    await openAs(page, 'luis', '/withdrawals')
    const available = page.locator('.withdrawal-available .figure')
    await expect(available).toContainText(/\d/)
    const before = (await available.textContent()) ?? ''
    const current = await request(page, '60')
    await expect(available).not.toHaveText(before)
    const approvals = await openApprovals(browser, 'olga', 'luis')
    await rowAt(approvals, 'luis', '60,00').getByRole('checkbox').check()
    await expect(approvals.getByText('1 elegido de 1 miembro')).toBeVisible()
    await current.getByRole('button', { name: 'Cancelar retiro' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancelar retiro' }).click()
    await expect(page.getByText('Retiro cancelado')).toBeVisible()
    await expect(current.getByText('Cancelado por ti').first()).toBeVisible()
    await expect(available).toHaveText(before)

    await test.step('who had chosen it is told, and signs it no more', async () => {
      await expect(rowAt(approvals, 'luis', '60,00')).toContainText('Ya no está')
      await expect(approvals.getByText('1 elegido')).toHaveCount(0)
      await expectAccessible(approvals, 390, 1280)
      await approvals.getByRole('button', { name: 'Quitarlos' }).click()
      await expect(rowAt(approvals, 'luis', '60,00')).toHaveCount(0)
      await approvals.close()
    })
  })

  test('1,000 USD take two operators: the first alone moves nothing, and cannot approve twice', async ({
    page,
    browser,
  }) => {
    await openAs(page, 'luis', '/withdrawals')
    const current = await request(page, '1000')
    const first = await openApprovals(browser, 'olga', 'luis')
    await approve(first, 'olga', 'luis', '1.000,00')
    await expect(first.getByText('le falta otra persona: 1 de al menos 2 operadores')).toBeVisible()
    await first.getByRole('button', { name: 'Volver a la lista' }).click()
    // The list is long here, and what was looked for before is not: without it the row may be on a later page.
    await first.getByLabel('Buscar').fill('luis')
    const row = rowAt(first, 'luis', '1.000,00')
    await expect(row).toContainText('Ya lo aprobaste')
    await expect(row.getByRole('checkbox')).toBeDisabled()
    await first.close()
    await expect(current.locator('[aria-current="step"]')).toContainText('En revisión')
    await expect(current.getByRole('button', { name: 'Cancelar retiro' })).toBeVisible()

    const second = await openApprovals(browser, 'omar', 'luis')
    await approve(second, 'omar', 'luis', '1.000,00')
    await second.close()
    await expectCompleted(current)
    const link = current.getByRole('link', { name: 'Ver transacción' })
    const [txid = ''] = /[0-9a-f]{64}/.exec((await link.getAttribute('href')) ?? '') ?? []
    expect(await solidTransfers(txid)).toMatchObject([{ to: WALLET, value: '999000000' }])
  })
})
