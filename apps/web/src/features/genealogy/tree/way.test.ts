import type { TreeNode } from '@aval/contract'
import { describe, expect, it } from 'vitest'
import { rootFor } from './way.ts'

const way = (...links: [number, number][]) =>
  links.map(([id, parent]) => ({ id: `O-${id}`, parentId: `O-${parent}` }) as TreeNode)

describe('from whom on somebody far away is shown', () => {
  it('is the top where only a part was shown', () => {
    expect(rootFor(way([1, 0], [2, 1]), 'O-7')).toBeNull()
  })

  it('is who stands below the gap of a way too long', () => {
    expect(rootFor(way([1, 0], [2, 1], [90, 89], [91, 90]), null)).toBe('O-90')
  })

  it('is otherwise the member, so that something is shown', () => {
    expect(rootFor(way([1, 0], [2, 1]), null)).toBe('O-2')
    expect(rootFor([], null)).toBeNull()
  })
})
