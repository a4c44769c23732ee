/**
 * Storage that cannot fail: where it is disabled, full or forbidden, values live as long as the page does.
 */
export interface KeyValueStore {
  get(key: string): string | null
  set(key: string, value: string): void
  remove(key: string): void
  clear(): void
}

/** @param backing asks for the real storage; touching `window.localStorage` may itself throw. */
export function safeStore(backing: () => Storage): KeyValueStore {
  const memory = new Map<string, string>()
  const attempt = <Result>(action: (storage: Storage) => Result, otherwise: Result): Result => {
    try {
      return action(backing())
    } catch {
      return otherwise
    }
  }
  return {
    get: (key) => memory.get(key) ?? attempt((storage) => storage.getItem(key), null),
    set(key, value) {
      const write = (storage: Storage) => {
        storage.setItem(key, value)
        return true
      }
      // Where there is no room, the old value goes first: it makes room, and it must not outlive the new one.
      const stored =
        attempt(write, false) ||
        attempt((storage) => {
          storage.removeItem(key)
          return write(storage)
        }, false)
      if (stored) memory.delete(key)
      else memory.set(key, value)
    },
    remove(key) {
      memory.delete(key)
      attempt((storage) => storage.removeItem(key), undefined)
    },
    clear() {
      memory.clear()
      attempt((storage) => storage.clear(), undefined)
    },
  }
}

/** Of all tabs, for good. */
export const storage = safeStore(() => window.localStorage)
/** Of this tab, for as long as it is there; a reload keeps it. */
export const tabStorage = safeStore(() => window.sessionStorage)

/** What is stored as JSON; null for nothing, and for junk. */
export function readJson(store: KeyValueStore, key: string): unknown {
  try {
    return JSON.parse(store.get(key) ?? 'null')
  } catch {
    return null
  }
}
