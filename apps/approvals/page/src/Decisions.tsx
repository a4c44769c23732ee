/** Decisions that wait for operators, to choose from. */
import { DecisionFacts } from './Decision.tsx'
import { type Decision, type DecisionBar, decisionBar, needsAnother } from './decisions.rules.ts'
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
                disabled={needsNetwork(decision, offline) || (bar !== null && !chosen.has(decision.id))}
                aria-label={say('chooseDecision', { number: decision.id })}
                onChange={(event) => choose(decision, event.target.checked)}
              />
            </span>
            <div className="stack-8">
              <DecisionFacts decision={decision} />
              <Stage decision={now} bar={bar} />
              {needsNetwork(decision, offline) ? (
                <p className="small muted">{say('refusal.member_key_without_network')}</p>
              ) : null}
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

/** Whose key it replaces, a signer without a network cannot know. */
const needsNetwork = ({ kind }: Decision, offline: boolean): boolean => offline && kind === 'member_key'

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
  const least = approvals.length + (needsAnother(decision) ? 1 : 0)
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
          {`${say('approvals', {
            given: approvals.length,
            needed: Math.max(needed, least),
            count: Math.max(needed, least),
          })} · ${say('approvedBy', { names: names(approvals) })}`}
        </span>
      )}
      {waiting.length === 0 ? null : <span>{say('waitsFor', { names: names(waiting) })}</span>}
    </p>
  )
}
