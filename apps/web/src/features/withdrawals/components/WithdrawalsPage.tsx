import { useTranslation } from 'react-i18next'
import { PageHead } from '../../../ui/PageHead.tsx'
import { usePageTitle } from '../../../ui/usePageTitle.ts'
import { CurrentWithdrawal } from './CurrentWithdrawal.tsx'
import { WithdrawalForm } from './WithdrawalForm.tsx'
import { WithdrawalHistory } from './WithdrawalHistory.tsx'
import './withdrawals.css'
import { useEffect, useState } from 'react'
import { useDispatch } from 'react-redux'
import { client } from '../../../api/client.ts'
import { usePageVisible } from '../../../ui/usePageVisible.ts'
import { CHANGED_BY_WITHDRAWING, useWithdrawalsQuery } from '../api.ts'
import { currentOf } from '../timeline.ts'

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
