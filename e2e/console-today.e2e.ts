/** The console's first page leads to what waits, and what was done there no longer waits. */
import { operatorsPage } from '@aval/contract'
import { expect, test } from '@playwright/test'
import { z } from 'zod'
import { signIn } from '../tools/testing/client.ts'
import { journeyPassword } from '../tools/testing/journey-place.ts'
import { everyFault } from './axe.ts'
import { openAs, operatorsCode, product } from './fixture.ts'

/** What the console's pages list. */
const LISTS = [
  'members/',
  'withdrawals/?state=closed',
  'withdrawals/?state=requested',
  'transfers/?fate=late',
  'transfers/?fate=no_invoice',
  'transfers/?fate=overpaid',
  'investments/',
  'support/?state=open',
  'support/?state=answered',
  'support/?state=closed',
  'support/templates/',
  'runs/',
  'rates/',
  'plans/',
  'decisions/',
  'pools/fundings/',
  'audit/',
  'audit/?action=member.freeze',
  'notifications/',
] as const
const rows = z.union([z.array(z.unknown()), z.looseObject({ results: z.array(z.unknown()) })])

test('the demo is a company at work: no list of the console is empty', async () => {
  const olga = await signIn(product.url, 'olga', journeyPassword, () => operatorsCode('olga'))
  for (const list of LISTS) {
    const body = (await olga.get(`operator/${list}`)).as(rows)
    expect(Array.isArray(body) ? body : body.results, list).not.toEqual([])
  }
  const { operators, invitations } = (await olga.get('operator/operators/')).as(operatorsPage)
  expect(operators.length).toBeGreaterThanOrEqual(5)
  expect(invitations).not.toEqual([])
})

test('what waits leads to its rows, a note ends it, and a pool says what more would change before a code is asked for', async ({
  page,
}) => {
  await openAs(page, 'olga', '/operator')
  const foreign = page.getByRole('link', { name: 'transferencia de otro token' })
  await test.step('Today says what waits and how the company stands, and the menu counts it', async () => {
    await expect(page.getByRole('heading', { name: 'Hoy' })).toBeVisible()
    await expect(foreign).toBeVisible()
    await expect(
      page
        .getByRole('navigation')
        .getByText(/^[0-9]+ esperan?$/)
        .first(),
    ).toBeAttached()
    await expect(page.getByText('En custodia, frente a lo que se debe')).toBeVisible()
    await page.getByRole('button', { name: '90 días' }).click()
    await expect(page).toHaveURL(/days=90/)
    expect(await everyFault(page)).toEqual([])
  })

  await test.step('the transfer is shown in its own units, and noted', async () => {
    await foreign.click()
    await expect(page).toHaveURL(/deposits\?fate=wrong_token&open=1/)
    await page.getByRole('button', { name: 'Ver detalle' }).first().click()
    await expect(page.getByText('docs/runbooks/other-tokens.md', { exact: false })).toBeVisible()
    expect(await everyFault(page)).toEqual([])
    await page.getByRole('button', { name: 'Anotar lo que averiguaste' }).click()
    await page.getByRole('textbox', { name: 'Nota' }).fill('Un token sin valor')
    await page.getByRole('button', { name: 'Guardar nota' }).click()
    await expect(page.getByText('Ningún depósito es así.')).toBeVisible()
    await page.goto('/operator')
    await expect(page.getByText('En custodia, frente a lo que se debe')).toBeVisible()
    await expect(foreign).toHaveCount(0)
  })

  await test.step('more than the capital is refused before the code; what it would change is said', async () => {
    await page.goto('/operator/treasury')
    const pool = page.locator('.pool').first()
    await pool.getByLabel('Monto a agregar').fill('100')
    await expect(pool.getByText(/Con \$100,00 más tendría/)).toBeVisible()
    await pool.getByLabel('Monto a agregar').fill('99999999')
    await pool.getByLabel('Motivo').fill('Para mayo')
    await pool.getByRole('button', { name: 'Proponer' }).click()
    await expect(pool.getByText('El capital de la empresa no alcanza', { exact: false })).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await page.getByRole('button', { name: 'Mostrar código QR' }).click()
    await expect(page.locator('.qr')).toBeVisible()
    expect(await everyFault(page)).toEqual([])
  })
})
