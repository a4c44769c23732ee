import { type KeyValueStore, tabStorage } from './storage.ts'

/**
 * What was being typed when the page went away: a session that ended, a reload, another language. Kept in this tab, for
 * half an hour, and for that member alone; signing out forgets it. Passwords and codes are never given to it.
 */
export type Draft = Readonly<Record<string, string>>

const LIFE = 30 * 60_000

const keyOf = (form: string) => `draft:${form}`

/** @param texts by field; none at all forgets the draft */
export function keepDraft(
  form: string,
  userId: number,
  texts: Draft,
  now: number,
  store: KeyValueStore = tabStorage,
): void {
  if (Object.values(texts).every((text) => text === '')) store.remove(keyOf(form))
  else store.set(keyOf(form), JSON.stringify({ userId, at: now, texts }))
}

/** Empty where there is none: another member's, one that is too old, and junk are none. */
export function keptDraft(
  form: string,
  userId: number,
  now: number,
  store: KeyValueStore = tabStorage,
): Draft {
  const text = store.get(keyOf(form))
  if (text === null) return {}
  try {
    const { userId: owner, at, texts } = JSON.parse(text) as Record<string, unknown>
    const isFresh = typeof at === 'number' && now - at < LIFE
    if (owner !== userId || !isFresh || typeof texts !== 'object' || texts === null) return {}
    return Object.fromEntries(
      Object.entries(texts).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    )
  } catch {
    return {}
  }
}
