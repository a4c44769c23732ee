/** What a name looks like: names of one skeleton cannot be told apart. */
import unhomoglyph from 'unhomoglyph'
import { fold } from '../../../core/fold.rules.ts'

const withoutMarks = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '')

/** Twice, because what looks like a capital letter may look like something else as a small one: `Ⅿ` is `M`, and `m` is `rn`. */
function prototypesOf(text: string): string {
  let prototypes = text
  for (let round = 1; round <= 2; round += 1)
    prototypes = withoutMarks(unhomoglyph(withoutMarks(prototypes))).toLowerCase()
  // Unicode has I as l and keeps i. Names are equal in any case, so that all three are one.
  return prototypes.replaceAll('i', 'l')
}

/**
 * The skeleton of Unicode's Technical Standard 39 (confusables.txt), made of the folded name, and without marks: `José` has
 * the skeleton of `jose`, `аna` with a Cyrillic а that of `ana`, `Iuis` that of `luis`. Nobody reads skeletons.
 */
export const skeletonOf = (name: string): string => prototypesOf(fold(name))

/**
 * Of a text in any alphabet. Some capitals look like Latin ones although their small letters do not (Т and т), so there are
 * two: of the small letters, and as it is typed.
 */
export const skeletonsOf = (text: string): readonly string[] => [
  ...new Set([skeletonOf(text), prototypesOf(text)]),
]
