/** How a company pays in its first week: a pool that is funded, a lower rate, a run that is read and released, a withdrawal. */
import { expect, type Locator, type Page } from '@playwright/test'
import { codeByMail, inMail } from '../tools/testing/client.ts'
import { approve, openApprovals, signByCode, signDecisions } from './approving.ts'
import { expectAccessible } from './axe.ts'
import { asMember, open, registerWallet, row, type Week } from './company.ts'
import { heading, product } from './fixture.ts'
import { invest, payIn, requestWithdrawal } from './payees.ts'
import { picture } from './picture.ts'

/** A commission of the member's, as the list of payments has it. */
const masterPayment = (member: Page): Locator =>
  member.locator('.payment-lists tbody tr').filter({ hasText: 'gonzalo' }).first()

export async function waitsForMoney({ mariela, member, cast }: Week): Promise<string> {
  const { page } = mariela
  await invest(cast.gonzalo, 1_000_000)
  const held = page.getByRole('main').getByRole('link', { name: /^\d+ ejecuci(ón|ones) retenidas?/ })
  // Credited once the block is final; the page asks again by itself only after a while.
  await expect(async () => {
    await page.goto('/operator')
    await expect(page.getByText('Lo que espera ahora')).toBeVisible()
    await expect(held).toBeVisible({ timeout: 5_000 })
  }).toPass()
  await picture(page, 'today-with-a-held-run')
  await held.click()
  await picture(page, 'held-runs')
  await row(page, 'gonzalo').getByRole('link').first().click()
  await expect(page.getByText('Cuando tenga suficiente, la ejecución sigue sola.')).toBeVisible()
  await picture(page, 'run-without-money')
  const address = page.url()
  await asMember(member, 'carolina', '/payments')
  await expect(masterPayment(member)).toContainText(/10[.,]000,00/)
  await expect(masterPayment(member)).toContainText('En espera de fondos')
  await picture(member, 'commission-that-waits')
  return address
}

/** The company pays capital in, and puts it into the pools: proposed by one operator, signed by another one. */
export async function funds({ browser, mariela, member }: Week, run: string): Promise<void> {
  const { page } = mariela
  await page.getByRole('link', { name: 'Agregar fondos' }).click()
  await expect(heading(page, 'Tesorería')).toBeVisible()
  const capital = page.locator('.card').filter({ hasText: 'Capital de la empresa' }).first()
  const address = ((await capital.locator('.address .visually-hidden').textContent()) ?? '').replaceAll(
    ' ',
    '',
  )
  const before = (await capital.locator('.figure').textContent()) ?? ''
  await payIn(address, 300_000, 'company-week')
  await expect(async () => {
    await page.reload()
    await expect(capital.locator('.figure')).toBeVisible()
    expect(await capital.locator('.figure').textContent()).not.toBe(before)
  }).toPass()
  for (const [name, amount] of [
    ['Fondo de ganancias', '100000'],
    ['Fondo de comisiones', '60000'],
  ] as const) {
    const pool = page.locator('.pool').filter({ hasText: name })
    await pool.getByLabel('Monto a agregar').fill(amount)
    await pool.getByLabel('Motivo').fill('Entró una inversión grande.')
    await expect(pool.getByText(/más tendría .*Quedarían \$[\d.,]+ de capital/)).toBeVisible()
    await picture(page, `funding-${amount}`)
    await pool.getByRole('button', { name: 'Proponer' }).click()
    await mariela.confirm()
    await expect(pool.getByText('Espera aprobación')).toBeVisible()
  }
  await picture(page, 'funding-proposed')
  const signing = await openApprovals(browser, 'olga')
  await signDecisions(signing, 'olga', 'Agregar fondos')
  await picture(signing, 'funding-signed')
  await signing.context().close()
  await expect(page.locator('.proposed')).toHaveCount(0)
  await picture(page, 'funded')
  await page.goto(run)
  await expect(page.getByText('Terminada', { exact: true })).toBeVisible()
  await picture(page, 'run-that-went-on')
  await member.reload()
  await expect(masterPayment(member)).not.toContainText('En espera de fondos')
  await masterPayment(member).click()
  await expect(member.locator('.table-detail').first()).toBeVisible()
  await picture(member, 'first-master-payment')
}

export async function declaresRate({ mariela }: Week): Promise<void> {
  const { page } = mariela
  await open(mariela, 'Tasas')
  await page.getByLabel('Tasa del día').fill('0.24')
  await page.getByLabel('Motivo').fill('Una semana floja')
  const cost = page.getByRole('region', { name: 'Lo que cuesta a los miembros' })
  await expect(cost.getByText('Con la meta del plan, 0,333333 %')).toBeVisible()
  await expect(cost.getByText('Reciben menos')).toBeVisible()
  await expectAccessible(page)
  await picture(page, 'lower-rate')
  await page.getByRole('button', { name: 'Declarar tasa' }).click()
  await mariela.confirm()
  await expect(row(page, '0,24 %')).toContainText('mariela')
  await picture(page, 'rate-declared')
}

