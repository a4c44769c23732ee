/** What is about to be signed, and the ways of signing it. Withdrawals and decisions say what it is. */
import { LIFETIME_MS, OFFLINE_LIFETIME_MS } from '@aval/approvals'
import type { ReactNode } from 'react'
import { Proofs } from './Proofs.tsx'
import { ArrivalHeading, Fact, Failure, Notice } from './parts.tsx'
import type { NoKey } from './passkey.rules.ts'
import { useTexts } from './texts.ts'
import { type Asked, type Handing, useApproving } from './useApproving.ts'

/** What a review is given whatever it is of. */
export interface ReviewContext extends Handing {
  readonly noKey: NoKey | null
  readonly onBack: () => void
}

interface ReviewCardProps {
  readonly context: ReviewContext
  readonly title: string
  readonly text: string
  readonly figures: ReactNode
  /** Why it cannot be signed as it stands; null where it can. */
  readonly barred: string | null
  readonly ask: () => Asked
  /** The rows, each as it will be signed. */
  readonly children: ReactNode
}

export function ReviewCard({ context, title, text, figures, barred, ask, children }: ReviewCardProps) {
  const { operator, noKey, onBack } = context
  const approving = useApproving(context, ask)
  return (
    <section className="card review">
      <div className="card-pad stack-16">
        <ArrivalHeading>{title}</ArrivalHeading>
        <p className="muted">{text}</p>
      </div>
      {children}
      <div className="card-pad stack-12 review-foot">
        <dl className="figures-row">{figures}</dl>
        {barred === null ? null : (
          <div role="alert">
            <Notice kind="bad">{barred}</Notice>
          </div>
        )}
        <Failure code={approving.failure} />
        <Proofs
          operator={operator}
          noKey={noKey}
          barred={barred !== null}
          approving={approving}
          onBack={onBack}
        />
      </div>
    </section>
  )
}

/** How long what is signed may be accepted: where the signer has no network, it is carried there and back. */
export const lifetimeOf = (offline: boolean) => (offline ? OFFLINE_LIFETIME_MS : LIFETIME_MS)

export function ValidFor({ offline }: { offline: boolean }) {
  const { say } = useTexts()
  return (
    <Fact name={say('fact.validFor')}>
      {offline
        ? say('hours', { count: lifetimeOf(true) / 3_600_000 })
        : say('minutes', { count: lifetimeOf(false) / 60_000 })}
    </Fact>
  )
}
