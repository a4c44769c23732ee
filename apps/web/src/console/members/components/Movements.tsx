import type { MemberMovement } from '@aval/contract'
import { useQueryState } from 'nuqs'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../../../api/failure.ts'
import { Button } from '../../../ui/Button.tsx'
import { type Column, column, DataTable, figureColumn, TwoLines } from '../../../ui/DataTable.tsx'
import { formats, shortHash } from '../../../ui/format.ts'
import { Link } from '../../../ui/Link.tsx'
import { OutsideLink } from '../../../ui/OutsideLink.tsx'
import { parseAsMatch } from '../../../ui/place.ts'
import { EmptyState, ErrorState } from '../../../ui/States.tsx'
import { ExportButton } from '../../shared/export/ExportButton.tsx'
import { memberLink, runLink } from '../../shared/place.ts'
import { useMemberMovementsQuery } from '../api.ts'
import { Why } from './Why.tsx'

/** The member's ledger, newest first, with what they had after each line. */
export function Movements({ id }: { id: string }) {
  const { t } = useTranslation('console/members')
  const [after, setAfter] = useQueryState('after', parseAsMatch(/^\d{1,18}-\d{1,9}$/))
  const query = useMemberMovementsQuery({ id, after })
  const page = query.currentData
  const columns = useColumns(id)
  if (page === undefined && query.error !== undefined && !query.isFetching)
    return <ErrorState failure={query.error as Failure} onRetry={() => void query.refetch()} />
  return (
    <section className="card">
      <div className="row-12 row-end members-bar">
        <ExportButton path={`operator/members/${id}/movements/export/`} />
      </div>
      {page?.results.length === 0 ? (
        <EmptyState text={t('movements.none')} />
      ) : (
        <DataTable
          caption={t('tab.movements')}
          columns={columns}
          rows={page?.results}
          rowKey={(row) => row.id}
          detail={(row) => <Explained id={id} row={row} />}
          refreshing={query.isFetching}
        />
      )}
      <div className="row-8 row-end members-bar">
        {after === null ? null : (
          <Button size="small" onClick={() => void setAfter(null)}>
            {t('movements.newest')}
          </Button>
        )}
        {page?.next == null ? null : (
          <Button size="small" onClick={() => void setAfter(page.next)}>
            {t('movements.older')}
          </Button>
        )}
      </div>
    </section>
  )
}

const signed = (amount: string) => (amount === '0.00' ? '' : formats.signed(amount))

function useColumns(id: string): Column<MemberMovement>[] {
  const { t } = useTranslation('console/members')
  return [
    column(t('date'), (row) => formats.shortStamp(row.date)),
    column(t('movements.what'), (row) => <TwoLines first={row.what} second={row.detail} />),
    figureColumn(t('balance'), (row) => (
      <TwoLines first={<strong>{formats.money(row.balance)}</strong>} second={signed(row.to_balance)} />
    )),
    figureColumn(t('principal'), (row) => (
      <TwoLines first={formats.money(row.principal)} second={signed(row.to_principal)} />
    )),
    column(t('movements.from'), (row) => <Source id={id} row={row} />),
  ]
}

/** What the line came from, as a link to it. */
function Source({ id, row }: { id: string; row: MemberMovement }) {
  const { t } = useTranslation('console/members')
  const stop = (event: { stopPropagation: () => void }) => event.stopPropagation()
  if (row.run_id !== null)
    return (
      <Link to={runLink(row.run_id)} onClick={stop}>
        {t('movements.run', { id: row.run_id })}
      </Link>
    )
  if (row.withdrawal_id !== null)
    return (
      <Link to={memberLink(id, 'withdrawals')} onClick={stop}>
        {t('movements.withdrawal', { id: row.withdrawal_id })}
      </Link>
    )
  if (row.investment_id !== null)
    return (
      <Link to={memberLink(id, 'investments')} onClick={stop}>
        {t('movements.investment', { id: row.investment_id })}
      </Link>
    )
  return <span>{row.txid === null ? '–' : shortHash(row.txid)}</span>
}

/** A line by itself: the payment's why, or its figures and its transaction. */
function Explained({ id, row }: { id: string; row: MemberMovement }) {
  const { t } = useTranslation('console/members')
  if (row.payment_id !== null) return <Why id={id} payment={row.payment_id} />
  return (
    <div className="panel stack-8">
      <p>{t('movements.explained', { what: row.what, amount: formats.exact(row.amount), id: row.id })}</p>
      {row.explorer_url === null || row.txid === null ? null : (
        <OutsideLink href={row.explorer_url} className="small">
          {shortHash(row.txid)}
        </OutsideLink>
      )}
    </div>
  )
}
