/** The list: look for, choose, go on to review. */
import { type Dispatch, type SetStateAction, useMemo, useState } from 'react'
import type { List } from './answers.rules.ts'
import {
  askedIn,
  barOf,
  FILTERS,
  type Looked,
  lookedFor,
  ORDERS,
  type Row,
  type ShownRow,
  shownRows,
  sumsOf,
} from './list.rules.ts'
import { Field, Notice } from './parts.tsx'
import { useHash } from './place.ts'
import { Rows } from './Rows.tsx'
import { useTexts } from './texts.ts'
import { Listed } from './Withdrawal.tsx'

export type Chosen = ReadonlyMap<string, Row>

type Sought = Omit<Looked, 'asked'>

interface ListViewProps {
  readonly list: List
  readonly operator: string | null
  readonly chosen: Chosen
  readonly setChosen: Dispatch<SetStateAction<Chosen>>
  readonly onReview: (rows: readonly Row[]) => void
}

export function ListView({ list, operator, chosen, setChosen, onReview }: ListViewProps) {
  const { say } = useTexts()
  const [looked, setLooked] = useState<Sought>({ typed: '', filter: 'all', order: 'oldest' })
  const all = useMemo(() => shownRows(list.rows, chosen), [list, chosen])
  const hash = useHash()
  const asked = useMemo(() => askedIn(hash), [hash])
  const shown = useMemo(() => lookedFor(all, { ...looked, asked }), [all, looked, asked])
  const good = all.filter((each) => chosen.has(each.row.id) && barOf(each, operator) === null)
  const marked = all.filter(({ mark }) => mark !== null)
  const choosable = useMemo(() => shown.filter((each) => barOf(each, operator) === null), [shown, operator])
  const choose = (rows: readonly Row[], wanted: boolean) =>
    setChosen((before) => {
      const next = new Map(before)
      for (const row of rows) wanted ? next.set(row.id, row) : next.delete(row.id)
      return next
    })
  return (
    <>
      {marked.length === 0 ? null : (
        <div role="alert" className="notice notice-bad notice-action">
          <p>{say('dropMarked', { count: marked.length })}</p>
          <button
            type="button"
            className="button button-secondary button-small"
            onClick={() =>
              choose(
                marked.map(({ row }) => row),
                false,
              )
            }
          >
            {say('drop')}
          </button>
        </div>
      )}
      <section className="card" aria-labelledby="withdrawals">
        <h1 id="withdrawals" className="h2 list-title">
          {say('listOf')}
        </h1>
        {asked === null ? null : <Asked count={asked.size} />}
        <Toolbar looked={looked} setLooked={setLooked} />
        {shown.length === 0 ? null : (
          <ChooseAll shown={shown} choosable={choosable} chosen={chosen} onChoose={choose} />
        )}
        {shown.length === 0 ? (
          <p className="state">{say(list.rows.length === 0 ? 'empty' : 'noneFound')}</p>
        ) : (
          <Rows items={shown} label={say('listOf')} keyOf={({ row }) => row.id}>
            {(each) => (
              <Listed
                shown={each}
                bar={barOf(each, operator)}
                isChosen={chosen.has(each.row.id)}
                onChoose={(row, wanted) => choose([row], wanted)}
              />
            )}
          </Rows>
        )}
        {shown.length === 0 ? null : <p className="needed-note muted small">{say('neededNote')}</p>}
        <SelectionBar
          rows={good.map(({ row }) => row)}
          onClear={() => setChosen(new Map())}
          onReview={() => onReview(good.map(({ row }) => row))}
        />
      </section>
    </>
  )
}

/** The link that led here named them: they are shown alone, and nothing is chosen by that. */
function Asked({ count }: { count: number }) {
  const { say } = useTexts()
  return (
    <div className="notice notice-wait notice-action asked">
      <p>{say('asked', { count })}</p>
      <a className="button button-secondary button-small" href="#all">
        {say('showAll')}
      </a>
    </div>
  )
}

function Toolbar({ looked, setLooked }: { looked: Sought; setLooked: (next: Sought) => void }) {
  const { say } = useTexts()
  return (
    <div className="toolbar">
      <Field label={say('search')}>
        {(control) => (
          <input
            {...control}
            type="search"
            autoComplete="off"
            spellCheck={false}
            placeholder={say('searchHint')}
            value={looked.typed}
            onChange={(event) => setLooked({ ...looked, typed: event.target.value })}
          />
        )}
      </Field>
      <fieldset className="segments" aria-label={say('show')}>
        {FILTERS.map((filter) => (
          <button
            key={filter}
            type="button"
            aria-pressed={looked.filter === filter}
            onClick={() => setLooked({ ...looked, filter })}
          >
            {say(`filter.${filter}`)}
          </button>
        ))}
      </fieldset>
      <Field label={say('order')}>
        {(control) => (
          <select
            {...control}
            value={looked.order}
            onChange={(event) =>
              setLooked({ ...looked, order: ORDERS.find((each) => each === event.target.value) ?? 'oldest' })
            }
          >
            {ORDERS.map((order) => (
              <option key={order} value={order}>
                {say(`order.${order}`)}
              </option>
            ))}
          </select>
        )}
      </Field>
    </div>
  )
}

interface ChooseAllProps {
  readonly shown: readonly ShownRow[]
  readonly choosable: readonly ShownRow[]
  readonly chosen: Chosen
  readonly onChoose: (rows: readonly Row[], wanted: boolean) => void
}

function ChooseAll({ shown, choosable, chosen, onChoose }: ChooseAllProps) {
  const { say, usdt } = useTexts()
  const { amount } = sumsOf(shown.map(({ row }) => row))
  const isWhole = choosable.length > 0 && choosable.every(({ row }) => chosen.has(row.id))
  return (
    <div className="choose-all">
      <label className="check">
        <input
          type="checkbox"
          checked={isWhole}
          disabled={choosable.length === 0}
          onChange={(event) =>
            onChoose(
              choosable.map(({ row }) => row),
              event.target.checked,
            )
          }
        />
        <span>{say('chooseAll')}</span>
      </label>
      <span className="muted small">{`${say('shown', { count: shown.length })} · ${usdt(amount)} USDT`}</span>
    </div>
  )
}

interface SelectionBarProps {
  readonly rows: readonly Row[]
  readonly onClear: () => void
  readonly onReview: () => void
}

function SelectionBar({ rows, onClear, onReview }: SelectionBarProps) {
  const { say, usdt } = useTexts()
  const { count, members, amount } = sumsOf(rows)
  if (count === 0) return <div role="status" />
  return (
    <div role="status" className="selection row-8 row-apart">
      <p>
        <span>{say('chosen', { count })}</span>{' '}
        <span className="muted">{say('ofMembers', { count: members })}</span>{' '}
        <strong className="nowrap" translate="no">{`${usdt(amount)} USDT`}</strong>
      </p>
      <div className="row-8 row-end">
        <button type="button" className="button button-quiet button-small" onClick={onClear}>
          {say('clear')}
        </button>
        <button type="button" className="button button-primary" onClick={onReview}>
          {say('review')}
        </button>
      </div>
    </div>
  )
}

export function Stopped({ list }: { list: List }) {
  const { say } = useTexts()
  return list.stopped ? <Notice kind="bad">{say('stopped')}</Notice> : null
}
