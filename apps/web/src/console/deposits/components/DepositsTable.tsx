import type { ObservedTransfer, Page } from '@aval/contract'
import { formatMicro, micro } from '@aval/money'
import { useTranslation } from 'react-i18next'
import { client } from '../../../api/client.ts'
import { conforms } from '../../../api/conforms.ts'
import { type Column, PagedTable } from '../../../ui/DataTable.tsx'
import { formats } from '../../../ui/format.ts'
import { shortHash } from '../../../ui/groups.ts'
import { IconExternalLink } from '../../../ui/icons.ts'
import { Name } from '../../../ui/Name.tsx'
import { EmptyState } from '../../../ui/States.tsx'
import { usePlace } from '../../shared/place.ts'

/** What was not credited comes first: that is what an operator looks for here. */
const VERDICTS: readonly Verdict[] = ['wrong_token', 'zero_value', 'failed', 'wrong_asset', 'credit']

/** Every transfer that was seen coming in, by what was made of it. */
export function DepositsTable() {
  const { t } = useTranslation('console/deposits')
  const columns = useColumns()
  const place = usePlace()
  const verdict = VERDICTS.find((name) => name === place.verdict) ?? null
  const list = useDepositsQuery({ page: place.page, verdict })
  return (
    <section className="card">
      <h2 className="table-title">{t('title')}</h2>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would look like a form */}
      <div className="chips" role="group" aria-label={t('filter')}>
        {[null, ...VERDICTS].map((choice) => (
          <button
            key={choice ?? 'all'}
            type="button"
            className="chip"
            aria-pressed={choice === verdict}
            onClick={() => place.show('overview', { verdict: choice })}
          >
            {t(`verdict.${choice ?? 'all'}`)}
          </button>
        ))}
      </div>
      <PagedTable
        list={list}
        caption={t('title')}
        columns={columns}
        rowKey={(row) => `${row.txid}-${row.position}`}
        detail={(row) => <TransferDetail row={row} />}
        page={place.page}
        onPage={(page) => place.show('overview', { verdict, page })}
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

function useColumns(): Column<ObservedTransfer>[] {
  const { t } = useTranslation(['console/deposits', 'ui'])
  return [
    { key: 'date', header: t('console/deposits:date'), cell: (row) => formats.dateTime(row.date) },
    {
      key: 'verdict',
      header: t('console/deposits:verdictTitle'),
      cell: (row) => (
        <span className={`badge ${row.verdict === 'credit' ? 'badge-ok' : 'badge-wait'}`}>
          {t(`console/deposits:verdict.${row.verdict}`)}
        </span>
      ),
    },
    {
      key: 'member',
      header: t('console/deposits:member'),
      cell: (row) => (row.member === null ? '–' : <Name text={row.member} />),
    },
    {
      key: 'value',
      header: t('console/deposits:value'),
      figure: true,
      cell: (row) => shownValue(row),
    },
    {
      key: 'hash',
      header: t('console/deposits:hash'),
      cell: (row) =>
        row.explorer_url === null ? (
          shortHash(row.txid)
        ) : (
          <a
            href={row.explorer_url}
            target="_blank"
            rel="noreferrer"
            className="hash-link"
            onClick={(event) => event.stopPropagation()}
          >
            {shortHash(row.txid)}
            <IconExternalLink size={14} stroke={1.7} aria-hidden="true" />
            <span className="visually-hidden">{t('ui:opensNewTab')}</span>
          </a>
        ),
    },
  ]
}

function TransferDetail({ row }: { row: ObservedTransfer }) {
  const { t } = useTranslation('console/deposits')
  const facts = [
    ['from', row.from],
    ['to', row.to],
    ['contract', row.contract],
  ] as const
  return (
    <dl className="figures row-detail">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{t(`${name}`)}</dt>
          <dd className="hash">{value}</dd>
        </div>
      ))}
      <div>
        <dt>{t('block')}</dt>
        <dd>{formats.count(row.block)}</dd>
      </div>
    </dl>
  )
}

type Verdict = ObservedTransfer['verdict']

interface DepositsQuery {
  page: number
  verdict: Verdict | null
}

const depositsApi = client.injectEndpoints({
  endpoints: (build) => ({
    deposits: build.query<Page<ObservedTransfer>, DepositsQuery>({
      query: ({ page, verdict }) => ({
        path: `operator/transfers/?page=${page}${verdict === null ? '' : `&verdict=${verdict}`}`,
        fits: conforms(({ pageOf, observedTransfer }) => pageOf(observedTransfer)),
      }),
      providesTags: ['Operator'],
    }),
  }),
})

export const { useDepositsQuery } = depositsApi
