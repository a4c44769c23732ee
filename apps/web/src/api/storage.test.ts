import { describe, expect, it } from 'vitest'
import { safeStore } from './storage.ts'

/** A storage with room for so many characters, names included. */
function storageOf(room: number): Storage {
  const values = new Map<string, string>()
  const taken = (but: string) =>
    [...values]
      .filter(([key]) => key !== but)
      .reduce((sum, [key, value]) => sum + key.length + value.length, 0)
  return {
    getItem: (key: string) => values.get(key) ?? null,
    setItem(key: string, value: string) {
      if (taken(key) + key.length + value.length > room) throw new DOMException('full', 'QuotaExceededError')
      values.set(key, value)
    },
    removeItem: (key: string) => void values.delete(key),
    clear: () => values.clear(),
  } as Storage
}

describe('a store that cannot fail', () => {
  it('keeps what the browser keeps', () => {
    const backing = storageOf(100)
    safeStore(() => backing).set('language', 'en')
    expect(safeStore(() => backing).get('language')).toBe('en')
  })

  it('lives as long as the page where storage is disabled', () => {
    const store = safeStore(() => {
      throw new DOMException('denied', 'SecurityError')
    })
    expect(store.get('access')).toBeNull()
    store.set('access', 'a1')
    expect(store.get('access')).toBe('a1')
    store.remove('access')
    expect(store.get('access')).toBeNull()
    store.set('access', 'a2')
    store.clear()
    expect(store.get('access')).toBeNull()
  })

  it('never leaves an old value in a full storage beside a new one in the page', () => {
    const backing = storageOf(12)
    const store = safeStore(() => backing)
    store.set('refresh', 'old')
    store.set('refresh', 'much longer')
    expect(store.get('refresh')).toBe('much longer')
    expect(backing.getItem('refresh')).toBeNull()
    store.set('refresh', 'new')
    expect([store.get('refresh'), backing.getItem('refresh')]).toEqual(['new', 'new'])
  })
})
