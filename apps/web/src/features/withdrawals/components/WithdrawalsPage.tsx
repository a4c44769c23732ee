import type { Withdrawal } from '@aval/contract'
import { useQueryState } from 'nuqs'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useDispatch } from 'react-redux'
import { client } from '../../../api/client.ts'
import { type Column, PagedTable } from '../../../ui/DataTable.tsx'
import { formats } from '../../../ui/format.ts'
import { IconWallet } from '../../../ui/icons.ts'
import { OutsideLink } from '../../../ui/OutsideLink.tsx'
import { PageHead } from '../../../ui/PageHead.tsx'
import { parseAsPage } from '../../../ui/place.ts'
import { EmptyState } from '../../../ui/States.tsx'
import { usePageTitle } from '../../../ui/usePageTitle.ts'
import { usePageVisible } from '../../../ui/usePageVisible.ts'
import { CHANGED_BY_WITHDRAWING, useWithdrawalsQuery } from '../api.ts'
import { currentOf } from '../timeline.ts'
import { CancelButton, CurrentWithdrawal, Facts, StatusBadge, Timeline } from './CurrentWithdrawal.tsx'
import { WithdrawalForm } from './WithdrawalForm.tsx'
import './withdrawals.css'

export function WithdrawalsPage() {
  const { t } = useTranslation('withdrawals')
  usePageTitle(t('title'))
  const current = useLatest()
  return (
    <div className="page-stack">
      <PageHead title={t('title')} text={t('text')} />
      <div className="withdrawal-columns" data-alone={current === null}>
        <WithdrawalForm />
        {current === null ? null : <CurrentWithdrawal withdrawal={current} />}
      </div>
      <WithdrawalHistory />
    </div>
  )
}

const EVERY = 2000

/** The withdrawal under way, asked for again while it is and someone can see it. */
function useLatest() {
  const dispatch = useDispatch()
  const visible = usePageVisible()
  const [open, setOpen] = useState<number | null>(null)
  const [followed, setFollowed] = useState<number | null>(null)
  const { data } = useWithdrawalsQuery(1, { pollingInterval: open !== null && visible ? EVERY : 0 })
  const rows = data?.results
  const newest = rows === undefined ? undefined : (currentOf(rows, null)?.id ?? null)

  useEffect(() => {
    if (newest === undefined || newest === open) return
    setOpen(newest)
    if (newest !== null) setFollowed(newest)
    // Over, with nobody pressing a button: the balance and the other pages of the list are stale now.
    else dispatch(client.util.invalidateTags([...CHANGED_BY_WITHDRAWING]))
  }, [newest, open, dispatch])

  return rows === undefined ? null : currentOf(rows, followed)
}

function WithdrawalHistory() {
  const { t } = useTranslation('withdrawals')
  const [page, setPage] = useQueryState('page', parseAsPage)
  const list = useWithdrawalsQuery(page)
  return (
    <section className="card" aria-labelledby="withdrawal-history">
      <div className="withdrawal-history-head">
        <h2 id="withdrawal-history">{t('history.title')}</h2>
      </div>
      <PagedTable
        // Rows that move a step while one looks at them are no news for the table.
        list={{ ...list, isFetching: list.isFetching && list.currentData === undefined }}
        caption={t('history.title')}
        columns={useColumns()}
        rowKey={(row) => row.id}
        detail={(row) => (
          <div className="withdrawal-detail">
            <Timeline withdrawal={row} />
            <Facts withdrawal={row} />
            <CancelButton withdrawal={row} />
          </div>
        )}
        page={page}
        onPage={setPage}
        empty={
          <EmptyState
            icon={<IconWallet size={26} stroke={1.4} aria-hidden="true" />}
            text={t('history.empty')}
          />
        }
      />
    </section>
  )
}

function useColumns(): Column<Withdrawal>[] {
  const { t } = useTranslation('withdrawals')
  return [
    { header: t('history.date'), cell: (row) => formats.dateTime(row.date) },
    {
      header: t('history.amount'),
      figure: true,
      cell: (row) => <strong>{formats.money(row.amount)}</strong>,
    },
    { header: t('history.status'), cell: (row) => <StatusBadge withdrawal={row} /> },
    {
      header: t('history.hash'),
      cell: (row) =>
        row.payment_link === null ? (
          '-'
        ) : (
          <OutsideLink href={row.payment_link}>{t('history.view')}</OutsideLink>
        ),
    },
  ]
}
