import { expect, it } from 'vitest'
import { stateOf } from './earnings.presenter.ts'

it.each([
  ['paid once its batch is posted', 'posting', true, false, 0n, 'paid'],
  ['on its way while its run posts', 'posting', false, false, 0n, 'posting'],
  ['in review while its run is held for an objection', 'held', false, true, 5n, 'in_review'],
  ['waiting for money while its run is held for nothing else', 'held', false, false, 5n, 'awaiting_funding'],
  ['on its way once the pool of its held run is filled', 'held', false, false, 0n, 'posting'],
])('a payment is %s', (_name, run_state, posted, in_review, missing, expected) => {
  expect(stateOf({ run_state, posted, in_review, missing })).toBe(expected)
})
