import type { ReactNode } from 'react'

/** A cell of two lines, the second quieter. */
export function TwoLines({ first, second }: { first: ReactNode; second: ReactNode }) {
  return (
    <span className="two-lines">
      <span>{first}</span>
      <span>{second}</span>
    </span>
  )
}
