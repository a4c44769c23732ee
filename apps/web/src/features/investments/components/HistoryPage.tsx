import type { CurrentUser, InvestmentEntry } from '@aval/contract'
import { useQueryState } from 'nuqs'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../ui/Button.tsx'
import { type Column, column, figureColumn, PagedTable } from '../../../ui/DataTable.tsx'
import { formats, shortHash } from '../../../ui/format.ts'
import { IconHistory } from '../../../ui/icons.ts'
import { OutsideLink } from '../../../ui/OutsideLink.tsx'
import { PageHead } from '../../../ui/PageHead.tsx'
import { parseAsPage } from '../../../ui/place.ts'
import { ReferralLink } from '../../../ui/ReferralLink.tsx'
import { EmptyState } from '../../../ui/States.tsx'
import { useInvestmentHistoryQuery } from '../api.ts'
import type { InvestStart } from './InvestDialog.tsx'
import { PendingInvestments } from './PendingInvestments.tsx'
import './invest.css'

interface HistoryPageProps {
  user: CurrentUser | undefined
  onInvest: () => void
  onInvestAt: (start: InvestStart) => void
}

export function HistoryPage({ user, onInvest, onInvestAt }: HistoryPageProps) {
  const { t } = useTranslation(['investments', 'ui'])
  const [page, setPage] = useQueryState('page', parseAsPage)
  const list = useInvestmentHistoryQuery(page)
  const empty = (
    <EmptyState
      icon={IconHistory}
      text={t('investments:history.empty')}
      action={
        <Button kind="primary" onClick={onInvest}>
          {t('investments:history.invest')}
        </Button>
      }
    />
  )
  return (
    <div className="page-stack">
      <PageHead title={t('investments:history.title')} text={t('investments:history.text')} />
      <PendingInvestments
        onContinue={(txnId) => onInvestAt({ txnId })}
        onInvestBalance={() => onInvestAt('balance')}
      />
      <section className="card card-pad referral-card">
        <h2>{t('ui:referralLink')}</h2>
        <ReferralLink refCode={user?.ref_code} />
      </section>
      <section className="card">
        <PagedTable
          list={list}
          caption={t('investments:history.title')}
          columns={useColumns()}
          rowKey={(row) => row.id}
          page={page}
          onPage={setPage}
          empty={empty}
        />
      </section>
    </div>
  )
}

function useColumns(): Column<InvestmentEntry>[] {
  const { t } = useTranslation('investments')
  return [
    column(t('history.date'), (row) => formats.dateTime(row.date)),
    figureColumn(t('history.amount'), (row) => <Amount row={row} />),
    column(t('history.method'), (row) => <Method row={row} />),
    figureColumn(t('history.value'), (row) => formats.money(row.before_investment_value)),
  ]
}

function Amount({ row: { amount, reversed_at } }: { row: InvestmentEntry }) {
  const { t } = useTranslation('investments')
  if (reversed_at === null) return <strong>{formats.money(amount)}</strong>
  return (
    <span className="reversed-amount">
      <s className="muted">{formats.money(amount)}</s>
      <span className="badge badge-bad">{t('history.reversed', { date: formats.date(reversed_at) })}</span>
    </span>
  )
}

function Method({ row }: { row: InvestmentEntry }) {
  const { t } = useTranslation('investments')
  if (row.pay_with_balance) return <span>{t('history.balance')}</span>
  return (
    <span className="row-12 method">
      <span>USDT TRC20</span>
      {row.explorer_url === null ? null : (
        <OutsideLink href={row.explorer_url} className="small">
          {row.txid === null ? t('history.view') : shortHash(row.txid)}
        </OutsideLink>
      )}
    </span>
  )
}
