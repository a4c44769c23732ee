import { describe, expect, it } from 'vitest'
import { safeStore } from './storage.ts'

/** A storage of plain values, which may refuse to take more. */
function backing({ full = false } = {}): Storage {
  const values = new Map<string, string>()
  return {
    get length() {
      return values.size
    },
    key: (index) => [...values.keys()][index] ?? null,
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => {
      if (full) throw new DOMException('full', 'QuotaExceededError')
      values.set(key, value)
    },
    removeItem: (key) => values.delete(key),
    clear: () => values.clear(),
  }
}

const forbidden = () => {
  throw new DOMException('forbidden', 'SecurityError')
}

describe('a store that cannot fail', () => {
  it.each([
    ['works', () => backing()],
    ['is full', () => backing({ full: true })],
    ['is forbidden', forbidden],
  ])('keeps, gives and forgets where the storage %s', (_case, make) => {
    const one = make === forbidden ? forbidden : () => storage
    const storage = make === forbidden ? backing() : make()
    const store = safeStore(one)
    expect(store.get('key')).toBeNull()
    store.set('key', 'value')
    store.set('other', 'thing')
    expect(store.get('key')).toBe('value')
    store.set('key', 'another')
    expect(store.get('key')).toBe('another')
    store.remove('key')
    expect(store.get('key')).toBeNull()
    store.clear()
    expect(store.get('other')).toBeNull()
  })

  it('prefers what it could not store to what is stored', () => {
    const storage = backing()
    const store = safeStore(() => storage)
    store.set('key', 'old')
    storage.setItem = () => {
      throw new DOMException('full', 'QuotaExceededError')
    }
    store.set('key', 'new')
    expect(store.get('key')).toBe('new')
  })
})
