import { expect, it } from 'vitest'
import { stateOf } from './earnings.presenter.ts'

it.each([
  ['paid once its batch is posted', 'posting', true, false, 'paid'],
  ['on its way while its run posts', 'posting', false, false, 'posting'],
  ['in review while its run is held for an objection', 'held', false, true, 'in_review'],
  ['waiting for money while its run is held for nothing else', 'held', false, false, 'awaiting_funding'],
])('a payment is %s', (_name, run_state, posted, in_review, expected) => {
  expect(stateOf({ run_state, posted, in_review })).toBe(expected)
})
