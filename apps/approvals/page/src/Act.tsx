/** An act on money in words: what it does to whom. What stands beside what is done is as it was when it was proposed. */
import type { ReactNode } from 'react'
import { type Decision, largestIn, microIn, said } from './decisions.rules.ts'
import { Address, Fact } from './parts.tsx'
import { shortForm } from './passkey.rules.ts'
import { useTexts } from './texts.ts'

/** The kinds that have a card of their own here, each with what it shows. */
const CARDS: Readonly<Record<string, (props: { decision: Decision }) => ReactNode>> = {
  fund_pool: Funding,
  explain_difference: Explanation,
  resume_payments: Resumption,
  reverse_investment: Reversal,
  set_extra_percent: ExtraPoints,
  set_fundator: Fundator,
}
export const isAct = ({ kind }: Decision): boolean => Object.hasOwn(CARDS, kind)

export function Act({ decision }: { decision: Decision }) {
  const { say, sayIn } = useTexts()
  const Card = CARDS[decision.kind]
  const reason = said(decision, 'reason')
  return (
    <>
      <p>{sayIn('act', decision.kind)}</p>
      <dl className="figures-row decision-figures">
        {Card === undefined ? null : <Card decision={decision} />}
      </dl>
      {reason === '' ? null : (
        <p className="muted">{say('decision.note', { name: decision.proposedBy, note: reason })}</p>
      )}
    </>
  )
}

/** An amount; a loss with its sign. */
function Amount({ decision, name }: { decision: Decision; name: string }) {
  const { usdt } = useTexts()
  const micro = microIn(said(decision, name))
  return <span>{`${micro < 0n ? '−' : ''}${usdt(micro < 0n ? -micro : micro)} USDT`}</span>
}

/** What stands there before, and after. */
function FromTo({ before, after }: { before: ReactNode; after: ReactNode }) {
  const { say } = useTexts()
  return (
    <>
      <span className="visually-hidden">{`${say('decision.before')}: `}</span>
      <del>{before}</del>
      <span aria-hidden="true"> → </span>
      <span className="visually-hidden">{`${say('decision.after')}: `}</span>
      <ins>{after}</ins>
    </>
  )
}

const amountsOf = (decision: Decision, before: string, after: string) => (
  <FromTo
    before={<Amount decision={decision} name={before} />}
    after={<Amount decision={decision} name={after} />}
  />
)

function Capital({ decision }: { decision: Decision }) {
  const { say } = useTexts()
  return <Fact name={say('act.capital')}>{amountsOf(decision, 'capital', 'capital_left')}</Fact>
}

function Member({ decision }: { decision: Decision }) {
  const { say } = useTexts()
  return (
    <Fact name={say('decision.member', { number: said(decision, 'member') })}>
      <strong>
        <bdi translate="no">{said(decision, 'username')}</bdi>
      </strong>
    </Fact>
  )
}

function Funding({ decision }: { decision: Decision }) {
  const { say, sayIn } = useTexts()
  return (
    <>
      <Fact name={say('act.amount')}>
        <strong>
          <Amount decision={decision} name="amount" />
        </strong>
      </Fact>
      <Fact name={sayIn('pool', said(decision, 'pool'))}>{amountsOf(decision, 'holds', 'results')}</Fact>
      <Capital decision={decision} />
    </>
  )
}

function Explanation({ decision }: { decision: Decision }) {
  const { say, sayIn } = useTexts()
  return (
    <>
      <Fact name={say('act.difference')}>
        <strong>
          <Amount decision={decision} name="difference" />
        </strong>
      </Fact>
      <Fact name={say('act.found')}>{amountsOf(decision, 'expected', 'found')}</Fact>
      <Capital decision={decision} />
      {said(decision, 'member') === '' ? null : <Member decision={decision} />}
      <Fact name={sayIn('address', said(decision, 'role'))}>
        <Address value={said(decision, 'address')} />
      </Fact>
    </>
  )
}

function Resumption({ decision }: { decision: Decision }) {
  const { say, stamp } = useTexts()
  return (
    <>
      <Fact name={say('act.stoppedBy', { at: stamp(said(decision, 'stopped_at')) })}>
        <strong>
          <bdi translate="no">{said(decision, 'stopped_by')}</bdi>
        </strong>
      </Fact>
      <Fact name={say('act.because')}>{said(decision, 'because')}</Fact>
    </>
  )
}

function Reversal({ decision }: { decision: Decision }) {
  const { say, stamp, count, usdt } = useTexts()
  const taken = microIn(said(decision, 'commission')) + microIn(said(decision, 'profit'))
  return (
    <>
      <Member decision={decision} />
      <Fact
        name={say('act.investment', {
          number: said(decision, 'investment'),
          at: stamp(said(decision, 'credited_at')),
        })}
      >
        <strong>
          <Amount decision={decision} name="amount" />
        </strong>
      </Fact>
      <Fact name={say('act.taken')}>
        <strong>{`${usdt(taken)} USDT`}</strong>
      </Fact>
      <Fact name={say('act.commissions')}>
        <Amount decision={decision} name="commission" />
      </Fact>
      <Fact name={say('act.profit')}>
        <Amount decision={decision} name="profit" />
      </Fact>
      <Fact name={say('act.givers')}>{count(Number(said(decision, 'members')))}</Fact>
      <Fact name={say('act.largest')}>
        <bdi translate="no">
          {largestIn(said(decision, 'largest'))
            .map(({ name, micro }) => `${name} ${usdt(micro)}`)
            .join(' · ')}
        </bdi>
      </Fact>
      <Fact name={say('act.hash')}>
        <code className="hash">{shortForm(said(decision, 'hash'))}</code>
      </Fact>
    </>
  )
}

function ExtraPoints({ decision }: { decision: Decision }) {
  const { say, setting } = useTexts()
  const written = (name: string) => setting('percent', said(decision, name))
  return (
    <>
      <Member decision={decision} />
      <Fact name={say('act.points')}>
        <FromTo before={written('from')} after={<strong>{written('to')}</strong>} />
      </Fact>
    </>
  )
}

function Fundator({ decision }: { decision: Decision }) {
  const { say, setting } = useTexts()
  const written = (name: string) => setting('toggle', said(decision, name))
  return (
    <>
      <Member decision={decision} />
      <Fact name={say('act.fundator')}>
        <FromTo before={written('from')} after={<strong>{written('to')}</strong>} />
      </Fact>
    </>
  )
}
