import { expect, it } from 'vitest'
import { spreadOf } from './measures.ts'

it('a spread lists measured times, the nearest rank each', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => 100 - index)
  expect(spreadOf(hundred)).toEqual({ count: 100, p50: 50, p99: 99, slowest: 100 })
  expect(spreadOf([7])).toEqual({ count: 1, p50: 7, p99: 7, slowest: 7 })
  expect(spreadOf([])).toEqual({ count: 0, p50: 0, p99: 0, slowest: 0 })
})
