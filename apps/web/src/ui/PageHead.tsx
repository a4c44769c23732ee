import type { ReactNode } from 'react'
import './pageHead.css'
import { usePageTitle } from './usePageTitle.ts'

interface PageHeadProps {
  /** Of the window, and of the page unless it has a heading of its own. */
  title: string
  heading?: ReactNode
  text?: ReactNode
  action?: ReactNode
}

export function PageHead({ title, heading = title, text, action }: PageHeadProps) {
  usePageTitle(title)
  return (
    <header className="page-head">
      <div>
        <h1>{heading}</h1>
        {text === undefined ? null : <p className="page-head-sub muted">{text}</p>}
      </div>
      {action}
    </header>
  )
}
