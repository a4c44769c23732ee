import type { ObservedTransfer } from '@aval/contract'
import { formatMicro, micro } from '@aval/money'
import { useTranslation } from 'react-i18next'
import { client } from '../../../api/client.ts'
import { type Column, column, figureColumn } from '../../../ui/DataTable.tsx'
import { Fact } from '../../../ui/Fact.tsx'
import { formats, shortHash } from '../../../ui/format.ts'
import { Name } from '../../../ui/Name.tsx'
import { OutsideLink } from '../../../ui/OutsideLink.tsx'
import { EmptyState } from '../../../ui/States.tsx'
import { operatorList } from '../../shared/calls.ts'
import { FilteredTable } from '../../shared/FilteredTable.tsx'
import { usePlace } from '../../shared/place.ts'

type Verdict = ObservedTransfer['verdict']

const depositsApi = client.injectEndpoints({
  endpoints: (build) => ({
    deposits: operatorList(
      build,
      'observedTransfer',
      ({ page, verdict }: { page: number; verdict: Verdict | null }) =>
        `operator/transfers/?page=${page}${verdict === null ? '' : `&verdict=${verdict}`}`,
    ),
  }),
})

const { useDepositsQuery } = depositsApi

/** What was not credited comes first: that is what an operator looks for here. */
const VERDICTS: readonly Verdict[] = ['wrong_token', 'zero_value', 'failed', 'wrong_asset', 'credit']

/** Every transfer that was seen coming in, by what was made of it. */
export function DepositsTable() {
  const { t } = useTranslation('console/deposits')
  const place = usePlace()
  const verdict = VERDICTS.find((name) => name === place.verdict) ?? null
  const list = useDepositsQuery({ page: place.page, verdict })
  const columns: Column<ObservedTransfer>[] = [
    column(t('date'), (row) => formats.dateTime(row.date)),
    column(t('verdictTitle'), (row) => (
      <span className={`badge ${row.verdict === 'credit' ? 'badge-ok' : 'badge-wait'}`}>
        {t(`verdict.${row.verdict}`)}
      </span>
    )),
    column(t('member'), (row) => (row.member === null ? '–' : <Name text={row.member} />)),
    figureColumn(t('value'), shownValue),
    column(t('hash'), (row) => (
      <OutsideLink href={row.explorer_url} className="outside-link nowrap">
        {shortHash(row.txid)}
      </OutsideLink>
    )),
  ]
  return (
    <section className="card">
      <h2 className="table-title">{t('title')}</h2>
      <FilteredTable
        filter={t('filter')}
        choices={[null, ...VERDICTS]}
        current={verdict}
        textOf={(choice) => t(`verdict.${choice ?? 'all'}`)}
        onShow={(next, page) => place.show('deposits', { verdict: next, page })}
        list={list}
        caption={t('title')}
        columns={columns}
        rowKey={(row) => `${row.txid}-${row.position}`}
        detail={(row) => <TransferDetail row={row} />}
        page={place.page}
        empty={<EmptyState text={t(verdict === null ? 'empty' : 'none')} />}
      />
    </section>
  )
}

/** USDT as an amount; of a token whose decimals are not known, its smallest units as they are. */
function shownValue({ verdict, value }: ObservedTransfer): string {
  if (value.includes('.')) return `${formats.exact(value)} USDT`
  const isOurs = verdict === 'credit' && /^\d{1,18}$/.test(value)
  return isOurs ? `${formats.exact(formatMicro(micro(BigInt(value))))} USDT` : value
}

function TransferDetail({ row }: { row: ObservedTransfer }) {
  const { t } = useTranslation('console/deposits')
  return (
    <dl className="figures row-detail box">
      {(['from', 'to', 'contract'] as const).map((name) => (
        <Fact key={name} name={t(`${name}`)}>
          <span className="hash">{row[name]}</span>
        </Fact>
      ))}
      <Fact name={t('block')}>{formats.count(row.block)}</Fact>
    </dl>
  )
}
