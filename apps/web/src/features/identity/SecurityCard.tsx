import type { ComponentType, ReactNode } from 'react'
import type { IconProps } from '../../ui/icons.ts'

interface SecurityCardProps {
  /** Of the heading. */
  id: string
  icon: ComponentType<IconProps>
  title: string
  /** What stands at the end of the heading's line. */
  action?: ReactNode
  children: ReactNode
}

/** A card of the security page. */
export function SecurityCard({ children, ...head }: SecurityCardProps) {
  return (
    <section className="card card-pad security-card" aria-labelledby={head.id}>
      <Head {...head} />
      {children}
    </section>
  )
}

interface SecurityListCardProps extends SecurityCardProps {
  text: string
  /** A second sentence below the text. */
  note?: string | null
}

/** The same for a list, which reaches the card's edges. */
export function SecurityListCard({ text, note = null, children, ...head }: SecurityListCardProps) {
  return (
    <section className="card" aria-labelledby={head.id}>
      <div className="stack-8 list-head">
        <Head {...head} />
        <p className="muted small">{text}</p>
        {note === null ? null : <p className="muted small">{note}</p>}
      </div>
      {children}
    </section>
  )
}

function Head({ id, icon: Icon, title, action }: Omit<SecurityCardProps, 'children'>) {
  return (
    <div className="row-12 security-head">
      <span className="centred security-icon" aria-hidden="true">
        <Icon size={20} stroke={1.6} />
      </span>
      <h2 id={id} tabIndex={-1}>
        {title}
      </h2>
      {action}
    </div>
  )
}

/** Puts the focus on a card's heading: what had it (a row, a button) is gone. */
export const focusHeading = (id: string) => document.getElementById(id)?.focus()
