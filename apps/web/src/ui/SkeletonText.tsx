import type { ReactNode } from 'react'
import './skeletonText.css'

/**
 * A sentence whose figures are on their way. It takes the room that the sentence will take, however it wraps, so that what
 * is pressed below it stays where it is.
 * @param children the sentence with typical figures; nobody reads it
 */
export function SkeletonText({ children }: { children: ReactNode }) {
  return (
    <span className="skeleton skeleton-text" aria-hidden="true">
      {children}
    </span>
  )
}
