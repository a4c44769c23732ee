import type { CurrentUser } from '@aval/contract'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { PageHead } from '../../../ui/PageHead.tsx'
import { ErrorState } from '../../../ui/States.tsx'
import { useFormats } from '../../../ui/useFormats.ts'
import { usePageTitle } from '../../../ui/usePageTitle.ts'
import type { Plot } from '../plot.ts'
import { useNetwork, useStarted } from '../useNetwork.ts'
import { usePlace } from '../usePlace.ts'
import { AsOf } from './AsOf.tsx'
import { SearchBox } from './SearchBox.tsx'
import './cards.css'
import './overlays.css'
import './tree.css'
import { TreeBoard } from './TreeBoard.tsx'
import { ViewSwitch } from './ViewSwitch.tsx'

/** How many people are below; null where the answer was cut and nobody counted. */
function peopleIn(plot: Plot): number | null {
  let people = -1
  for (let index = 0; index < plot.items.length; index += 1) {
    if (plot.member(index) === undefined) continue
    if (plot.missing(index) > 0) return null
    people += 1
  }
  return Math.max(0, people)
}

export function TreePage({ user }: { user: CurrentUser | undefined }) {
  const { t } = useTranslation('tree')
  const formats = useFormats()
  const { place, show } = usePlace()
  const { network, failure, isFetching, refetch } = useNetwork(place)
  const isStarted = useStarted()
  const search = useRef<HTMLInputElement>(null)
  const title = t(`title.${place.view}`)
  usePageTitle(title)
  const people = network === null ? null : peopleIn(network.plot)
  return (
    <div className="page-stack tree-page">
      <PageHead
        title={title}
        text={
          <>
            {t('heading')}
            {people === null ? null : ` · ${t('people', { count: people, number: formats.count(people) })}`}
          </>
        }
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
