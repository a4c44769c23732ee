import type { LockedPrincipal } from '@aval/contract'
import type { ReactNode } from 'react'
import { formats } from './format.ts'
import './lockedParts.css'

/** How much of the principal is locked until when, behind a line that says it in short. One part needs no list. */
export function LockedParts({ locked, children }: { locked: LockedPrincipal; children: ReactNode }) {
  if (locked.count < 2) return <span>{children}</span>
  const more = locked.count - locked.parts.length
  return (
    <details className="locked-parts">
      <summary>{children}</summary>
      <ul>
        {locked.parts.map(({ amount, invested_at, unlocks_at }) => (
          <li key={`${invested_at} ${amount}`} className="row-8 row-apart">
            <span>{formats.date(unlocks_at)}</span>
            <span translate="no">{formats.money(amount)}</span>
          </li>
        ))}
        {more > 0 ? <li>{`+ ${formats.count(more)}`}</li> : null}
      </ul>
    </details>
  )
}
