/** Registration links: their codes, and the name that they show. */
import { linkCode } from '@aval/contract'

/** The content of a registration link: a member's seven digits, or `0` for "nobody referred me". */
export type RefCode = { readonly kind: 'root' } | { readonly kind: 'member'; readonly code: string }

/** Null when the text is neither. What stood behind the link in a chat is no part of it. */
export function readRefCode(text: string): RefCode | null {
  const code = linkCode(text)
  if (code === '0') return { kind: 'root' }
  return /^[0-9]{7}$/.test(code) ? { kind: 'member', code } : null
}

/** How many ref codes there are to draw from. */
export const REF_CODE_COUNT = 9_000_000

/** Seven digits, the first not zero, so that no spreadsheet shortens one. @param draw 0 to 8,999,999 */
export function refCodeOf(draw: number): string {
  if (!Number.isInteger(draw) || draw < 0 || draw >= REF_CODE_COUNT) throw new RangeError('no such ref code')
  return String(1_000_000 + draw)
}

/** The name that a registration link shows to strangers. */
export function publicName(member: { readonly first_name: string; readonly username: string }): string {
  return member.first_name === '' ? member.username : member.first_name
}
