/** Characters as a reader counts them: a letter with its marks, a flag, a family of emoji are one each. */
const SEGMENTER = new Intl.Segmenter('es')

export const charactersOf = (text: string): string[] =>
  Array.from(SEGMENTER.segment(text), ({ segment }) => segment)

/** The beginning of a text, which ends between two characters and never inside one. */
export const firstCharacters = (text: string, most: number): string =>
  text.length <= most ? text : charactersOf(text).slice(0, most).join('')

/** At most so many characters; the last is … where there were more. */
export function shortened(text: string, most: number): string {
  return firstCharacters(text, most) === text ? text : `${firstCharacters(text, most - 1)}…`
}
