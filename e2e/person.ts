/** A person at the product: reads one language, and has a mouse on a laptop or a finger on a phone. */
import { expect, type Locator, type Page } from '@playwright/test'
import { follow, LAPTOP, type Language, PHONE } from './fixture.ts'
import { type Words, wordsIn } from './words.ts'

export interface Person {
  readonly page: Page
  readonly language: Language
  /** What the screens say in this person's language. */
  readonly say: Words
  readonly onPhone: boolean
  /** By mouse, or by finger. */
  press(thing: Locator): Promise<void>
}

/** Settings of a browser for a person at a screen of this width. */
export const deviceOf = (width: 390 | 1280) => {
  const onPhone = width === 390
  return { viewport: onPhone ? PHONE : LAPTOP, hasTouch: onPhone, isMobile: onPhone }
}

export function personAt(page: Page, language: Language, width: 390 | 1280): Person {
  const onPhone = width === 390
  const press = (thing: Locator) => (onPhone ? thing.tap() : thing.click())
  return { page, language, say: wordsIn(language), onPhone, press }
}

export const button = ({ page }: Person, name: string | RegExp) =>
  page.getByRole('button', { name, exact: true }).first()

/** Follows a link until the page is there that is headed so. */
export const go = ({ page, press }: Person, link: Locator, title: string | RegExp): Promise<void> =>
  follow(page, link, title, press)

/** Fills in the sign-in form. */
export async function fillIn({ page, say }: Person, username: string, password: string): Promise<void> {
  await page.getByLabel(say('identity')).fill(username)
  await page.getByLabel(say('password'), { exact: true }).fill(password)
}

/** Fills in the sign-in form and sends it. */
export async function enter(person: Person, username: string, password: string): Promise<void> {
  await fillIn(person, username, password)
  await person.press(button(person, person.say('signIn')))
}

/** Signs out through the user menu. It forgets the language along with everything else. */
export async function leave({ page, say, press }: Person): Promise<void> {
  await press(page.getByRole('button', { name: say('account') }))
  await press(page.getByRole('menuitem', { name: say('signOut') }))
  await page.waitForURL('**/auth/login**')
}

/** Turns the demo's clock, and waits until it is the next day everywhere. */
export async function advanceDay(person: Person): Promise<void> {
  const { page, say } = person
  await person.press(button(person, say('advance')))
  await expect(page.getByText(new RegExp(`^${say('advanced')}.*20\\d\\d`))).toBeVisible()
}
