/** The house rules, held by every file of the project. What each catches is shown in house-rules.test.ts. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { houseRules } from './checks/rules.ts'
import { readSources } from './checks/sources.ts'
import { root } from './core/config.ts'
import { missingOptional, readLock } from './lock.ts'

const sources = readSources()

test('the project’s files are found', () => {
  expect(sources.length).toBeGreaterThan(100)
  expect(sources.map(({ path }) => path)).toContain('packages/money/src/micro.ts')
})

test.each(houseRules)('$name', ({ check }) => {
  expect(sources.flatMap(check)).toEqual([])
})

test('package-lock.json knows the optional packages of every platform (else: npm run lock)', () => {
  expect(missingOptional(readLock(readFileSync(join(root, 'package-lock.json'), 'utf8')))).toEqual([])
})
