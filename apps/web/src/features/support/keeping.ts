/** What a member typed and has not sent, kept from one visit to the next. Signing out clears all of it. */
import type { SupportTopic } from '@aval/contract'
import { isRecord } from '../../api/failure.ts'
import { type KeyValueStore, readJson } from '../../api/storage.ts'

export const TOPICS = ['callback', 'order', 'help', 'payment'] as const satisfies readonly SupportTopic[]

export interface Draft {
  readonly text: string
  readonly topic: SupportTopic | null
}

export const NO_DRAFT: Draft = { text: '', topic: null }

/** A text with its topic, wherever it was kept; null for anything else. */
export function readDraft(value: unknown): Draft | null {
  if (!isRecord(value) || typeof value['text'] !== 'string') return null
  return { text: value['text'], topic: TOPICS.find((topic) => topic === value['topic']) ?? null }
}

const nameOf = (memberId: number) => `support.draft.${memberId}`

export function loadDraft(store: KeyValueStore, memberId: number): Draft {
  return readDraft(readJson(store, nameOf(memberId))) ?? NO_DRAFT
}

export function saveDraft(store: KeyValueStore, memberId: number, draft: Draft): void {
  if (draft.text === '' && draft.topic === null) store.remove(nameOf(memberId))
  else store.set(nameOf(memberId), JSON.stringify(draft))
}
