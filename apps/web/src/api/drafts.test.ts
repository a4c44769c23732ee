import { describe, expect, it } from 'vitest'
import { keepDraft, keptDraft } from './drafts.ts'
import { safeStore } from './storage.ts'

const HALF_AN_HOUR = 30 * 60_000
/** A store without a browser behind it: it keeps what it is given as long as it lives. */
const memory = () =>
  safeStore(() => {
    throw new Error('there is no storage')
  })

describe('a draft', () => {
  it('comes back to the member who typed it', () => {
    const store = memory()
    keepDraft('withdrawal', 7, { amount: '250', wallet: 'T…' }, 1000, store)
    expect(keptDraft('withdrawal', 7, 2000, store)).toEqual({ amount: '250', wallet: 'T…' })
    expect(keptDraft('profile', 7, 2000, store)).toEqual({})
  })

  it('comes back to nobody else, and not for ever', () => {
    const store = memory()
    keepDraft('withdrawal', 7, { amount: '250' }, 1000, store)
    expect(keptDraft('withdrawal', 8, 2000, store)).toEqual({})
    expect(keptDraft('withdrawal', 7, 1000 + HALF_AN_HOUR, store)).toEqual({})
  })

  it('is forgotten once nothing is typed', () => {
    const store = memory()
    keepDraft('withdrawal', 7, { amount: '250' }, 1000, store)
    keepDraft('withdrawal', 7, { amount: '' }, 1000, store)
    expect(store.get('draft:withdrawal')).toBeNull()
  })

  it.each(['null', '7', '{', '{"userId":7,"at":1000}', '{"userId":7,"at":1000,"texts":{"amount":5}}'])(
    'is none in %s',
    (text) => {
      const store = memory()
      store.set('draft:withdrawal', text)
      expect(keptDraft('withdrawal', 7, 1000, store)).toEqual({})
    },
  )
})
