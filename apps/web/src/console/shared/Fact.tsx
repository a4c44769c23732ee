import type { ReactNode } from 'react'

interface FactProps {
  name: string
  /** A quieter word on what it is. */
  note?: string
  children: ReactNode
}

/** A figure by its name, a line of a list of them. */
export function Fact({ name, note, children }: FactProps) {
  return (
    <div>
      <dt>
        {name}
        {note === undefined ? null : <span className="fact-note">{note}</span>}
      </dt>
      <dd>{children}</dd>
    </div>
  )
}
