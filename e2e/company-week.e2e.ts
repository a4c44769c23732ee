/**
 * A company's first week in the console, from the first colleague to the audit trail. Every act says what it brings before it is
 * confirmed, and members see what became of it. The members and operators are of this walk alone; the clock is turned by a day.
 */
import { readFile } from 'node:fs/promises'
import { type Browser, expect, type Locator, type Page, test } from '@playwright/test'
import { openApprovals, signByCode, signDecisions } from './approving.ts'
import { expectAccessible } from './axe.ts'
import {
  acceptInvitation,
  asMember,
  type Cast,
  demoOperator,
  members,
  type Operator,
  open,
  openInvitation,
  ownPage,
  registerWallet,
  row,
  type Week,
} from './company.ts'
import { declaresRate, funds, paysOut, readsRun, releases, waitsForMoney } from './company-money.ts'
import { heading, toast } from './fixture.ts'
import { picture } from './picture.ts'

/** To a member's page, as one finds it: by the search. */
async function openMember({ page }: Operator, username: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill(username)
  await page.getByRole('option', { name: new RegExp(`^${username}`) }).click()
  await expect(heading(page, username)).toBeVisible()
}

const act = (page: Page, name: string): Locator =>
  page.getByRole('listitem').filter({ hasText: name }).getByRole('button')

