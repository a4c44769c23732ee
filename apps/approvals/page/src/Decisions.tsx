/** Decisions: choose them, and what exactly will be signed. */
import { LIFETIME_MS, listOfDecisions } from '@aval/approvals'
import { useEffect, useMemo, useRef } from 'react'
import type { Settings } from './answers.rules.ts'
import { DecisionFacts } from './Decision.tsx'
import { type Decision, type DecisionBar, decisionBar, decisionRows } from './decisions.rules.ts'
import { type Asked, type Handing, Proofs, type Submitted, useApproving } from './Proofs.tsx'
import { Fact, Failure, Notice } from './parts.tsx'
import { type NoKey, shortForm } from './passkey.rules.ts'
import { newNonce } from './passkey.ts'
import { useTexts } from './texts.ts'

export type ChosenDecisions = ReadonlyMap<string, Decision>

interface DecisionsViewProps {
  readonly fresh: readonly Decision[]
  readonly operator: string | null
  readonly offline: boolean
  readonly chosen: ChosenDecisions
  readonly setChosen: (chosen: ChosenDecisions) => void
  readonly onReview: (decisions: readonly Decision[]) => void
}

/** What was chosen is shown as it was chosen, also where it changed since. */
export function DecisionsView({ fresh, operator, offline, chosen, setChosen, onReview }: DecisionsViewProps) {
  const { say } = useTexts()
  const byId = new Map(fresh.map((each) => [each.id, each]))
  const gone = [...chosen.values()].filter(({ id }) => !byId.has(id))
  const shown = [...gone, ...fresh.map((each) => chosen.get(each.id) ?? each)].map((decision) => ({
    decision,
    now: byId.get(decision.id) ?? decision,
    bar: decisionBar(decision, byId.get(decision.id), operator),
  }))
  if (shown.length === 0) return null
  const choose = (decision: Decision, wanted: boolean) => {
    const next = new Map(chosen)
    if (wanted) next.set(decision.id, decision)
    else next.delete(decision.id)
    setChosen(next)
  }
  const good = shown.filter(({ decision, bar }) => chosen.has(decision.id) && bar === null)
  return (
    <section className="card" aria-labelledby="decisions">
      <div className="card-pad stack-6">
        <h2 id="decisions">{say('decisions')}</h2>
        <p className="muted">{say(offline ? 'decisionsOffline' : 'decisionsText')}</p>
      </div>
      <ul className="decisions">
        {shown.map(({ decision, now, bar }) => (
          <li key={decision.id} className="decision" data-marked={bar === 'gone' || bar === 'changed'}>
            <span className="check">
              <input
                type="checkbox"
                checked={chosen.has(decision.id)}
                disabled={offline || (bar !== null && !chosen.has(decision.id))}
                aria-label={say('chooseDecision', { number: decision.id })}
                onChange={(event) => choose(decision, event.target.checked)}
              />
            </span>
            <div className="stack-8">
              <DecisionFacts decision={decision} />
              <Stage decision={now} bar={bar} />
            </div>
          </li>
        ))}
      </ul>
      {good.length === 0 ? (
        <div role="status" />
      ) : (
        <div role="status" className="selection row-8 row-apart">
          <p>{say('chosenDecisions', { count: good.length })}</p>
          <button
            type="button"
            className="button button-primary"
            onClick={() => onReview(good.map(({ decision }) => decision))}
          >
            {say('reviewDecisions')}
          </button>
        </div>
      )}
    </section>
  )
}

const TONES: Readonly<Record<DecisionBar, string>> = {
  gone: 'badge-bad',
  changed: 'badge-bad',
  differs: 'badge-bad',
  approved: 'badge-ok',
  waiting: 'badge-wait',
}

function Stage({ decision, bar }: { decision: Decision; bar: DecisionBar | null }) {
  const { say } = useTexts()
  const { approvals, waiting, needed } = decision
  const names = (list: Decision['approvals']) => list.map(({ name }) => name).join(', ')
  return (
    <p className="row-8 small muted">
      {bar === null ? null : (
        <span className={`badge ${TONES[bar]}`}>
          {say(bar === 'differs' ? 'decision.differs' : `bar.${bar}`)}
        </span>
      )}
      {approvals.length === 0 ? null : (
        <span>
          {say('approvals', { given: approvals.length, needed: Math.max(needed, approvals.length) })} ·{' '}
          {say('approvedBy', { names: names(approvals) })}
        </span>
      )}
      {waiting.length === 0 ? null : <span>{say('waitsFor', { names: names(waiting) })}</span>}
    </p>
  )
}

interface DecisionReviewProps extends Handing {
  readonly decisions: readonly Decision[]
  readonly fresh: readonly Decision[]
  readonly settings: Settings
  readonly ahead: number
  readonly noKey: NoKey | null
  readonly onSubmitted: (submitted: Submitted) => void
  readonly onBack: () => void
}

/** What is signed now, of these decisions: valid from this moment on. */
function askOf({ decisions, settings, ahead }: DecisionReviewProps): Asked {
  const signed = decisionRows(decisions)
  return {
    request: {
      network: settings.network,
      purpose: 'decisions',
      expiresAt: Date.now() + ahead + LIFETIME_MS,
      nonce: newNonce(),
      ...listOfDecisions(signed),
    },
    rows: signed.map(({ decisionId, kind, statement }) => ({ id: String(decisionId), kind, statement })),
  }
}

export function DecisionReview(props: DecisionReviewProps) {
  const { decisions, fresh, ahead, onSubmitted } = props
  const { say } = useTexts()
  const head = useRef<HTMLHeadingElement>(null)
  const approving = useApproving(
    props,
    () => askOf(props),
    (id, request) =>
      onSubmitted({
        id,
        expiresAt: request.expiresAt - ahead,
        purpose: 'decisions',
        amount: 0n,
        count: decisions.length,
      }),
  )
  useEffect(() => {
    scrollTo(0, 0)
    head.current?.focus()
  }, [])
  const hash = useMemo(() => shortForm(listOfDecisions(decisionRows(decisions)).root), [decisions])
  const marked = decisions.filter((each) => {
    const bar = decisionBar(
      each,
      fresh.find(({ id }) => id === each.id),
      null,
    )
    return bar !== null
  }).length
  return (
    <section className="card review">
      <div className="card-pad stack-16">
        <h1 ref={head} tabIndex={-1}>
          {say('reviewDecisionsTitle', { count: decisions.length })}
        </h1>
        <p className="muted">{say('reviewDecisionsText')}</p>
        <dl className="figures-row">
          <Fact name={say('fact.hash')}>
            <code className="hash">{hash}</code>
          </Fact>
          <Fact name={say('fact.validFor')}>{say('minutes', { count: LIFETIME_MS / 60_000 })}</Fact>
        </dl>
        {marked === 0 ? null : (
          <div role="alert">
            <Notice kind="bad">{say('reviewDecisionsMarked')}</Notice>
          </div>
        )}
        <Failure code={approving.failure} />
        <Proofs {...props} barred={marked > 0} approving={approving} />
      </div>
      <ul className="decisions">
        {decisions.map((decision) => (
          <li key={decision.id} className="decision decision-reviewed">
            <DecisionFacts decision={decision} />
          </li>
        ))}
      </ul>
    </section>
  )
}
