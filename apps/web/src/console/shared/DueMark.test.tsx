import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { show } from '../../testing/page.tsx'
import { DueMark } from './DueMark.tsx'

const HOUR = 3600
const due = (state: 'late' | 'soon' | 'later', seconds: number) => ({
  at: '2026-11-29T10:00:00Z',
  state,
  seconds,
})

it.each([
  [
    'what was asked for a moment ago is now, not 0 min',
    59,
    due('later', 72 * HOUR - 59),
    'just now · 71 hr left',
  ],
  ['a minute is one', 60, due('later', 72 * HOUR - 60), '1 min ago · 71 hr left'],
  ['what is due soon', 71 * HOUR, due('soon', HOUR), '71 hr ago Due in 1 hr'],
  ['what is late', 95 * HOUR, due('late', -23 * HOUR), '95 hr ago 23 hr late'],
  ['what waits for a frozen account has no end', 5 * HOUR, null, '5 hr ago Account frozen'],
])('%s', async (_what, age, until, said) => {
  await show(<DueMark row={{ age, due: until, frozen: until === null }} />, { texts: ['console/shared'] })
  const first = await screen.findByText(/ago|now/)
  const words = [...(first.parentElement?.children ?? [])].map(({ textContent }) => textContent)
  expect(words.join(' ')).toBe(said)
})
