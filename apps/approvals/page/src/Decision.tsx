/** One decision in words: what happens when enough operators sign it. */
import type { ReactNode } from 'react'
import { Act, isAct } from './Act.tsx'
import {
  type Change,
  changesOf,
  type Decision,
  investmentsOf,
  isItsDocument,
  microIn,
  needsAnother,
  objectionsIn,
  said,
  unitOf,
} from './decisions.rules.ts'
import { Fact, Notice } from './parts.tsx'
import { shortForm } from './passkey.rules.ts'
import { useTexts } from './texts.ts'

export function DecisionFacts({ decision }: { decision: Decision }) {
  const { say, sayIn, stamp } = useTexts()
  return (
    <div className="stack-12 decision-facts">
      <div className="stack-6">
        <strong>{sayIn('decision', decision.kind)}</strong>
        <span className="muted small">
          {say('decision.proposed', { name: decision.proposedBy, at: stamp(decision.proposedAt) })}
        </span>
      </div>
      <Details decision={decision} />
    </div>
  )
}

function Details({ decision }: { decision: Decision }): ReactNode {
  if (decision.kind === 'plan') return <Plan decision={decision} />
  if (decision.kind === 'member_key') return <MemberKey decision={decision} />
  if (isAct(decision)) return <Act decision={decision} />
  return decision.kind.startsWith('run_') ? <Run decision={decision} /> : <Said decision={decision} />
}

function Run({ decision }: { decision: Decision }) {
  const { say, sayIn, usdt, count } = useTexts()
  const amount = (name: string) => `${usdt(microIn(said(decision, name)))} USDT`
  const note = said(decision, 'note')
  const isProrate = decision.kind === 'run_prorate'
  return (
    <>
      <p>{say(isProrate ? 'decision.prorateText' : 'decision.releaseText')}</p>
      <dl className="figures-row decision-figures">
        <Fact name={say('decision.run', { number: said(decision, 'run') })}>
          <span>{`${sayIn('run', said(decision, 'kind'))} · `}</span>
          <Period text={said(decision, 'period')} />
        </Fact>
        <Fact name={say('decision.sum')}>
          <strong>{amount('sum')}</strong>
        </Fact>
        <Fact name={say('decision.items')}>{count(Number(said(decision, 'items')))}</Fact>
        {isProrate ? <Fact name={say('decision.pool')}>{amount('pool')}</Fact> : null}
        <Fact name={say('decision.hash')}>
          <code className="hash">{shortForm(said(decision, 'items_hash'))}</code>
        </Fact>
      </dl>
      <Objections text={said(decision, 'objections')} sum={said(decision, 'sum')} />
      {note === '' ? null : (
        <p className="muted">{say('decision.note', { name: decision.proposedBy, note })}</p>
      )}
    </>
  )
}

function Period({ text }: { text: string }) {
  const { say, day } = useTexts()
  const span = investmentsOf(text)
  if (span === null) return <bdi translate="no">{day(text)}</bdi>
  return <span>{say(span.first === span.last ? 'run.investment' : 'run.investments', span)}</span>
}

const AMOUNTS: readonly string[] = ['change_too_large', 'member_above_cap', 'run_above_cap']

function Objections({ text, sum }: { text: string; sum: string }) {
  const { sayIn, usdt } = useTexts()
  const list = objectionsIn(text)
  if (list === null) return <Notice kind="wait">{text}</Notice>
  return list.map(({ check, values }) => {
    const written = (value: string) => (AMOUNTS.includes(check) ? usdt(microIn(value)) : value)
    const shown = Object.entries({ sum, ...values }).map(([name, value]) => [name, written(value)])
    return (
      <Notice key={check} kind="wait">
        {sayIn('objection', check, Object.fromEntries(shown))}
      </Notice>
    )
  })
}

function Plan({ decision }: { decision: Decision }) {
  const { say, day } = useTexts()
  const { document, replaces } = decision
  if (document === null || !isItsDocument(decision))
    return <Notice kind="bad">{say('decision.differs')}</Notice>
  const changes = changesOf(replaces?.document ?? {}, document)
  return (
    <>
      <p>
        {say('decision.planText', {
          day: day(said(decision, 'starts_on')),
          version: String(replaces?.version ?? ''),
        })}
      </p>
      {needsAnother(decision) ? (
        <Notice kind="wait">{say('decision.needsAnother', { name: decision.proposedBy })}</Notice>
      ) : null}
      {changes.length === 0 ? <p className="muted">{say('decision.planSame')}</p> : null}
      <dl className="changes">
        {changes.map((change) => (
          <PlanChange key={change.path} {...change} />
        ))}
      </dl>
    </>
  )
}

/** By its name where it has one: "direct.levels.0" is the first level. */
function PlanChange({ path, before, after }: Change) {
  const { say, sayIn, setting } = useTexts()
  const number = /\.(\d+)(?:\.|$)/.exec(path)?.[1]
  const name = path.replace(/\.\d+(?=\.|$)/, '')
  const written = (value: string | null) =>
    value === null ? say('decision.nothing') : setting(unitOf(name), value)
  return (
    <div>
      <dt>{`${sayIn('plan', name)} ${number === undefined ? '' : Number(number) + 1}`}</dt>
      <dd>
        <span className="visually-hidden">{`${say('decision.before')}: `}</span>
        <del>{written(before)}</del>
        <span aria-hidden="true"> → </span>
        <span className="visually-hidden">{`${say('decision.after')}: `}</span>
        <ins>{written(after)}</ins>
      </dd>
    </div>
  )
}

function MemberKey({ decision }: { decision: Decision }) {
  const { say } = useTexts()
  return (
    <>
      <p>{say('decision.memberKeyText')}</p>
      <dl className="figures-row decision-figures">
        <Fact name={say('decision.member', { number: said(decision, 'member') })}>
          <strong>
            <bdi translate="no">{said(decision, 'username')}</bdi>
          </strong>
        </Fact>
        <Fact name={say('decision.memberKey')}>
          <code className="hash">{shortForm(said(decision, 'key_hash'))}</code>
        </Fact>
      </dl>
      <Notice kind="wait">{say('decision.memberKeyWarning')}</Notice>
    </>
  )
}

/** A kind that has no words of its own: what is signed, as it is. */
function Said({ decision }: { decision: Decision }) {
  return (
    <dl className="figures-row decision-figures">
      {Object.entries(decision.statement).map(([name, value]) => (
        <Fact key={name} name={name}>
          <bdi translate="no">{value}</bdi>
        </Fact>
      ))}
    </dl>
  )
}
