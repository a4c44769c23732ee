import { screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { button, show } from '../testing/page.tsx'
import { FailureGroup } from './FailureGroup.tsx'
import { ErrorState } from './States.tsx'

const AWAY = { status: 503, code: 'unavailable', message: 'We are back in a moment.' }
const LATE = { status: 429, code: 'too_many_requests', message: 'Wait a little.' }

it('cards that fail for one cause say it once, and one press tries all of them again; another cause stays by itself', async () => {
  const retries = [vi.fn(), vi.fn(), vi.fn(), vi.fn()]
  const [first = vi.fn(), second = vi.fn(), third = vi.fn(), other = vi.fn()] = retries
  const user = await show(
    <FailureGroup>
      {[first, second, third].map((retry, card) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: three cards, always
        <ErrorState key={card} failure={AWAY} onRetry={retry} />
      ))}
      <ErrorState failure={LATE} onRetry={other} />
    </FailureGroup>,
    { texts: [] },
  )
  expect(screen.getAllByRole('alert')).toHaveLength(2)
  expect(screen.getAllByText('Did not load.')).toHaveLength(3)
  const [all, alone] = screen.getAllByRole('button', { name: 'Try again' })
  await user.click(all as HTMLElement)
  expect(retries.map((retry) => retry.mock.calls.length)).toEqual([1, 1, 1, 0])
  await user.click(alone as HTMLElement)
  expect(other).toHaveBeenCalledTimes(1)
})

it('a card that fails alone says why itself', async () => {
  await show(
    <FailureGroup>
      <ErrorState failure={AWAY} onRetry={() => undefined} />
    </FailureGroup>,
    { texts: [] },
  )
  expect(screen.getAllByRole('button')).toHaveLength(1)
  expect(button('Try again')).toBeDefined()
})
