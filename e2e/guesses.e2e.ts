import type { ProofOfWork, ProofRequest } from '@aval/contract'
import { expect, test } from '@playwright/test'
import { solve } from '../apps/web/src/features/identity/sign-in/proofOfWork.ts'
import { PASSWORD, register } from '../tools/testing/client.ts'
import { axeFaults, overflow } from './axe.ts'
import { heading, openIn, product } from './fixture.ts'
import { button, deviceOf, fillIn, leave, personAt } from './person.ts'

interface Asked {
  readonly code: string
  readonly proof?: ProofRequest
}

/** A wrong password. @returns what the server asks for before it compares another; null where it compared this one */
async function guess(email: string, proof?: ProofOfWork) {
  const answer = await fetch(`${product.url}/api/auth/token/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/problem+json' },
    body: JSON.stringify({ email, password: 'not-the-password', proof }),
  })
  const body = (await answer.json()) as Asked
  return answer.status === 429 ? { body, retryAfter: Number(answer.headers.get('retry-after')) } : null
}

/** Wrong passwords, until the server asks for work. @returns what it asks for */
async function guessAt(email: string) {
  for (let count = 0; count < 60; count += 1) {
    const asked = await guess(email)
    if (asked !== null) return asked
  }
  throw new Error('sixty guesses were compared')
}

/** Goes on with the work done: the name is free again in half a minute, and not in the moment in which a form is sent. */
async function goOnGuessing(email: string, { body }: { body: Asked }): Promise<void> {
  let { proof } = body
  for (let count = 0; count < 12 && proof !== undefined; count += 1) {
    await guess(email, solve(proof) ?? undefined)
    proof = (await guessAt(email)).body.proof
  }
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
      // Filled in before: on a slow machine the name would be free again by the time the page is there.
      await openIn(page, language, '/auth/login/?next=/security')
      await fillIn(person, username, PASSWORD)
      const asked = await guessAt(username)
      expect(asked.body).toMatchObject({ code: 'too_many_requests', proof: { parts: 8 } })
      expect(asked.retryAfter).toBeGreaterThan(0)
      const { promise: seen, resolve: goOn } = Promise.withResolvers<void>()
      await page.route('**/api/auth/token/', async (route) => {
        if (route.request().postData()?.includes('"proof"')) await seen
        await route.continue()
      })
      await goOnGuessing(username, asked)

      // On a device that is not known the page does the work, and says so while it does.
      await person.press(button(person, say('signIn')))
      await expect(page.getByRole('status').filter({ hasText: say('moment') })).toBeVisible()
      expect([await axeFaults(page), await overflow(page)]).toEqual([[], 0])
      goOn()
      await expect(heading(page, say('security'))).toBeVisible()
      await expect(page.getByText(say('wrongPasswords'))).toBeVisible()
      expect(await overflow(page)).toBe(0)

      // From now on this browser is known: nothing more is asked of it.
      await leave(person)
      const sent: (string | null)[] = []
      page.on('request', (request) => {
        if (request.url().endsWith('/api/auth/token/')) sent.push(request.postData())
      })
      await openIn(page, language, '/auth/login/?next=/security')
      await fillIn(person, username, PASSWORD)
      await guessAt(username)
      await person.press(button(person, say('signIn')))
      await expect(heading(page, say('security'))).toBeVisible()
      expect(sent).toHaveLength(1)
    })
  })
