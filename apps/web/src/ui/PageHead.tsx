import type { ReactNode } from 'react'
import './pageHead.css'

interface PageHeadProps {
  title: ReactNode
  text?: ReactNode
  action?: ReactNode
}

export function PageHead({ title, text, action }: PageHeadProps) {
  return (
    <header className="page-head">
      <div>
        <h1>{title}</h1>
        {text === undefined ? null : <p className="page-head-sub muted">{text}</p>}
      </div>
      {action}
    </header>
  )
}
