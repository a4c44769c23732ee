/** Approving with passkeys: made on the page, pinned by a command, verified by the signer. */
import { expect, test } from '@playwright/test'
import { journeyApprovalsUrl } from '../tools/testing/journey-place.ts'
import { openApprovals, rowAt } from './approving.ts'
import { addAuthenticator } from './authenticator.ts'
import { expectAccessible } from './axe.ts'
import { openAs } from './fixture.ts'
import { approveFound, enrol, operatorWithKey } from './operator-keys.ts'
import { askFor } from './payees.ts'

/** APPROVE_ROWS=1500 makes it the day of a large company. One member asks for at most so many. */
const ROWS = Number(process.env['APPROVE_ROWS'] ?? 30)
const ROWS_OF_MEMBER = 30

// Most of a large one is asking: every withdrawal takes a code from the mailbox.
test.describe.configure({ mode: 'serial', timeout: 480_000 + ROWS * 2_000 })

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
    await expect(olga.getByText('El firmante la aceptó')).toBeVisible()
    await expect(olga.getByText(/les falta otra persona: 1 de al menos 2 operadores/)).toBeVisible()
    await expectAccessible(olga, 390, 1280)
  })
  const omar = await operatorWithKey(browser, 'omar')
  await approveFound(omar, 'keypayee', ROWS)
  await expect(omar.getByText('El firmante la aceptó')).toBeVisible()
  await expect(omar.getByText(/tienen todas sus aprobaciones/)).toBeVisible()
  await omar.getByRole('button', { name: 'Volver a la lista' }).click()
  await omar.getByLabel('Buscar').fill('keypayee')
  await expect(omar.getByText(/Nada coincide|Ningún retiro espera/)).toBeVisible()
})

test('a key that nobody pinned approves nothing, and the page says why', async ({ browser }) => {
  await askFor(1, 'keystranger')
  const page = await openApprovals(browser, 'olga')
  await addAuthenticator(page)
  await enrol(page)
  await page.getByRole('link', { name: 'Retiros', exact: true }).click()
  await page.getByLabel('Buscar').fill('keystranger')
  await rowAt(page, 'keystranger', '50,01').getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Revisar' }).click()
  await page.getByRole('button', { name: 'Aprobar con mi llave' }).click()
  await expect(page.getByText('El firmante la rechazó')).toBeVisible()
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
  await rowAt(page, 'codepayee', '50,01').getByRole('checkbox').check()
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
  await expect(codes.getByText('To sign in and decide')).toHaveCount(5)
  // The money's roles approve, the others do not.
  await expect(codes.getByText('To approve withdrawals')).toHaveCount(3)
  await expect(codes.locator('dd').first()).toHaveText(/^\d{3} \d{3}$/)
  await expectAccessible(codes, 390, 1280)
})
