import type { CurrentUser } from '@aval/contract'
import { useQueryStates } from 'nuqs'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { PageHead } from '../../../../ui/PageHead.tsx'
import { ErrorState } from '../../../../ui/States.tsx'
import { useFormats } from '../../../../ui/useFormats.ts'
import { usePageTitle } from '../../../../ui/usePageTitle.ts'
import { PLACE, PLACE_NAMES, type Place } from '../questions.ts'
import { useNetwork, useStarted } from '../useNetwork.ts'
import { usePeople } from '../usePeople.ts'
import { AsOf } from './AsOf.tsx'
import { SearchBox } from './SearchBox.tsx'
import './cards.css'
import './overlays.css'
import './tree.css'
import { TreeBoard } from './TreeBoard.tsx'
import { ViewSwitch } from './ViewSwitch.tsx'

export function TreePage({ user }: { user: CurrentUser | undefined }) {
  const { t } = useTranslation('genealogy/tree')
  const formats = useFormats()
  const [place, setPlace] = useQueryStates(PLACE, PLACE_NAMES)
  // Selecting one member after another leaves no steps to go back on.
  const show = (change: Partial<Place>) =>
    setPlace(change, Object.keys(change).every((key) => key === 'node') ? { history: 'replace' } : {})
  const { network, failure, isFetching, refetch } = useNetwork(place)
  const isStarted = useStarted()
  const search = useRef<HTMLInputElement>(null)
  const title = t(`title.${place.view}`)
  usePageTitle(title)
  const people = usePeople(network?.plot ?? null)
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
        <header className="tree-head">
          <div>
            <h2 id="tree-heading">{t('heading')}</h2>
            <p className="muted small">{t('text')}</p>
          </div>
          <AsOf day={place.asOf} onChange={(asOf) => show({ asOf })} />
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
          />
        )}
      </section>
    </div>
  )
}
