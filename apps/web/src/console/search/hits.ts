import type { SearchHit, SearchKind } from '@aval/contract'
import { isRecord } from '../../api/failure.ts'
import { type KeyValueStore, readJson } from '../../api/storage.ts'
import { memberLink, placeLink, runLink } from '../shared/place.ts'

/** Where what was found is shown: its own row, opened, wherever there is one. */
export function targetOf({ kind, id, member }: SearchHit): string {
  switch (kind) {
    case 'member':
      return memberLink(id)
    case 'run':
      return runLink(Number(id))
    case 'withdrawal':
      return placeLink('withdrawals', { withdrawal: id })
    case 'investment':
      return placeLink('investments', { member: `#${id}` })
    case 'deposit':
      return placeLink('deposits', { search: id })
    case 'invoice':
      return member === null ? placeLink('deposits') : memberLink(member.id, 'investments', id)
    case 'transfer':
      return placeLink('treasury')
    default:
      return kind satisfies never
  }
}

/** What was opened from the search before, the latest first. */
export interface Recent {
  readonly to: string
  readonly first: string
  readonly second: string
}

const RECENT = 'console_recent'
const MOST_RECENT = 6

const isRecent = (value: unknown): value is Recent =>
  isRecord(value) && [value['to'], value['first'], value['second']].every((text) => typeof text === 'string')

export function readRecent(store: KeyValueStore): Recent[] {
  const stored = readJson(store, RECENT)
  return Array.isArray(stored) ? stored.filter(isRecent).slice(0, MOST_RECENT) : []
}

export function keepRecent(store: KeyValueStore, opened: Recent): void {
  const others = readRecent(store).filter(({ to, first }) => to !== opened.to || first !== opened.first)
  store.set(RECENT, JSON.stringify([opened, ...others].slice(0, MOST_RECENT)))
}

export interface HitGroup {
  readonly kind: SearchKind
  readonly hits: readonly SearchHit[]
}

/** By kind, in the order in which the kinds were first found. */
export function groupsOf(hits: readonly SearchHit[]): HitGroup[] {
  const kinds = [...new Set(hits.map(({ kind }) => kind))]
  return kinds.map((kind) => ({ kind, hits: hits.filter((hit) => hit.kind === kind) }))
}
