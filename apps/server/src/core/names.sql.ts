/** Members by the beginnings of what they are called, from the indexes of names, and the order of names. */
import type { Locale } from '@aval/contract'
import { type RawBuilder, sql } from 'kysely'

/** Behind every text that begins with a word. */
export const LAST_CHARACTER = String.fromCodePoint(0x10ffff)

const NAME = sql`first_name || ' ' || last_name`

/** What one index has that begins with a word; `inOrder` as the index has it, so that it is read no further than is wanted. */
export interface Beginning {
  readonly is: RawBuilder<unknown>
  readonly inOrder: RawBuilder<unknown>
}

/** The username, and the first four words of the name. */
const INDEXED_WORDS = [
  sql`folded_name(username)`,
  ...[1, 2, 3, 4].map((number) => sql`folded_word(${NAME}, ${sql.lit(number)})`),
]

/** A word as the text of a `tsquery`: everything that begins with it. */
const lexeme = (word: string) => `'${word.replaceAll('\\', '\\\\').replaceAll("'", "''")}':*`

/** By each index of names: of a folded word, or the beginning of one. */
export function beginningsWith(word: string): readonly Beginning[] {
  const ordered = INDEXED_WORDS.map((what) => ({
    is: sql`${what} COLLATE "C" >= ${word} AND ${what} COLLATE "C" < ${word + LAST_CHARACTER}`,
    inOrder: sql`ORDER BY ${what} COLLATE "C"`,
  }))
  const later = sql`folded_later_words(${NAME})`
  return [...ordered, { is: sql`${later} <> '' AND ${later} @@ ${lexeme(word)}::tsquery`, inOrder: sql`` }]
}

/** How names follow one another for a reader: Álvaro before Zeta, and in Spanish Ñandú after Nora. */
const COLLATION: Readonly<Record<Locale, RawBuilder<unknown>>> = {
  es: sql`COLLATE "es-x-icu"`,
  en: sql`COLLATE "en-x-icu"`,
}
export const asRead = (locale: Locale): RawBuilder<unknown> => COLLATION[locale]