/** The day's run pays a million more than the day before, for which it is held. */
export async function readsRun({ mariela, member }: Week): Promise<readonly string[]> {
  const { page } = mariela
  await asMember(member, 'gonzalo', '/dashboard')
  await member.getByRole('button', { name: 'Avanzar un día' }).click()
  // Both runs of the night are done or held by then.
  await expect(member.getByText(/^Es .*20\d\d/)).toBeVisible()
  await page.goto('/operator/runs?state=open')
  const held = row(page, 'Retenida: decide tú').getByRole('link')
  const passive = row(page, 'Retenida: decide tú').filter({ hasText: 'Ganancia pasiva' }).getByRole('link')
  await expect(passive).toHaveCount(1)
  await picture(page, 'runs-of-the-night')
  // Opened by their addresses: the list is drawn again while runs move, and a press could meet the row before.
  const addresses = await held.evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''))
  await page.goto((await passive.getAttribute('href')) ?? '')
  await expect(page.getByText(/Suma \$[\d,.]+; la ejecución anterior sumó \$[\d,.]+/)).toBeVisible()
  await expect(page.getByText('Por regla y nivel')).toBeVisible()
  await picture(page, 'run-before-its-release')
  await page.getByRole('button', { name: 'Los más altos' }).click()
  const largest = page.getByRole('table', { name: 'Los más altos' })
  await expect(largest.getByRole('row').nth(1)).toContainText('gonzalo')
  await largest.getByRole('row').nth(1).getByRole('button', { name: 'Ver detalle' }).click()
  await expect(largest.getByText('1.000.000,00 × 0,24 % = 2.400,00')).toBeVisible()
  await expectAccessible(page)
  await picture(page, 'why-of-the-largest')
  await page.getByRole('button', { name: 'Los que más cambian' }).click()
  const changes = page.getByRole('table', { name: 'Los que más cambian' })
  await expect(changes.getByRole('row').nth(1)).toContainText(/−[\d.,]+/)
  await picture(page, 'biggest-changes')
  await page.getByRole('button', { name: 'Por miembro' }).click()
  await page.getByLabel('Usuario, correo o número de miembro').fill('GONZA')
  await page.getByRole('button', { name: 'Buscar', exact: true }).click()
  await expect(page.getByRole('table', { name: 'Por miembro' }).getByRole('row')).toHaveCount(2)
  return addresses
}

/** Proposed by one operator, signed on the approvals page by another one. */
export async function releases({ browser, mariela, member }: Week, runs: readonly string[]): Promise<void> {
  const { page } = mariela
  await member.goto('/payments?tab=passive')
  const payment = member.locator('.payment-lists tbody tr').filter({ hasText: /2[.,]400,00/ })
  await expect(payment).toContainText('En revisión')
  for (const run of runs) {
    await page.goto(run)
    await page.getByRole('button', { name: 'Liberar…' }).click()
    await page.getByRole('dialog').getByLabel('Nota').fill('Una inversión grande, revisada.')
    await picture(page, 'release')
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Proponer/ })
      .click()
    await mariela.confirm()
    await expect(page.locator('.proposed').getByText('Espera aprobación')).toBeVisible()
  }
  await picture(page, 'release-proposed')
  const signing = await openApprovals(browser, 'olga')
  const shown = signing.locator('.decision').filter({ hasText: 'Liberar una ejecución retenida' })
  await expect(shown).toHaveCount(runs.length)
  for (const decision of await shown.all()) await decision.getByRole('checkbox').check()
  await picture(signing, 'release-to-sign')
  await signing.getByRole('button', { name: 'Revisar decisiones' }).click()
  await signByCode(signing, 'olga')
  await expect(signing.getByText(/todas sus aprobaciones y se aplic/)).toBeVisible()
  await signing.context().close()
  await expect(page.getByText('Terminada', { exact: true })).toBeVisible()
  await picture(page, 'released')
  await member.reload()
  await expect(payment).toBeVisible()
  await expect(payment).not.toContainText('En revisión')
}

export async function paysOut({ browser, olga, member }: Week): Promise<void> {
  const { page } = olga
  await registerWallet(await asMember(member, 'carolina', '/dashboard'))
  await member.goto('/withdrawals')
  const code = () => codeByMail(product, 'carolina@example.com', `retirar ${inMail('1500')}`)
  const current = await requestWithdrawal(member, { amount: '1500', code })
  await open(olga, 'Retiros')
  await row(page, 'carolina').getByRole('link').first().click()
  const context = page.getByRole('region', { name: /^Retiro \d+$/ })
  await expect(context.getByText('Hacen falta 2 operadores.')).toBeVisible()
  await picture(page, 'withdrawal-of-1500')
  const first = await openApprovals(browser, 'olga', 'carolina')
  await picture(first, 'withdrawal-to-sign')
  await approve(first, 'olga', 'carolina', '1.500,00')
  await expect(first.getByText('le falta otra persona: 1 de al menos 2 operadores')).toBeVisible()
  await picture(first, 'one-of-two')
  await first.getByRole('button', { name: 'Volver a la lista' }).click()
  await first.getByLabel('Buscar').fill('carolina')
  // Nobody is two people.
  await expect(
    first.getByRole('listitem').filter({ hasText: '1.500,00' }).getByRole('checkbox'),
  ).toBeDisabled()
  await first.context().close()
  const second = await openApprovals(browser, 'omar', 'carolina')
  await approve(second, 'omar', 'carolina', '1.500,00')
  await picture(second, 'two-of-two')
  await second.context().close()
  const steps = current.getByRole('listitem')
  await expect(steps.last()).toHaveAttribute('data-state', 'done')
  await picture(member, 'withdrawal-arrived')
}
