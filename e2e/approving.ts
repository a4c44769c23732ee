/** An operator at the approvals page: a page of its own, which believes nobody and moves nothing by itself. */
import { type Browser, type BrowserContext, expect, type Locator, type Page } from '@playwright/test'
import { journeyApprovalsUrl, journeyDataDir } from '../tools/testing/journey-place.ts'
import { approvalCode, stepOf } from '../tools/testing/one-time-code.ts'
import { LAPTOP } from './fixture.ts'

/** The half minutes whose codes the signer has taken, by operator: it takes none twice, and none that came before. */
const used = new Map<string, number>()
/** What was approved before these journeys began, by the demo or by a worker that ended, used no later half minute. */
const usedBefore = stepOf() + 1

/** A code that the signer has not taken yet: it takes those of this half minute and of the next. */
async function freshApprovalCode(username: string): Promise<string> {
  const wanted = Math.max(stepOf(), (used.get(username) ?? usedBefore) + 1)
  await expect.poll(() => wanted <= stepOf() + 1).toBe(true)
  used.set(username, wanted)
  return approvalCode(journeyDataDir, username, wanted)
}

/**
 * The approvals page in Spanish, in a browser of the operator's own, or in this one.
 * @param member whose withdrawals alone are shown: of a long list only the rows in sight are drawn
 */
export async function openApprovals(
  browser: Browser | BrowserContext,
  username: string,
  member = '',
): Promise<Page> {
  const context = 'newContext' in browser ? await browser.newContext({ viewport: LAPTOP }) : browser
  const page = await context.newPage()
  await page.goto(journeyApprovalsUrl)
  const who = page.getByLabel('¿Quién eres?')
  await who.selectOption({ label: await optionOf(who, username) })
  await page.getByLabel('Buscar').fill(member)
  return page
}

/** The choice that begins with this username. */
async function optionOf(who: Locator, username: string): Promise<string> {
  await expect(who.getByRole('option', { name: username })).toHaveCount(1)
  return (await who.getByRole('option', { name: username }).textContent()) ?? ''
}

/** Rows of this member with this amount. */
export const rowAt = (page: Page, member: string, amount: string): Locator =>
  page.getByRole('listitem').filter({ hasText: member }).filter({ hasText: amount })

/** Goes on to review what is chosen, and approves it with a code of the authenticator app. */
export async function approveByCode(page: Page, username: string): Promise<void> {
  await page.getByRole('button', { name: 'Revisar', exact: true }).click()
  await signByCode(page, username)
}

/** Approves what is reviewed with a code. */
export async function signByCode(page: Page, username: string): Promise<void> {
  await page.getByRole('button', { name: 'Aprobar con un código' }).click()
  await page.getByLabel('Código para aprobar').fill(await freshApprovalCode(username))
  await page.getByRole('button', { name: 'Aprobar', exact: true }).click()
}

/** Chooses decisions on this page, all of those with one of these texts, and signs them in one touch by code. */
export async function signDecisions(
  page: Page,
  username: string,
  ...texts: readonly string[]
): Promise<void> {
  for (const text of texts)
    for (const shown of await page.locator('.decision').filter({ hasText: text }).all())
      await shown.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Revisar decisiones' }).click()
  await signByCode(page, username)
  await expect(page.getByText('El firmante la aceptó')).toBeVisible()
}

/** Approves a member's withdrawal of this amount by code, and sees the signer accept it. */
export async function approve(page: Page, username: string, member: string, amount: string): Promise<void> {
  await rowAt(page, member, amount).getByRole('checkbox').check()
  await approveByCode(page, username)
  await expect(page.getByText('El firmante la aceptó')).toBeVisible()
}