async function invites(browser: Browser, olga: Operator, cast: Cast): Promise<Operator> {
  const { page } = olga
  await open(olga, 'Operadores')
  await page.getByRole('button', { name: 'Invitar' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Usuario o correo').fill('nobody-at-all')
  await dialog.getByRole('button', { name: 'Continuar' }).click()
  await expect(dialog.getByText('No existe ese miembro.')).toBeVisible()
  await dialog.getByLabel('Usuario o correo').fill('mariela@example.com')
  await dialog.getByRole('button', { name: 'Continuar' }).click()
  await dialog.getByLabel('Rol').selectOption('Tesorería')
  // Who is meant, and what the role brings, is said before anything is sent.
  await expect(dialog.getByText('No tiene la verificación en dos pasos.', { exact: false })).toBeVisible()
  await expect(dialog.getByText('Aportar a los fondos')).toBeVisible()
  await dialog.getByLabel('Por qué').fill('Empieza el lunes y llevará los fondos.')
  await expectAccessible(page)
  await picture(page, 'invite')
  await dialog.getByRole('button', { name: 'Invitar' }).click()
  await picture(page, 'invite-code')
  await olga.confirm()
  await expect(toast(page, 'Invitación enviada.')).toBeVisible()
  await expect(row(page, 'mariela')).toContainText('En espera')
  await picture(page, 'invited')

  const own = await openInvitation(browser, cast.mariela)
  await expectAccessible(own)
  await picture(own, 'invitation')
  const mariela = await acceptInvitation(own, cast.mariela)
  await expect(row(page, 'mariela').filter({ hasText: 'Tesorería' })).toContainText('desde el')
  await expect(heading(own, 'Hoy')).toBeVisible()
  await picture(own, 'treasurers-today')
  // What the role does not allow is not there, and not served either.
  await expect(own.getByRole('navigation').getByRole('link', { name: 'Registro', exact: true })).toHaveCount(
    0,
  )
  await open(mariela, 'Operadores')
  await expect(row(own, 'mariela')).toBeVisible()
  await expect(own.getByRole('button', { name: 'Invitar' })).toHaveCount(0)
  await own.goto('/operator/audit')
  await picture(own, 'treasurer-at-the-trail')
  await expect(row(own, 'olga')).toHaveCount(0)
  return mariela
}

/** From then on what is invested far below pays the fundator by the master code. */
async function makesFundator({ browser, olga, member }: Week): Promise<void> {
  const { page } = olga
  await asMember(member, 'carolina', '/referrals')
  const convert = member.getByRole('button', { name: 'Convertir en máster: esteban' })
  await expect(row(member, 'esteban').first()).toBeVisible()
  await expect(convert).toHaveCount(0)
  await openMember(olga, 'carolina')
  await picture(page, 'member')
  await act(page, 'Fundador').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Motivo').fill('Acordado con la dirección.')
  await expectAccessible(page)
  await picture(page, 'fundator')
  await dialog.getByRole('button', { name: 'Proponer' }).click()
  await olga.confirm()
  const signing = await openApprovals(browser, 'omar')
  await signDecisions(signing, 'omar', 'carolina')
  await picture(signing, 'fundator-signed')
  await signing.context().close()
  await expect(page.locator('.proposed')).toHaveCount(0)

  await member.reload()
  await convert.click()
  await member.getByRole('alertdialog').getByRole('button', { name: 'Sí, estoy seguro' }).click()
  await expect(row(member, 'esteban').first()).toContainText('¡Código máster activado!')
  await picture(member, 'first-master')
}

const FREEZE_REASON = 'Necesitamos ver tu documento otra vez.'

async function freezes({ olga, member }: Week): Promise<void> {
  const { page } = olga
  const rodrigo = await asMember(member, 'rodrigo', '/dashboard')
  const wallet = await registerWallet(rodrigo)
  const askForCode = () =>
    rodrigo.post('withdrawals/withdrawals/create-code/', { amount: '50', wallet_address: wallet })
  await openMember(olga, 'rodrigo')
  await act(page, 'Congelar').click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('No sale dinero, no se reinvierte nada')).toBeVisible()
  await dialog.getByRole('button', { name: 'Congelar' }).click()
  await expect(dialog.getByText('Escribe el motivo.')).toBeVisible()
  await dialog.getByLabel('Motivo').fill(FREEZE_REASON)
  await expectAccessible(page)
  await picture(page, 'freeze')
  await dialog.getByRole('button', { name: 'Congelar' }).click()
  await olga.confirm()
  await expect(page.getByText('Congelada por olga')).toBeVisible()
  await picture(page, 'frozen')

  await member.goto('/withdrawals')
  await expect(member.getByText(FREEZE_REASON)).toBeVisible()
  await picture(member, 'frozen-member')
  const refused = await askForCode()
  expect([refused.status, refused.body]).toEqual([403, expect.stringContaining(FREEZE_REASON)])

  await act(page, 'Congelar').click()
  await dialog.getByLabel('Motivo').fill('Documento recibido.')
  await picture(page, 'unfreeze')
  await dialog.getByRole('button', { name: 'Liberar' }).click()
  await olga.confirm()
  await expect(page.getByText('Congelada por olga')).toHaveCount(0)
  expect((await askForCode()).status).toBe(200)
}

async function addsTemplate({ page, confirm }: Operator): Promise<void> {
  await page.goto('/operator/support/templates')
  await page.getByRole('button', { name: 'Agregar plantilla' }).click()
  const form = page.getByRole('dialog', { name: 'Agregar plantilla' })
  await form.getByLabel('Nombre').fill('Cuenta libre')
  await form.getByLabel('Español').fill('Hola, {first_name}: tu cuenta ya está libre.')
  await form.getByLabel('Inglés').fill('Hello {first_name}, your account is free again.')
  await expectAccessible(page)
  await picture(page, 'template')
  await form.getByRole('button', { name: 'Guardar' }).click()
  await confirm()
  await expect(page.getByRole('heading', { name: 'Cuenta libre' })).toBeVisible()
}

async function answers({ olga, member }: Week): Promise<void> {
  const { page } = olga
  await addsTemplate(olga)
  await asMember(member, 'rodrigo', '/dashboard?chat=open')
  const chat = member.getByRole('dialog', { name: 'Chat en vivo' })
  await chat.getByLabel('Tu mensaje').fill('¿Ya puedo retirar otra vez?')
  await chat.getByLabel('Tu mensaje').press('Enter')
  await expect(chat.getByText('Enviado', { exact: true })).toBeVisible()
  await open(olga, 'Soporte')
  await picture(page, 'support')
  await page.getByRole('link', { name: 'rodrigo' }).click()
  await page.getByRole('button', { name: 'Tomarla' }).click()
  // The template took a code a moment ago: that is good for a quarter of an hour here.
  await expect(page.getByText('La tienes tú desde el', { exact: false })).toBeVisible()
  await page.getByLabel('Nota interna').fill('Mostró su documento el lunes.')
  await page.getByRole('button', { name: 'Guardar nota' }).click()
  await expect(page.locator('.note')).toContainText('Mostró su documento el lunes.')
  await page.getByLabel('Insertar plantilla…').selectOption('Cuenta libre')
  await expect(page.getByLabel('Tu respuesta')).toHaveValue('Hola, Rodrigo: tu cuenta ya está libre.')
  await expectAccessible(page)
  await picture(page, 'answer')
  await page.getByRole('button', { name: 'Enviar respuesta' }).click()
  await expect(page.locator('.message').last()).toContainText('tu cuenta ya está libre')
  await picture(page, 'answered')
  await expect(chat.locator('.message').last()).toContainText('tu cuenta ya está libre')
  await expect(chat.getByText('Mostró su documento', { exact: false })).toHaveCount(0)
  await picture(member, 'answer-in-the-chat')
}

/** Who prepares a plan does not put it in force; another operator does, with the preview in sight. */
async function changesPlan({ browser, olga }: Week): Promise<void> {
  const { page } = olga
  await page.goto('/operator/plan?new=1')
  await page.getByLabel('Meta por período').fill('9')
  await page.getByLabel('Vigente desde el').fill('31/12/2093')
  await picture(page, 'plan-editor')
  await page.getByRole('button', { name: 'Revisar cambios' }).click()
  const dialog = page.getByRole('dialog')
  // What it would have paid is computed first: nobody proposes without it.
  await expect(dialog.getByText(/^0 reciben más · [\d.]+ reciben menos$/)).toBeVisible()
  await expectAccessible(page)
  await picture(page, 'plan-preview')
  await dialog.getByRole('button', { name: 'Proponer versión' }).click()
  await olga.confirm()
  const waiting = page.locator('.proposed').filter({ hasText: '2093' })
  await expect(waiting.getByText('Espera aprobación')).toBeVisible()
  await expect(waiting.getByRole('link', { name: 'Ir a aprobar' })).toBeVisible()
  await picture(page, 'plan-proposed')

  const shownTo = (signing: Page) => signing.locator('.decision').filter({ hasText: '2093' })
  const sign = async (username: string): Promise<Page> => {
    const signing = await openApprovals(browser, username)
    const shown = shownTo(signing)
    await expect(shown.getByText('Ganancia pasiva: meta por período')).toBeVisible()
    await expect(shown.locator('del')).toHaveText('10\u00a0%')
    await expect(shown.locator('ins')).toHaveText('9\u00a0%')
    await shown.getByRole('checkbox').check()
    await signing.getByRole('button', { name: 'Revisar decisiones' }).click()
    await expect(signing.getByRole('heading', { name: 'Vas a firmar 1 decisión' })).toBeVisible()
    await expectAccessible(signing)
    await picture(signing, `plan-to-sign-${username}`)
    await signByCode(signing, username)
    await expect(signing.getByText('El firmante la aceptó')).toBeVisible()
    return signing
  }
  const first = await sign('olga')
  await first.getByRole('button', { name: 'Volver a la lista' }).click()
  await expect(shownTo(first).getByText('1 de al menos 2 aprobaciones')).toBeVisible()
  await expect(
    shownTo(first).getByText('Lo propuso olga. Necesita la aprobación de otro operador'),
  ).toBeVisible()
  await picture(first, 'the-maker-is-not-enough')
  await first.context().close()
  await expect(waiting).toBeVisible()
  const second = await sign('omar')
  await expect(second.getByText('1 decisión tiene todas sus aprobaciones y se aplicó.')).toBeVisible()
  await second.context().close()
  // The console hears of it by itself; loaded again it says the same.
  await expect(waiting).toHaveCount(0)
  await expect(page.getByRole('cell', { name: /2093/ })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('cell', { name: /2093/ })).toBeVisible()
  await picture(page, 'plan-in-the-list')
}

/** Saves a list as CSV. @returns its lines, the last of which says how many rows it has */
async function exported(page: Page): Promise<string[]> {
  await page.getByRole('button', { name: 'Exportar' }).click()
  await picture(page, 'export')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: /^CSV/ }).click(),
  ])
  const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n')
  expect(lines.at(-1)).toMatch(new RegExp(`^#end,rows=${lines.length - 2},sha256=[0-9a-f]{64}$`))
  return lines
}

