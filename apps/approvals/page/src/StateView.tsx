/** What became of an approval: submitted, checked by the signer, accepted or refused. */
import { useEffect, useState } from 'react'
import type { State } from './answers.rules.ts'
import { getState, Refused } from './api.ts'
import { ArrivalHeading, Failure, Notice } from './parts.tsx'
import { type Key, useTexts } from './texts.ts'
import { timeLeft } from './time.rules.ts'
import type { Submitted } from './useApproving.ts'

const EVERY_MS = 1_000

/** Asks until the signer has decided or the approval has ended. */
function useApprovalState(submitted: Submitted) {
  const [state, setState] = useState<State | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  useEffect(() => {
    let isOver = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = async () => {
      let isOpen = true
      try {
        const answer = await getState(submitted.id)
        isOpen = answer.state === 'submitted' && !answer.expired
        setState(answer)
        setFailure(null)
      } catch (error) {
        setFailure(error instanceof Refused ? error.message : 'unexpected')
      }
      if (!isOver && isOpen) timer = setTimeout(look, EVERY_MS)
    }
    void look()
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [submitted.id])
  return { state, failure }
}

/** This moment, again every second. */
function useNow(): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  return now
}

interface StateViewProps {
  readonly submitted: Submitted
  /** Nothing came of it: what was chosen can be approved again. */
  readonly onDone: (isVoid: boolean) => void
}

export function StateView({ submitted, onDone }: StateViewProps) {
  const { say, usdt } = useTexts()
  const { state, failure } = useApprovalState(submitted)
  const isOpen = state === null || (state.state === 'submitted' && !state.expired)
  return (
    <section className="card card-pad stack-16">
      <ArrivalHeading>
        {submitted.purpose === 'decisions'
          ? say('state.titleDecisions', { count: submitted.count })
          : say('state.title', { count: submitted.count, amount: usdt(submitted.amount) })}
      </ArrivalHeading>
      <ol className="steps" aria-live="polite">
        <li data-state="done">{say('state.submitted')}</li>
        <li data-state={isOpen ? 'now' : 'done'}>
          <span>{say('state.checking')}</span> {isOpen ? <Left until={submitted.expiresAt} /> : null}
        </li>
        {isOpen || state === null ? null : <Outcome state={state} purpose={submitted.purpose} />}
      </ol>
      <Failure code={isOpen ? failure : null} />
      <div className="row-8">
        <button
          type="button"
          className="button button-primary"
          onClick={() => onDone(!isOpen && state?.state !== 'accepted')}
        >
          {say('done')}
        </button>
      </div>
    </section>
  )
}

function Left({ until }: { until: number }) {
  const { say } = useTexts()
  const now = useNow()
  return (
    <span className="muted small steps-left" aria-hidden="true">
      {say('state.left', { time: timeLeft(until - now) })}
    </span>
  )
}

function Outcome({ state, purpose }: { state: State; purpose: Submitted['purpose'] }) {
  const { say, sayCode } = useTexts()
  const isOf = (withdrawals: Key, decisions: Key): Key => (purpose === 'decisions' ? decisions : withdrawals)
  if (state.state === 'accepted') {
    const open = state.count - state.complete
    return (
      <li data-state="done" className="stack-8">
        <strong>{say('state.accepted')}</strong>
        {state.complete === 0 ? null : (
          <p>{say(isOf('state.complete', 'state.completeDecisions'), { count: state.complete })}</p>
        )}
        {open === 0 ? null : (
          <p>
            {say(isOf('state.more', 'state.moreDecisions'), {
              count: open,
              given: state.given,
              needed: Math.max(state.needed, state.given + 1),
            })}
          </p>
        )}
      </li>
    )
  }
  return (
    <li data-state="bad" className="stack-8">
      <strong>{say('state.refused')}</strong>
      <Notice kind="bad">{state.refusal === null ? say('state.late') : sayCode(state.refusal)}</Notice>
    </li>
  )
}
