/** Links and addresses in the names of people. */
import tlds from 'tlds' with { type: 'json' }

/** E-mails and handles by their sign, links by their beginning, and numbers of a machine. */
const ADDRESS = /@|\/\/|\bwww\.|\b(?:https?|mailto|tg|whatsapp):|\b\d{1,3}(?:\.\d{1,3}){3}\b/iu
/** Two words with a dot between them and no space. Looked at without using up the second, which may be the first of the next. */
const DOTTED =
  /(?<left>[\p{L}\p{M}\p{N}_-]+)(?=\.(?<right>xn--[a-z0-9-]+|[\p{L}\p{M}]{2,})(?<next>\s+\p{L})?)/giu
const TOP_LEVELS: ReadonlySet<string> = new Set(tlds)
/** Top-level domains that stand in names, behind a shortened word and before another one: `Ma.de Jesús`. */
const PARTICLES: ReadonlySet<string> = new Set(['de', 'la', 'do'])
/** People shorten words to fewer letters: `Ma.`, `Fco.`, `Lic.`. */
const LONGER_THAN_SHORTENED = 4

function isHost({ left = '', right = '', next }: Readonly<Record<string, string | undefined>>): boolean {
  const end = right.toLowerCase()
  if (PARTICLES.has(end) && next !== undefined) return false
  if (TOP_LEVELS.has(end) || end.startsWith('xn--')) return true
  // `evil.example` is a host to who reads it; a name goes on with a capital letter.
  return [...left].length >= LONGER_THAN_SHORTENED && /^\p{Ll}/u.test(right)
}

/** Whether there is something to follow: a link, a domain, an e-mail address, a handle. `J.P. Morgan` has none. */
export function hasLink(name: string): boolean {
  const text = name.normalize('NFKC').replaceAll('。', '.')
  return ADDRESS.test(text) || [...text.matchAll(DOTTED)].some(({ groups = {} }) => isHost(groups))
}
