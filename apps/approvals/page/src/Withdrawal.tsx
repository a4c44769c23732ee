/** One withdrawal, as it stands in the list and as it is reviewed. */
import { createContext, useContext } from 'react'
import { type Bar, isRisky, type Mark, type Row, type ShownRow, sumsOf } from './list.rules.ts'
import { Address } from './parts.tsx'
import { useTexts } from './texts.ts'

interface ListedProps {
  readonly shown: ShownRow
  readonly bar: Bar | null
  readonly isChosen: boolean
  readonly onChoose: (row: Row, wanted: boolean) => void
}

const isMark = (bar: Bar | null): bar is Mark => bar === 'gone' || bar === 'changed'

export function Listed({ shown: { row }, bar, isChosen, onChoose }: ListedProps) {
  const { say } = useTexts()
  return (
    <label className="withdrawal" data-chosen={isChosen} data-marked={isMark(bar)}>
      <span className="check withdrawal-check">
        <input
          type="checkbox"
          checked={isChosen && bar === null}
          disabled={bar !== null}
          aria-label={say('choose', { number: row.id, member: row.username })}
          onChange={(event) => onChoose(row, event.target.checked)}
        />
      </span>
      <Facts row={row} />
      <Stage row={row} bar={bar} />
    </label>
  )
}

export function Reviewed({ row, member }: { row: Row; member: { count: number; amount: bigint } | null }) {
  const { say, usdt } = useTexts()
  return (
    <div className="withdrawal withdrawal-reviewed">
      <Facts row={row} />
      <p className="withdrawal-stage small muted">
        {member === null ? null : say('ofMember', { count: member.count, amount: usdt(member.amount) })}
      </p>
    </div>
  )
}

function Facts({ row }: { row: Row }) {
  const { say, usdt, stamp } = useTexts()
  const { amount, fee } = sumsOf([row])
  return (
    <>
      <span className="withdrawal-who">
        <bdi className="cut strong" translate="no">
          {row.username}
        </bdi>
        <span className="cut muted small">
          <bdi translate="no">{row.name}</bdi>{' '}
          <span>{`${row.name === '' ? '' : '· '}${say('number', { number: row.id })}`}</span>
        </span>
        <span className="muted tiny">{say('asked', { at: stamp(row.requestedAt) })}</span>
        <DueMark row={row} />
      </span>
      <span className="withdrawal-amount" translate="no">
        <strong>{usdt(amount)}</strong>
        <span className="muted small">{say('arrives', { amount: usdt(amount - fee) })}</span>
        {row.daySum > row.amount ? (
          <span className="tiny withdrawal-day">{say('daySum', { amount: usdt(row.daySum) })}</span>
        ) : null}
      </span>
      <span className="withdrawal-wallet small">
        <Address value={row.wallet} />
        {row.walletChangedAt === null ? null : (
          <span className="muted tiny">{say('walletSince', { at: stamp(row.walletChangedAt) })}</span>
        )}
      </span>
      <Risks risks={row.risks} />
    </>
  )
}

/** Milliseconds by which the clock that requests are dated by is ahead of this machine's. */
export const ClockAhead = createContext(0)

/** How long it has waited and how long it may: what is late or due soon has a sign and a colour. */
function DueMark({ row }: { row: Row }) {
  const { say, lasting } = useTexts()
  const now = Date.now() + useContext(ClockAhead)
  const waited = now - Date.parse(row.requestedAt)
  const age = waited < 60_000 ? say('due.now') : say('due.age', { time: lasting(waited) })
  const { dueAt, soonAt } = row
  if (dueAt === null || soonAt === null)
    return <span className="tiny muted">{`${age} · ${say('due.frozen')}`}</span>
  const left = Date.parse(dueAt) - now
  const state = left < 0 ? 'late' : now > Date.parse(soonAt) ? 'soon' : 'later'
  const due = say(`due.${state}`, { time: lasting(left) })
  return (
    <span className="tiny muted withdrawal-due" data-due={state}>
      <span>{`${age} ·`}</span> <strong>{state === 'later' ? due : `⚠ ${due}`}</strong>
    </span>
  )
}

function Risks({ risks }: { risks: readonly string[] }) {
  const { sayRisk } = useTexts()
  const text = risks.map(sayRisk).join(' · ')
  return (
    <span className="withdrawal-risks small" data-fact={!isRisky(risks)} title={text}>
      {text}
    </span>
  )
}

const TONES: Readonly<Record<Bar, string>> = {
  gone: 'badge-bad',
  changed: 'badge-bad',
  own: '',
  approved: 'badge-ok',
  waiting: 'badge-wait',
}

function Stage({ row, bar }: { row: Row; bar: Bar | null }) {
  const { say } = useTexts()
  const names = (list: Row['approvals']) => list.map(({ name }) => name).join(', ')
  return (
    <span className="withdrawal-stage">
      {bar === null ? null : <span className={`badge ${TONES[bar]}`}>{say(`bar.${bar}`)}</span>}
      {row.approvals.length >= row.needed && row.approvals.length > 0 ? (
        <span className="small">{say('needsMore')}</span>
      ) : (
        <span className="small muted">
          {say('approvals', { given: row.approvals.length, needed: row.needed, count: row.needed })}
        </span>
      )}
      {row.approvals.length === 0 ? null : (
        <span className="tiny muted cut">{say('approvedBy', { names: names(row.approvals) })}</span>
      )}
      {row.waiting.length === 0 ? null : (
        <span className="tiny muted cut">{say('waitsFor', { names: names(row.waiting) })}</span>
      )}
    </span>
  )
}
