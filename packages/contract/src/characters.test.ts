import { expect, it } from 'vitest'
import { firstCharacters, shortened } from './characters.ts'

it.each([
  ['👨\u200d👩\u200d👧👍🏽🇨🇴', 2, '👨\u200d👩\u200d👧👍🏽'],
  ['Jose\u0301 Mora', 4, 'Jose\u0301'],
  ['🇨🇴🇲🇽', 1, '🇨🇴'],
  ['क्षमा', 1, 'क्ष'],
  ['Ana', 3, 'Ana'],
])('%j ends between two characters', (text, most, beginning) => {
  expect(firstCharacters(text, most)).toBe(beginning)
})

it('what is shortened is as long as it may be, as a reader counts', () => {
  expect(shortened('👍🏽👍🏽👍🏽', 3)).toBe('👍🏽👍🏽👍🏽')
  expect(shortened('👍🏽👍🏽👍🏽👍🏽', 3)).toBe('👍🏽👍🏽…')
})
