import type { ReactNode } from 'react'
import { CopyButton } from '../../ui/CopyButton.tsx'

interface CopiedFactProps {
  name: string
  /** Empty where there is none yet. */
  value: string
  copy: string
  confirmation: string
  /** The value as it is shown. */
  children: ReactNode
}

/** A long value, whole under its name so that it can be compared, with a button that copies it. */
export function CopiedFact({ name, value, copy, confirmation, children }: CopiedFactProps) {
  return (
    <div className="below-line">
      <p className="muted small">{name}</p>
      {value === '' ? (
        <p>–</p>
      ) : (
        <div className="row-8 row-apart one-line">
          {children}
          <CopyButton compact text={value} label={copy} confirmation={confirmation} />
        </div>
      )}
    </div>
  )
}
