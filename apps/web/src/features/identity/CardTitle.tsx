import type { ReactNode } from 'react'

interface CardTitleProps {
  id: string
  icon: ReactNode
  text: string
  children?: ReactNode
}

/** Takes the focus by program only: where a row or a dialog was that is gone. */
export function CardTitle({ id, icon, text, children }: CardTitleProps) {
  return (
    <div className="row-12 security-head">
      <span className="centred security-icon" aria-hidden="true">
        {icon}
      </span>
      <h2 id={id} tabIndex={-1}>
        {text}
      </h2>
      {children}
    </div>
  )
}
