/** Refuses names that pass for somebody else's. */
import { plainTyped } from '@aval/contract'
import { Refusal } from '../../../core/refusal.ts'
import { hasLink } from './links.rules.ts'
import { claimsCompany, isReservedUsername } from './reserved.rules.ts'

const refusalAt = (path: string, code: 'username_reserved' | 'name_reserved' | 'name_link') =>
  new Refusal(code, {}, [{ path, key: code, params: {} }])

/** @throws Refusal `username_reserved` */
export function requireOwnUsername(username: string): void {
  if (isReservedUsername(username)) throw refusalAt('username', 'username_reserved')
}

interface PersonName {
  readonly first_name: string
  readonly last_name: string
}
/** As it is seen: the joiners with which some scripts are spelt part no words. */
const claims = (name: string) => claimsCompany(plainTyped(name))

const FIELDS = ['first_name', 'last_name'] as const

/**
 * Judges what changes: clients send whole forms, and a name that somebody has already is no news.
 * @throws Refusal `name_link`, `name_reserved`
 */
export function requireOwnName(
  before: PersonName,
  {
    first_name = before.first_name,
    last_name = before.last_name,
  }: { [Field in keyof PersonName]?: string | undefined },
): void {
  const next = { first_name, last_name }
  const changed = FIELDS.filter((field) => next[field] !== before[field])
  const linked = changed.find((field) => hasLink(plainTyped(next[field])))
  if (linked !== undefined) throw refusalAt(linked, 'name_link')
  if (changed[0] === undefined || !claims(`${first_name} ${last_name}`)) return
  throw refusalAt(changed.find((field) => claims(next[field])) ?? changed[0], 'name_reserved')
}
