import { createLoader } from 'nuqs'
import { describe, expect, it } from 'vitest'
import { isSearchable, PLACE, PLACE_NAMES, searchPath, treePath, wayPath } from './questions.ts'

describe('what is asked', () => {
  it('is the plain call where nothing else is wanted', () => {
    expect(treePath({ view: 'unilevel', root: null, asOf: null })).toBe('tree/get-binary-tree/')
  })

  it('names view, root, day and page', () => {
    expect(treePath({ view: 'binary', root: 'O-5', asOf: '2026-11-20' })).toBe(
      'tree/get-binary-tree/?view=binary&root=O-5&as_of=2026-11-20',
    )
    expect(
      treePath({ view: 'unilevel', root: null, asOf: null }, { children_of: 'O-7', offset: 5, count: 5 }),
    ).toBe('tree/get-binary-tree/?children_of=O-7&offset=5&count=5')
  })

  it('asks for the way to somebody on the day that is shown', () => {
    expect(wayPath({ view: 'unilevel', asOf: null }, 'O-7')).toBe('tree/path/?id=O-7&view=unilevel')
    expect(wayPath({ view: 'binary', asOf: '2026-11-20' }, 'O-7')).toBe(
      'tree/path/?id=O-7&view=binary&as_of=2026-11-20',
    )
  })

  it('is about another member where an operator looks at theirs', () => {
    const question = { view: 'binary', root: null, asOf: null, of: '7' } as const
    expect(treePath(question)).toBe('operator/members/7/tree/?view=binary')
    expect(treePath({ ...question, view: 'unilevel' })).toBe('operator/members/7/tree/')
    expect(wayPath(question, 'O-9')).toBe('operator/members/7/tree/path/?id=O-9&view=binary')
  })

  it('searches for what was typed, whatever it holds', () => {
    expect(searchPath(' ana & co ', 'binary')).toBe('tree/search/?q=ana+%26+co&view=binary')
    expect([isSearchable(' a '), isSearchable('an')]).toEqual([false, true])
  })
})

describe('the address of the page', () => {
  const load = createLoader(PLACE, PLACE_NAMES)

  it('says what is shown', () => {
    expect(load('?view=binary&root=O-12&node=O-5&as_of=2026-02-28')).toEqual({
      view: 'binary',
      root: 'O-12',
      node: 'O-5',
      asOf: '2026-02-28',
    })
  })

  it.each(['', 'view=round&root=12&node=O-0&as_of=yesterday', 'node=O-5%27--&as_of=2026-13-01'])(
    'means the plain page with %s',
    (query) => {
      expect(load(`?${query}`)).toEqual({
        view: 'unilevel',
        root: null,
        node: null,
        asOf: null,
      })
    },
  )
})
