import { expect, it } from 'vitest'
import { quiet } from './useLive.ts'

const asked = (status: number) => ({
  data: 'shown',
  currentData: 'shown',
  error: { status },
  isFetching: false,
  refetch: () => undefined,
})

it('what is shown stays while asking again fails, and is called stale', () => {
  expect(quiet(asked(503))).toMatchObject({ data: 'shown', error: undefined, isStale: true })
})

it('what is gone by now is no longer shown', () => {
  expect(quiet(asked(404))).toMatchObject({ error: { status: 404 }, isStale: false })
})
