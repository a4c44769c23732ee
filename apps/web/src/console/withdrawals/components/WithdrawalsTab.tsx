import type { QueuedWithdrawal } from '@aval/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { usePageVisible } from '../../../ui/usePageVisible.ts'
import { usePlace } from '../../shared/place.ts'
import { quiet } from '../../shared/useLive.ts'
import { QUEUES, type Queue, useWithdrawalQueueQuery, type WithdrawalDecision } from '../api.ts'
import { DecideDialog } from './DecideDialog.tsx'
import { QueueTable } from './QueueTable.tsx'
import { Selection } from './Selection.tsx'
import './queue.css'

/** Others ask and decide at the same time. */
const EVERY = 5000

/** Withdrawals by what is to be done about them; several can be decided with one code. */
export function WithdrawalsTab() {
  const { t } = useTranslation(['console/withdrawals', 'console/shared'])
  const place = usePlace()
  const state: Queue = QUEUES.find((name) => name === place.state) ?? 'requested'
  const visible = usePageVisible()
  const query = useWithdrawalQueueQuery(
    { state, page: place.page },
    { pollingInterval: visible && state !== 'closed' ? EVERY : 0, refetchOnMountOrArgChange: true },
  )
  const list = quiet(query)
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const [asked, setAsked] = useState<{
    decision: WithdrawalDecision['decision']
    rows: QueuedWithdrawal[]
  } | null>(null)
  const rows = list.data?.results ?? []
  // What left the page meanwhile is no longer chosen.
  const selected = rows.filter((row) => chosen.has(row.id))

  const choose = (id: number, wanted: boolean) => {
    const next = new Set(chosen)
    if (wanted) next.add(id)
    else next.delete(id)
    setChosen(next)
  }
  const go = (next: Queue, page = 1) => {
    setChosen(new Set())
    place.show('withdrawals', { state: next === 'requested' ? null : next, page })
  }
  return (
    <section className="card queue">
      <Queues current={state} onChoose={go} />
      {list.isStale ? <p className="stale muted small">{t('console/shared:stale')}</p> : null}
      <QueueTable
        list={list}
        state={state}
        chosen={chosen}
        onChoose={choose}
        onDecide={(decision, row) => setAsked({ decision, rows: [row] })}
        page={place.page}
        onPage={(page) => go(state, page)}
      />
      <Selection
        rows={selected}
        onDecide={(decision) => setAsked({ decision, rows: selected })}
        onClear={() => setChosen(new Set())}
      />
      {asked === null ? null : (
        <DecideDialog
          decision={asked.decision}
          rows={asked.rows}
          onClose={() => setAsked(null)}
          onDecided={() => {
            setAsked(null)
            setChosen(new Set())
          }}
        />
      )}
    </section>
  )
}

function Queues({ current, onChoose }: { current: Queue; onChoose: (queue: Queue) => void }) {
  const { t } = useTranslation('console/withdrawals')
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would look like a form
    <div className="chips" role="group" aria-label={t('filter')}>
      {QUEUES.map((choice) => (
        <button
          key={choice}
          type="button"
          className="chip"
          aria-pressed={choice === current}
          onClick={() => onChoose(choice)}
        >
          {t(`queue.${choice}`)}
        </button>
      ))}
    </div>
  )
}
