/** A decision from the console to the approvals page: proposed, shown, signed, applied. The last one turns the shared clock. */
import { expect, type Locator, type Page, test } from '@playwright/test'
import { register } from '../tools/testing/client.ts'
import { openApprovals, signByCode, signDecisions } from './approving.ts'
import { expectAccessible } from './axe.ts'
import { confirm } from './deciding.ts'
import { openAs, product, speak } from './fixture.ts'
import { invest } from './payees.ts'

/** Proposes a plan in the console: another passive target, from the last day of a year on. */
async function proposePlan(page: Page, percent: string, year: number): Promise<Locator> {
  await openAs(page, 'olga', '/operator/plan?new=1')
  await page.getByLabel('Meta por período').fill(percent)
  await page.getByLabel('Vigente desde el').fill(`31/12/${year}`)
  await page.getByRole('button', { name: 'Revisar cambios' }).click()
  const dialog = page.getByRole('dialog')
  // What it would have paid is computed first: nobody proposes without it.
  await expect(dialog.getByText('A quién cambia', { exact: true }).first()).toBeVisible()
  await expect(dialog.getByText(/^0 reciben más · [\d.]+ reciben menos$/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Proponer versión' }).click()
  await confirm(page)
  const waiting = page.locator('.proposed').filter({ hasText: String(year) })
  await expect(waiting.getByText('Espera aprobación')).toBeVisible()
  return waiting
}

test('a plan is proposed in the console with what it would have paid, signed by another operator, too, and then stored', async ({
  page,
  browser,
}) => {
  const waiting = await proposePlan(page, '9', 2093)
  await expect(page.getByRole('cell', { name: /2093/ })).toHaveCount(0)
  await expect(waiting.getByRole('link', { name: 'Ir a aprobar' })).toBeVisible()
  await expectAccessible(page, 390, 1280)

  const olga = await openApprovals(browser, 'olga')
  const shown = olga.locator('.decision').filter({ hasText: '2093' })
  await expect(shown.getByText('Reemplazar el plan')).toBeVisible()
  await expect(shown.getByText('Ganancia pasiva: meta por período')).toBeVisible()
  await expect(shown.locator('del')).toHaveText('10\u00a0%')
  await expect(shown.locator('ins')).toHaveText('9\u00a0%')
  await expectAccessible(olga, 390, 1280)
  await shown.getByRole('checkbox').check()
  await olga.getByRole('button', { name: 'Revisar decisiones' }).click()
  await expect(olga.getByRole('heading', { name: 'Vas a firmar 1 decisión' })).toBeVisible()
  await expectAccessible(olga, 390, 1280)
  await signByCode(olga, 'olga')
  await expect(olga.getByText('El firmante la aceptó')).toBeVisible()
  await olga.getByRole('button', { name: 'Volver a la lista' }).click()
  // Who proposed it does not put it in force alone.
  await expect(shown.getByText('1 de al menos 2 aprobaciones')).toBeVisible()
  await expect(shown.getByText('Lo propuso olga. Necesita la aprobación de otro operador')).toBeVisible()
  await expect(waiting).toBeVisible()

  const omar = await openApprovals(browser, 'omar')
  const toSign = omar.locator('.decision').filter({ hasText: '2093' })
  await toSign.getByRole('checkbox').check()
  await omar.getByRole('button', { name: 'Revisar decisiones' }).click()
  await signByCode(omar, 'omar')
  await expect(omar.getByText('1 decisión tiene todas sus aprobaciones y se aplicó.')).toBeVisible()

  // The console hears of it by itself; loaded again it says the same.
  await expect(waiting).toHaveCount(0)
  await expect(page.getByRole('cell', { name: /2093/ })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('cell', { name: /2093/ })).toBeVisible()
})

test('a proposal that is taken back is not there to be signed, also where it was chosen before', async ({
  page,
  browser,
}) => {
  const waiting = await proposePlan(page, '8', 2094)
  const olga = await openApprovals(browser, 'olga')
  const shown = olga.locator('.decision').filter({ hasText: '2094' })
  await shown.getByRole('checkbox').check()
  await waiting.getByRole('button', { name: 'Retirar' }).click()
  await confirm(page)
  await expect(waiting).toHaveCount(0)
  await expect(shown.getByText('Ya no está: se canceló o se decidió')).toBeVisible()
  await expect(olga.getByRole('button', { name: 'Revisar decisiones' })).toHaveCount(0)
  await shown.getByRole('checkbox').click()
  await expect(shown).toHaveCount(0)
  await speak(page, 'en')
  await expect(page.getByRole('cell', { name: /2094/ })).toHaveCount(0)
})

/** Runs of the console's list that wait for somebody. */
const heldRows = (page: Page): Locator => page.getByRole('row').filter({ hasText: 'Retenida: decide tú' })
const heldIn = (page: Page): Locator => heldRows(page).getByRole('link')

/** Proposes the release of the run that this page shows. */
async function proposeRelease(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Liberar…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Nota').fill('Un depósito grande, revisado')
  await expectAccessible(page, 390, 1280)
  await dialog.getByRole('button', { name: /^Proponer/ }).click()
  await confirm(page)
  await expect(page.locator('.proposed').getByText('Espera aprobación')).toBeVisible()
}

test('a run that its checks hold pays nobody until its release is proposed and signed', async ({
  page,
  browser,
}) => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  const member = await context.newPage()
  const payment = member.locator('.payment-lists tbody tr').filter({ hasText: '1.000,00' })

  await test.step('a deposit of 300,000 makes the next day’s run five times that of the day before', async () => {
    const client = await register(product.url, '0', 'largedeposit')
    await invest(client, 300_000)
    await openAs(member, client)
    await expect(member.locator('[data-figure="investment"]')).toContainText('300.000,00')
    await member.getByRole('button', { name: 'Avanzar un día' }).click()
    // Both runs of the night are done or held by then.
    await expect(member.getByText(/^Es .*20\d\d/)).toBeVisible()
    await member.goto('/payments?tab=passive')
    await expect(payment).toContainText('En revisión')
  })

  const passive = heldRows(page).filter({ hasText: 'Ganancia pasiva' })
  // The page of approvals writes amounts without their mark.
  const reason = /Suma \$?[\d,.]+; la ejecución anterior sumó \$?[\d,.]+/
  await test.step('the console says that it is held, and why', async () => {
    await openAs(page, 'olga', '/operator')
    await page.getByRole('link', { name: /^\d+ ejecuci(ón|ones) retenidas?/ }).click()
    await expect(passive.getByRole('link')).toHaveCount(1)
    // The deposit has no upline that is paid, for which its commissions are held as well.
    await expect(heldIn(page).filter({ hasText: 'largedeposit' })).toBeVisible()
    // A run of commissions may be held for the same.
    await expect(page.getByText(reason).first()).toBeVisible()
    await expectAccessible(page, 390, 1280)
  })

  // Opened by their addresses: the list is drawn again while runs move, and a press could meet the row before.
  const addressOf = (link: Locator) => link.getAttribute('href').then((href) => href ?? '')
  const addresses = await Promise.all((await heldIn(page).all()).map(addressOf))
  const passiveRun = await addressOf(passive.getByRole('link'))
  const held = addresses.length
  await test.step('who it pays is read before that: the largest, why, and against the run before', async () => {
    await page.goto(`${passiveRun}?view=largest`)
    const items = page.getByRole('table', { name: 'Los más altos' })
    const largest = items.getByRole('row').nth(1)
    await expect(largest).toContainText('largedeposit')
    await expect(largest).toContainText('Nuevo')
    await largest.getByRole('button', { name: 'Ver detalle' }).click()
    await expect(items.getByText('300.000,00 × 10 % ÷ 30 = 1.000,00')).toBeVisible()
    await page.getByRole('button', { name: 'Por miembro' }).click()
    await page.getByLabel('Usuario, correo o número de miembro').fill('LARGEDEP')
    await page.getByRole('button', { name: 'Buscar', exact: true }).click()
    await expect(page.getByRole('table', { name: 'Por miembro' }).getByRole('row')).toHaveCount(2)
    await expectAccessible(page, 390, 1280)
  })

  await test.step('an operator proposes its release', async () => {
    for (const address of addresses) {
      await page.goto(address)
      await proposeRelease(page)
    }
    await page.goto(passiveRun)
    await expect(page.getByRole('heading', { name: 'Ganancia pasiva' })).toBeVisible()
    await expect(page.getByText(reason)).toBeVisible()
    await member.reload()
    await expect(payment).toContainText('En revisión')
  })

  await test.step('and signs it on the approvals page, which shows what speaks against it', async () => {
    const olga = await openApprovals(browser, 'olga')
    const shown = olga.locator('.decision').filter({ hasText: 'Liberar una ejecución retenida' })
    await expect(shown).toHaveCount(held)
    await expect(shown.filter({ hasText: 'Suma' }).getByText(reason).first()).toBeVisible()
    await expectAccessible(olga, 390, 1280)
    for (let at = 0; at < held; at += 1) await shown.nth(at).getByRole('checkbox').check()
    await olga.getByRole('button', { name: 'Revisar decisiones' }).click()
    await signByCode(olga, 'olga')
    await expect(olga.getByText('El firmante la aceptó')).toBeVisible()
    await expect(olga.getByText(/todas sus aprobaciones y se aplic/)).toBeVisible()
  })

  await test.step('then members have their payments, and nothing waits', async () => {
    await expect(page.getByText('Terminada', { exact: true })).toBeVisible()
    await expect(page.locator('.proposed')).toHaveCount(0)
    await member.reload()
    await expect(payment).toBeVisible()
    await expect(payment).not.toContainText('En revisión')
    await member.goto('/withdrawals')
    await expect(member.locator('.withdrawal-available .figure')).toContainText('1.000,00')
    await page.getByRole('link', { name: 'Todas las ejecuciones' }).click()
    await expect(heldIn(page)).toHaveCount(0)
  })
  await context.close()
})

test('acts on money wait where they were asked for, and several are signed in one touch by another operator', async ({
  page,
  browser,
}) => {
  await openAs(page, 'olga', '/operator/treasury')
  const pools = page.locator('.pool')
  const amountOf = (at: number) => pools.nth(at).locator('.figure')
  const before = [await amountOf(0).textContent(), await amountOf(1).textContent()]
  for (const at of [0, 1]) {
    const pool = pools.nth(at)
    await pool.getByLabel('Monto a agregar').fill(at === 0 ? '150' : '75')
    await pool.getByLabel('Motivo').fill('Un mes con más miembros')
    await pool.getByRole('button', { name: 'Proponer' }).click()
    await confirm(page)
    await expect(pool.getByText('Espera aprobación')).toBeVisible()
    await expect(pool.getByText(/Agregar fondos: lo propuso olga/)).toBeVisible()
    await expect(amountOf(at)).toHaveText(before[at] ?? '')
  }
  await expectAccessible(page, 390, 1280)

  const person = await register(product.url, '0', `signed${process.pid}`)
  await invest(person, 700)
  const { id } = (await person.get('auth/user/')).body as { id: number }
  await test.step('extra points and a reversal wait on the member’s and the investments’ pages', async () => {
    await openAs(page, 'olga', `/operator/members/${id}`)
    const points = page.getByRole('listitem').filter({ hasText: 'Puntos adicionales' })
    await points.getByRole('button', { name: 'Cambiar' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Puntos porcentuales').fill('1.5')
    await dialog.getByLabel('Motivo').fill('Un mes con más miembros')
    await dialog.getByRole('button', { name: 'Proponer' }).click()
    await confirm(page)
    await expect(points.getByText('Espera aprobación')).toBeVisible()
    await expectAccessible(page, 390, 1280)

    // Its commissions are paid by a job.
    await expect(async () => {
      await page.goto(`/operator/investments?member=${person.username}`)
      await expect(page.getByText('Acreditada').first()).toBeVisible({ timeout: 5_000 })
    }).toPass()
    await page.locator('.table-toggle button').first().click()
    await page.getByRole('button', { name: /^Revertir/ }).click()
    const reversing = page.getByRole('dialog')
    await reversing.getByLabel('Motivo').fill('Un mes con más miembros')
    await reversing.locator('input').last().fill(person.username)
    await reversing.getByRole('button', { name: 'Proponer la reversión' }).click()
    await confirm(page)
    await expect(page.getByText(/Cuando los operadores la aprueben/)).toBeVisible()
    await page.getByRole('button', { name: 'Cerrar', exact: true }).last().click()
    await expect(page.getByText('Espera aprobación')).toBeVisible()
    await expectAccessible(page, 390, 1280)
  })

  const omar = await openApprovals(browser, 'omar')
  const shown = omar.locator('.decision').filter({ hasText: 'Un mes con más miembros' })
  await expect(shown).toHaveCount(4)
  await expect(shown.first().getByText('150,00 USDT').first()).toBeVisible()
  await expect(shown.nth(2).locator('ins')).toHaveText('1,5\u00a0%')
  await expect(shown.nth(3).getByText(`Inversión`, { exact: false }).first()).toBeVisible()
  await expectAccessible(omar, 390, 1280)
  await signDecisions(omar, 'omar', 'Un mes con más miembros')
  await expect(omar.getByText('4 decisiones tienen todas sus aprobaciones y se aplicaron.')).toBeVisible()

  await expect(page.getByText('Revertida').first()).toBeVisible()
  await page.goto(`/operator/members/${id}`)
  await expect(page.getByText(/1,5 puntos? sobre el primer nivel/)).toBeVisible()
  await page.goto('/operator/treasury')
  await expect(page.locator('.proposed')).toHaveCount(0)
  for (const at of [0, 1]) await expect(amountOf(at)).not.toHaveText(before[at] ?? '')
})
