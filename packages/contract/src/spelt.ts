/** Names as they are spelt. */
import { INVISIBLE } from './typed.ts'

/** An emoji, with what chooses its drawing and its skin. */
const PICTURE = String.raw`\p{Extended_Pictographic}[\ufe0f\u{1f3fb}-\u{1f3ff}]*`
/** A letter or mark of a script in which a joiner can be part of a word. */
const JOINED = String.raw`(?![\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])[\p{L}\p{M}]`
/** The sign by which a consonant of India loses its vowel: what stands behind it says how the two are drawn. */
const VIRAMA = String.raw`[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca]`
/** What names and emoji are spelt with although it is not drawn: without it they would be other ones. */
const SPELT_WITH = [
  // The flag of a part of a country.
  String.raw`\u{1f3f4}[\u{e0020}-\u{e007e}]+\u{e007f}`,
  String.raw`${PICTURE}(?:\u200d${PICTURE})*`,
  String.raw`[0-9#*]\ufe0f\u20e3`,
  // The variant of a Chinese letter with which a family writes its name.
  String.raw`\p{Script=Han}[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]`,
  String.raw`(?<=${VIRAMA})[\u200c\u200d]`,
  String.raw`(?<=${JOINED})[\u200c\u200d](?=${JOINED})`,
]
const KEPT_OR_INVISIBLE = new RegExp(`(?<kept>${SPELT_WITH.join('|')})|${INVISIBLE.source}`, 'gu')

/**
 * A person's name as it is spelt: with the joiners between letters of scripts that have them and inside emoji, and nothing else that is not
 * drawn. Half a surrogate pair is left in: it is refused, and not made into another character.
 */
export const spelt = (name: string): string =>
  name
    .trim()
    .replace(/[\p{Z}\t]/gu, ' ')
    .replace(KEPT_OR_INVISIBLE, (match, kept: string | undefined) => (kept === undefined ? '' : match))
    .trim()
