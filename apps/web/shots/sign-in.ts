/** The sign-in and a forgotten password with what can come up: answers of the server that would take an attack, a mailbox or a phone. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'

export interface Said {
  /** The end of the path of the call that is answered so. */
  readonly call: string
  readonly status: number
  /** A name of a refusal; its sentence is the server's. */
  readonly code?: string
  readonly minutes?: number
  readonly field?: string
  readonly body?: object
}

/** A page of a visitor, what the server says on it, and what is done there. */
export interface State {
  readonly name: string
  readonly path: string
  readonly visitor: true
  readonly says: readonly Said[]
  readonly act: (page: Page) => Promise<unknown>
}

type Language = 'es' | 'en'

const LOCALES = join(import.meta.dirname, '../../server/src/core/locales')

function sentenceOf(language: Language, { code = '', minutes = 0 }: Said): string {
  const files = ['common', 'identity'].map((name) => join(LOCALES, language, `${name}.json`))
  const sentences = Object.assign({}, ...files.map((file) => JSON.parse(readFileSync(file, 'utf8'))))
  const sentence: unknown = sentences[code]
  if (typeof sentence !== 'string') throw new Error(`the server has no sentence for ${code}`)
  return sentence.replace('{{minutes}}', String(minutes)).replace('{{seconds}}', '5')
}

function bodyOf(language: Language, said: Said): object {
  if (said.code === undefined) return said.body ?? {}
  const detail = sentenceOf(language, said)
  const errors = said.field === undefined ? {} : { errors: [{ path: said.field, code: said.code, detail }] }
  return {
    type: 'about:blank',
    status: said.status,
    code: said.code,
    title: detail,
    detail,
    ...errors,
    ...said.body,
  }
}

/** Answers in the place of the server. */
export async function answerAs(page: Page, language: Language, says: readonly Said[]): Promise<void> {
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  for (const said of says)
    await page.route(`**/api/auth/${said.call}`, (route) =>
      route.fulfill({ status: said.status, json: bodyOf(language, said) }),
    )
}

const enter = async (page: Page) => {
  await page.locator('input[name="email"]').fill('ana@example.com')
  await page.locator('input[name="password"]').fill('not-the-password')
  await page.locator('button[type="submit"]').click()
}
const shown = (page: Page, role: 'alert' | 'status') =>
  page.getByRole(role).filter({ hasText: /./ }).first().waitFor()

/** More than any device solves while a picture is taken. */
const WORK = { challenge: 'x', bits: 20, parts: 16, expires_at: '2100-01-01T00:00:00.000Z' }
const second = { call: 'token/', status: 200, body: { otp_required: true, otp_token: 'x', passkey: true } }
const code = (page: Page) => page.locator('input[name="code"]')
const toRecovery = (page: Page) =>
  page.getByRole('button', { name: /^(Usar un código de recuperación|Use a recovery code)$/ }).click()

const newPassword = async (page: Page) => {
  for (const name of ['password', 'password2'])
    await page.locator(`input[name="${name}"]`).fill('nube-verde-9-tren')
  await page.locator('button[type="submit"]').click()
}

const signIn = (name: string, says: readonly Said[], act: State['act']): State => ({
  name,
  path: '/auth/login/',
  visitor: true,
  says,
  act,
})

export const SIGN_IN_STATES: readonly State[] = [
  signIn('sign-in-wrong', [{ call: 'token/', status: 401, code: 'credentials_wrong' }], async (page) => {
    await enter(page)
    await shown(page, 'alert')
  }),
  signIn(
    'sign-in-working',
    [{ call: 'token/', status: 429, code: 'too_many_requests', body: { proof: WORK } }],
    async (page) => {
      await enter(page)
      await shown(page, 'status')
    },
  ),
  signIn(
    'sign-in-wait',
    [{ call: 'token/', status: 429, code: 'too_many_requests_long', minutes: 14 }],
    async (page) => {
      await enter(page)
      await shown(page, 'alert')
    },
  ),
  signIn('sign-in-code', [second], async (page) => {
    await enter(page)
    await code(page).waitFor()
  }),
  signIn('sign-in-code-wrong', [second, { call: 'otp/', status: 401, code: 'otp_wrong' }], async (page) => {
    await enter(page)
    await code(page).fill('123456')
    await page.locator('.field-error, [aria-invalid="true"]').first().waitFor()
  }),
  signIn('sign-in-recovery', [second], async (page) => {
    await enter(page)
    await code(page).waitFor()
    await toRecovery(page)
  }),
  {
    name: 'reset-code-wrong',
    path: '/auth/reset-password?email=ana%40example.com',
    visitor: true,
    says: [{ call: 'reset-password/', status: 422, code: 'reset_refused', field: 'otp' }],
    act: async (page) => {
      await page.locator('input[name="otp"]').fill('1234567')
      await newPassword(page)
      await page.locator('[aria-invalid="true"]').first().waitFor()
    },
  },
  {
    name: 'reset-link-over',
    path: `/auth/reset-password#${'x'.repeat(43)}`,
    visitor: true,
    says: [{ call: 'reset-password/link/', status: 422, code: 'reset_link_invalid' }],
    act: async (page) => {
      await newPassword(page)
      await shown(page, 'alert')
    },
  },
]
