/** Members by the beginnings of what they are called, from the indexes of names. */
import { type RawBuilder, sql } from 'kysely'

/** Behind every text that begins with a word. */
export const LAST_CHARACTER = String.fromCodePoint(0x10ffff)

const NAME = sql`first_name || ' ' || last_name`

/** As the indexes have them: the username, and the first four words of the name. */
export const INDEXED_NAMES: readonly RawBuilder<unknown>[] = [
  sql`folded_name(username)`,
  ...[1, 2, 3, 4].map((number) => sql`folded_word(${NAME}, ${sql.lit(number)})`),
]