/** Everybody of the company, what came in a year, and every movement of one of them. */
async function exportsYear({ olga }: Week): Promise<void> {
  const { page } = olga
  await open(olga, 'Miembros')
  const everybody = await exported(page)
  for (const name of ['ana', 'carolina', 'gonzalo'])
    expect(everybody.filter((line) => line.split(',')[1] === name)).toHaveLength(1)
  const year = (await page.evaluate<string>('new Date().toISOString()')).slice(0, 4)
  await page.goto(`/operator/deposits?from=${year}-01-01&to=${year}-12-31`)
  await expect(page.getByRole('button', { name: 'Exportar' })).toBeVisible()
  const deposits = await exported(page)
  expect(deposits.some((line) => line.includes('gonzalo') && line.includes('1005000'))).toBe(true)
  await openMember(olga, 'carolina')
  const movements = await exported(page)
  expect(movements.join('\n')).toContain('10000')
  await picture(page, 'movements')
}

/** The first colleague goes again: the console is closed to her at once. */
async function dismisses({ olga, mariela }: Week): Promise<void> {
  const { page } = olga
  await open(olga, 'Operadores')
  await row(page, 'mariela').first().getByRole('button').click()
  await page.getByRole('button', { name: 'Quitar permisos' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Por qué').fill('Se fue de la empresa.')
  await picture(page, 'dismiss')
  await dialog.getByRole('button', { name: 'Quitar', exact: true }).click()
  await olga.confirm()
  await expect(toast(page, 'Ya no tiene permisos')).toBeVisible()
  await mariela.page.reload()
  await expect(mariela.page).toHaveURL(/\/auth\/login/)
}

/** What each did, as the trail says it, and why where it was asked. */
const TRAIL: readonly (readonly [said: string, why: string])[] = [
  ['olga invitó a mariela', 'Empieza el lunes y llevará los fondos.'],
  ['Cambió si carolina es fundador', 'Acordado con la dirección.'],
  ['mariela aportó dinero para', 'Entró una inversión grande.'],
  ['mariela declaró', ''],
  ['mariela propuso que siga', 'Una inversión grande, revisada.'],
  ['olga congeló a rodrigo', FREEZE_REASON],
  ['olga descongeló a rodrigo', 'Documento recibido.'],
  ['olga escribió una nota sobre rodrigo', ''],
  ['olga propuso', ''],
  ['omar aprobó', ''],
  ['olga guardó una lista como archivo', ''],
  ['olga le quitó los permisos de operador a mariela', 'Se fue de la empresa.'],
]

async function readsTrail({ olga }: Week): Promise<void> {
  const { page } = olga
  await open(olga, 'Registro')
  await page.getByRole('button', { name: 'Verificar' }).click()
  await expect(page.getByText('Nada fue alterado, quitado, insertado ni movido.')).toBeVisible()
  await picture(page, 'trail')
  const more = page.getByRole('button', { name: 'Cargar más' })
  const first = row(page, 'olga invitó a mariela')
  // From the newest entry back to the first of the week.
  for (let at = 0; at < 5 && (await first.count()) === 0; at += 1) {
    const shown = await page.getByRole('row').count()
    await more.click()
    await expect.poll(() => page.getByRole('row').count()).toBeGreaterThan(shown)
  }
  for (const [said, why] of TRAIL)
    await expect(row(page, said).filter({ hasText: why }).first()).toBeVisible()
  await row(page, 'Cambió si carolina es fundador').first().getByRole('button').click()
  await picture(page, 'before-and-after')
  const file = (await exported(page)).join('\n')
  for (const action of ['operator.invite', 'member.fundator', 'pool.fund', 'rate.declare', 'member.freeze'])
    expect(file).toContain(action)
}

test('an admin invites, the member accepts, sees what the role allows, and is dismissed after a week’s work, all of which the trail has', async ({
  browser,
}) => {
  const olga = await demoOperator(browser, 'olga')
  const cast = await members()
  const mariela = await test.step('an operator is invited and accepts', () => invites(browser, olga, cast))
  const week: Week = { browser, cast, olga, mariela, member: await ownPage(browser) }
  await test.step('a member becomes a fundator, who makes the first master', () => makesFundator(week))
  const run = await test.step('a run waits for money', () => waitsForMoney(week))
  await test.step('its pool is funded, and it goes on by itself', () => funds(week, run))
  await test.step('a lower rate is declared with its cost in sight', () => declaresRate(week))
  const runs = await test.step('a run that its checks hold is read item by item', () => readsRun(week))
  await test.step('it pays nobody until its release is proposed and signed', () => releases(week, runs))
  await test.step('1,500 take two operators', () => paysOut(week))
  await test.step('a frozen member reads why no money leaves, and withdraws again once free', () =>
    freezes(week))
  await test.step('a member’s question is answered', () => answers(week))
  await test.step('a plan is prepared by one operator and put in force by another', () => changesPlan(week))
  await test.step('lists leave as files', () => exportsYear(week))
  await test.step('a colleague goes', () => dismisses(week))
  await test.step('the trail has all of it, and is as it was recorded', () => readsTrail(week))
})
