import { test } from '@playwright/test'
import { firstHour } from './first-hour.ts'
import { deviceOf, personAt } from './person.ts'

for (const [language, width] of [
  ['es', 390],
  ['en', 1280],
] as const)
  test.describe(`in ${language} at ${width} pixels`, () => {
    test.use(deviceOf(width))

    test('a person is invited, registers, invests, is paid the next day, withdraws, and the sponsor sees the commission', async ({
      page,
    }) => {
      await firstHour(personAt(page, language, width))
    })
  })
