/** Pictures of members. A member without one gets initials, drawn from the URL alone. */
import { firstCharacters } from '@aval/contract'

interface Named {
  readonly id: bigint
  /** The name of the picture they sent; empty for none. */
  readonly avatar: string
  readonly username: string
  readonly first_name: string
  readonly last_name: string
}

/** What may stand in an address: one or two letters or digits. */
export const INITIALS = /^[\p{L}\p{N}]{1,2}$/u
export const TONES = 8
const HUES = [212, 262, 160, 28, 340, 190, 90, 300]

function initialsOf(member: Omit<Named, 'id' | 'avatar'>): string {
  const letters = [member.first_name, member.last_name]
    .map((name) => /[\p{L}\p{N}]/u.exec(name.normalize('NFC'))?.[0] ?? '')
    .join('')
  const fallback = (member.username.match(/[\p{L}\p{N}]/gu) ?? ['A']).slice(0, 2).join('')
  return firstCharacters((letters === '' ? fallback : letters).toLocaleUpperCase('en'), 2)
}

function toneOf(username: string): number {
  return [...username].reduce((sum, character) => sum + (character.codePointAt(0) ?? 0), 0) % TONES
}

/** The absolute URL of a member's picture, or of their initials. */
export function avatarUrl(publicUrl: string, member: Named): string {
  if (member.avatar !== '') return `${publicUrl}/api/avatars/${member.id}/${member.avatar}.webp`
  const initials = initialsOf(member)
  const safe = INITIALS.test(initials) ? initials : 'A'
  return `${publicUrl}/api/avatars/${encodeURIComponent(safe)}.svg?tone=${toneOf(member.username)}`
}

/** @param initials at most two characters, matched by `INITIALS`: nothing that could be markup */
export function drawAvatar(initials: string, tone: number): string {
  const hue = HUES[tone] ?? HUES[0]
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" width="96" height="96" role="img">
<rect width="96" height="96" fill="hsl(${hue} 45% 38%)"/><text x="48" y="50" fill="#fff" font-family="system-ui,sans-serif"
 font-size="38" font-weight="600" text-anchor="middle" dominant-baseline="middle">${initials}</text></svg>`
}
