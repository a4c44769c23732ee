import type { ObservedTransfer } from '@aval/contract'
import { formatMicro, micro } from '@aval/money'
import { useTranslation } from 'react-i18next'
import type { Column } from '../../../ui/DataTable.tsx'
import type { Formats } from '../../../ui/format.ts'
import { shortHash } from '../../../ui/groups.ts'
import { IconExternalLink } from '../../../ui/icons.ts'
import { Name } from '../../../ui/Name.tsx'
import { PagedTable } from '../../../ui/PagedTable.tsx'
import { EmptyState } from '../../../ui/States.tsx'
import { useFormats } from '../../../ui/useFormats.ts'
import { useTransfersQuery, type Verdict } from '../api.ts'

/** What was not credited comes first: that is what an operator looks for here. */
const VERDICTS: readonly Verdict[] = ['wrong_token', 'zero_value', 'failed', 'wrong_asset', 'credit']

export function verdictFrom(text: string | null): Verdict | null {
  return VERDICTS.find((verdict) => verdict === text) ?? null
}

interface TransfersTableProps {
  page: number
  onPage: (page: number) => void
  verdict: Verdict | null
  onVerdict: (verdict: Verdict | null) => void
}

export function TransfersTable({ page, onPage, verdict, onVerdict }: TransfersTableProps) {
  const { t } = useTranslation('operator')
  const columns = useColumns()
  const list = useTransfersQuery({ page, verdict })
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would look like a form */}
      <div className="chips" role="group" aria-label={t('transfers.filter')}>
        {[null, ...VERDICTS].map((choice) => (
          <button
            key={choice ?? 'all'}
            type="button"
            className="chip"
            aria-pressed={choice === verdict}
            onClick={() => onVerdict(choice)}
          >
            {t(`transfers.verdict.${choice ?? 'all'}`)}
          </button>
        ))}
      </div>
      <PagedTable
        list={list}
        caption={t('transfers.title')}
        columns={columns}
        rowKey={(row) => `${row.txid}-${row.position}`}
        detail={(row) => <TransferDetail row={row} />}
        page={page}
        onPage={onPage}
        empty={<EmptyState text={t(verdict === null ? 'transfers.empty' : 'transfers.none')} />}
      />
    </>
  )
}

/** USDT as an amount; of a token whose decimals nobody vouches for, its smallest units as they are. */
function shownValue({ verdict, value }: ObservedTransfer, formats: Formats): string {
  if (value.includes('.')) return `${formats.exact(value)} USDT`
  const isOurs = verdict === 'credit' && /^\d{1,18}$/.test(value)
  return isOurs ? `${formats.exact(formatMicro(micro(BigInt(value))))} USDT` : value
}

function useColumns(): Column<ObservedTransfer>[] {
  const { t } = useTranslation(['operator', 'ui'])
  const formats = useFormats()
  return [
    { key: 'date', header: t('operator:transfers.date'), cell: (row) => formats.dateTime(row.date) },
    {
      key: 'verdict',
      header: t('operator:transfers.verdictTitle'),
      cell: (row) => (
        <span className={`badge ${row.verdict === 'credit' ? 'badge-ok' : 'badge-wait'}`}>
          {t(`operator:transfers.verdict.${row.verdict}`)}
        </span>
      ),
    },
    {
      key: 'member',
      header: t('operator:transfers.member'),
      cell: (row) => (row.member === null ? '–' : <Name text={row.member} />),
    },
    {
      key: 'value',
      header: t('operator:transfers.value'),
      figure: true,
      cell: (row) => shownValue(row, formats),
    },
    {
      key: 'hash',
      header: t('operator:transfers.hash'),
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
  const { t } = useTranslation('operator')
  const formats = useFormats()
  const facts = [
    ['from', row.from],
    ['to', row.to],
    ['contract', row.contract],
  ] as const
  return (
    <dl className="figures row-detail">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{t(`transfers.${name}`)}</dt>
          <dd className="hash">{value}</dd>
        </div>
      ))}
      <div>
        <dt>{t('transfers.block')}</dt>
        <dd>{formats.count(row.block)}</dd>
      </div>
    </dl>
  )
}
