import type { ReactNode } from 'react'

interface FactProps {
  name: ReactNode
  /** A quieter word on what it is. */
  note?: ReactNode
  className?: string
  /** In small letters. */
  small?: boolean
  children: ReactNode
}

/** A figure by its name: a line of a `dl`. */
export function Fact({ name, note, className, small, children }: FactProps) {
  return (
    <div className={className}>
      <dt className={small ? 'muted small' : 'muted'}>
        {note === undefined ? (
          name
        ) : (
          <>
            <span>{name}</span>
            <div className="fact-note faint tiny">{note}</div>
          </>
        )}
      </dt>
      <dd translate="no">{children}</dd>
    </div>
  )
}
