import type { CurrentUser } from '@aval/contract'
import { useQueryStates } from 'nuqs'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { DateField } from '../../../../ui/dates/DateField.tsx'
import { dayOf } from '../../../../ui/days.ts'
import { formats } from '../../../../ui/format.ts'
import { PageHead } from '../../../../ui/PageHead.tsx'
import { ErrorState } from '../../../../ui/States.tsx'
import { useMode } from '../mode.ts'
import { PLACE, PLACE_NAMES, type Place } from '../questions.ts'
import { useNetwork, usePeople, useStarted } from '../useNetwork.ts'
import { Legs } from './Legs.tsx'
import { PlacementSide } from './PlacementSide.tsx'
import { SearchBox } from './SearchBox.tsx'
import './cards.css'
import './tree.css'
import { TreeBoard } from './TreeBoard.tsx'
import { ModeSwitch, ViewSwitch } from './TreeSwitches.tsx'

export function TreePage({ user }: { user: CurrentUser | undefined }) {
  const { t } = useTranslation('genealogy/tree')
  const [place, setPlace] = useQueryStates(PLACE, PLACE_NAMES)
  // Selecting one member after another leaves no steps to go back on.
  const show = (change: Partial<Place>) =>
    setPlace(change, Object.keys(change).every((key) => key === 'node') ? { history: 'replace' } : {})
  const { network, failure, isFetching, refetch } = useNetwork(place)
  const isStarted = useStarted()
  const [mode, setMode] = useMode()
  const search = useRef<HTMLInputElement>(null)
  const title = t(`title.${place.view}`)
  const people = usePeople(network?.plot ?? null)
  const top = network?.plot.view === 'binary' ? network.plot.member(0) : undefined
  const isAwaited = network === null && failure === undefined
  const hasLegs = place.view === 'binary' && place.asOf === null && (top !== undefined || isAwaited)
  return (
    <div className="page-stack tree-page">
      <PageHead
        title={title}
        text={people === null ? t('heading') : t('people', { count: people, number: formats.count(people) })}
        action={
          <div className="tree-actions">
            <SearchBox view={place.view} input={search} onPick={(id) => show({ node: id })} />
            <ViewSwitch view={place.view} onChange={(view) => show({ view, node: null, root: null })} />
          </div>
        }
      />
      <section className="card tree-card-frame" aria-labelledby="tree-heading">
        <header className="row-16 row-apart tree-head">
          <div className="row-12">
            <h2 id="tree-heading">{t('heading')}</h2>
            <p className="muted small">{t('text')}</p>
          </div>
          <ModeSwitch mode={mode} onChange={setMode} />
          <div className="row-16 tree-controls">
            {place.view === 'binary' ? <PlacementSide /> : null}
            {hasLegs ? <Legs top={top} isOwn={place.root === null} /> : null}
            <AsOf day={place.asOf} onChange={(asOf) => show({ asOf })} />
          </div>
        </header>
        {network === null && failure !== undefined ? (
          <div className="tree-board">
            <ErrorState failure={failure} onRetry={refetch} />
          </div>
        ) : (
          <TreeBoard
            network={network}
            isStarted={isStarted}
            isFetching={isFetching}
            failure={failure}
            onRetry={refetch}
            place={place}
            show={show}
            refCode={user?.ref_code}
            onSearch={() => search.current?.focus()}
            mode={mode}
          />
        )}
      </section>
    </div>
  )
}

const FIRST_DAY = '2000-01-01'

/** The network as it was at the end of a day. */
function AsOf({ day, onChange }: { day: string | null; onChange: (day: string | null) => void }) {
  const { t } = useTranslation('genealogy/tree')
  const today = dayOf(new Date())
  return (
    <div className="row-8 tree-date">
      <DateField
        label={t('asOf.label')}
        value={day ?? ''}
        min={FIRST_DAY}
        max={today}
        onChange={(next, typed) => {
          if (typed === '') onChange(null)
          else if (next >= FIRST_DAY && next <= today) onChange(next)
        }}
      />
      {day === null ? null : (
        <button type="button" className="link-button small" onClick={() => onChange(null)}>
          {t('asOf.today')}
        </button>
      )}
    </div>
  )
}
