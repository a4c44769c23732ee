import { expect, test } from '@playwright/test'
import { PASSWORD, register } from '../tools/testing/client.ts'
import { axeFaults, overflow } from './axe.ts'
import { openIn, product } from './fixture.ts'
import { deviceOf, enter, leave, personAt } from './person.ts'

/** Wrong passwords, until the server asks for work. @returns what it asks for */
async function guessAt(email: string) {
  for (let guess = 0; guess < 60; guess += 1) {
    const answer = await fetch(`${product.url}/api/auth/token/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/problem+json' },
      body: JSON.stringify({ email, password: 'not-the-password' }),
    })
    const body: unknown = await answer.json()
    if (answer.status === 429) return { body, retryAfter: Number(answer.headers.get('retry-after')) }
  }
  throw new Error('sixty guesses were compared')
}

for (const [language, width] of [
  ['es', 1280],
  ['en', 390],
] as const)
  test.describe(`in ${language} at ${width} pixels`, () => {
    test.use(deviceOf(width))

    test('a member whose password is being guessed at signs in, and sees the guesses', async ({ page }) => {
      const person = personAt(page, language, width)
      const { say } = person
      const { username } = await register(product.url)
      const asked = await guessAt(username)
      expect(asked.body).toMatchObject({ code: 'too_many_requests', proof: { parts: 8 } })
      expect(asked.retryAfter).toBeGreaterThan(0)

      // On a device that is not known the page does the work, and says so while it does.
      await openIn(page, language, '/auth/login/?next=/security')
      const { promise: seen, resolve: goOn } = Promise.withResolvers<void>()
      await page.route('**/api/auth/token/', async (route) => {
        if (route.request().postData()?.includes('"proof"')) await seen
        await route.continue()
      })
      await enter(person, username, PASSWORD)
      await expect(page.getByRole('status').filter({ hasText: say('moment') })).toBeVisible()
      expect([await axeFaults(page), await overflow(page)]).toEqual([[], 0])
      goOn()
      await page.waitForURL('**/security')
      await expect(page.getByText(say('wrongPasswords'))).toBeVisible()
      expect(await overflow(page)).toBe(0)

      // From now on this browser is known: nothing more is asked of it.
      await leave(person)
      await guessAt(username)
      const sent: (string | null)[] = []
      page.on('request', (request) => {
        if (request.url().endsWith('/api/auth/token/')) sent.push(request.postData())
      })
      await openIn(page, language, '/auth/login/?next=/security')
      await enter(person, username, PASSWORD)
      await page.waitForURL('**/security')
      expect(sent).toHaveLength(1)
    })
  })
