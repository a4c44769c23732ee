import { describe, expect, it } from 'vitest'
import { fullName, nodeId, nodeName, readNodeId } from './genealogy.rules.ts'

describe('the name of a node', () => {
  it('leads back to the member', () => {
    expect(readNodeId(nodeId(42n))).toBe(42n)
  })

  it.each([
    '',
    '42',
    'O-',
    'O-0',
    'O-042',
    'O--1',
    'O-1.5',
    'O-4e2',
    ' O-42',
    'O-42\n',
    'O-2000000001',
    'O-99999999999999999999',
  ])('is never "%s"', (text) => {
    expect(readNodeId(text)).toBeNull()
  })
})

describe('what members are called', () => {
  it('is at most as long as a card is wide, as readers count characters', () => {
    expect(nodeName('Beatriz Alejandra del Carmen')).toBe('Beatriz Alejandra del…')
    expect(nodeName('Ana')).toBe('Ana')
    const families = '👨‍👩‍👧'.repeat(23)
    expect(nodeName(families)).toBe(`${'👨‍👩‍👧'.repeat(21)}…`)
    expect(nodeName('👨‍👩‍👧'.repeat(22))).toBe('👨‍👩‍👧'.repeat(22))
  })

  it('is first and last name, where there are both', () => {
    expect(fullName({ first_name: 'Ana', last_name: 'Paz' })).toBe('Ana Paz')
    expect(fullName({ first_name: 'Ana', last_name: '' })).toBe('Ana')
    expect(fullName({ first_name: 'x'.repeat(60), last_name: 'y'.repeat(60) })).toHaveLength(60)
  })
})
