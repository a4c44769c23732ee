/** What exactly will be signed, of decisions. */
import { listOfDecisions } from '@aval/approvals'
import { useMemo } from 'react'
import { DecisionFacts } from './Decision.tsx'
import { type Decision, decisionBar, decisionRows } from './decisions.rules.ts'
import { Fact } from './parts.tsx'
import { shortForm } from './passkey.rules.ts'
import { lifetimeOf, ReviewCard, type ReviewContext, ValidFor } from './ReviewCard.tsx'
import { useTexts } from './texts.ts'
import type { Asked } from './useApproving.ts'

interface DecisionReviewProps {
  readonly decisions: readonly Decision[]
  readonly fresh: readonly Decision[]
  readonly context: ReviewContext
}

function askFor(decisions: readonly Decision[], offline: boolean): Asked {
  const signed = decisionRows(decisions)
  return {
    purpose: 'decisions',
    list: listOfDecisions(signed),
    lifetimeMs: lifetimeOf(offline),
    rows: signed.map(({ decisionId, kind, statement }) => ({ id: String(decisionId), kind, statement })),
    amount: 0n,
  }
}

export function DecisionReview({ decisions, fresh, context }: DecisionReviewProps) {
  const { say } = useTexts()
  const hash = useMemo(() => shortForm(listOfDecisions(decisionRows(decisions)).root), [decisions])
  const { offline } = context.settings
  const now = new Map(fresh.map((each) => [each.id, each]))
  const isMarked = decisions.some((each) => decisionBar(each, now.get(each.id), null) !== null)
  return (
    <ReviewCard
      context={context}
      title={say('reviewDecisionsTitle', { count: decisions.length })}
      text={say('reviewDecisionsText')}
      figures={
        <>
          <Fact name={say('fact.hash')}>
            <code className="hash">{hash}</code>
          </Fact>
          <ValidFor offline={offline} />
        </>
      }
      barred={isMarked ? say('reviewDecisionsMarked') : null}
      ask={() => askFor(decisions, offline)}
    >
      <ul className="decisions">
        {decisions.map((decision) => (
          <li key={decision.id} className="decision decision-reviewed">
            <DecisionFacts decision={decision} />
          </li>
        ))}
      </ul>
    </ReviewCard>
  )
}
