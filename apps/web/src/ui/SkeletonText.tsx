import './skeletonText.css'

/** As wide as a digit, and none: what is not known yet is not in the page either. */
const NO_DIGIT = '\u2007'

/**
 * A sentence whose figures are on their way. It takes the room that the sentence will take, however it wraps, so that what
 * is pressed below it stays where it is.
 * @param text the sentence with typical figures; nobody reads it
 */
export function SkeletonText({ text }: { text: string }) {
  return (
    <span className="skeleton skeleton-text" aria-hidden="true">
      {text.replaceAll(/\d/g, NO_DIGIT)}
    </span>
  )
}
