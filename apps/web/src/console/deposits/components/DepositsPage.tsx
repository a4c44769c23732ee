import type { DepositFate, ObservedTransfer } from '@aval/contract'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../ui/Button.tsx'
import { type Column, column, figureColumn, TwoLines } from '../../../ui/DataTable.tsx'
import { DateField } from '../../../ui/dates/DateField.tsx'
import { Field } from '../../../ui/Field.tsx'
import { formats, shortHash } from '../../../ui/format.ts'
import { OutsideLink } from '../../../ui/OutsideLink.tsx'
import { EmptyState } from '../../../ui/States.tsx'
import { ExportButton } from '../../shared/export/ExportButton.tsx'
import { FilteredTable } from '../../shared/FilteredTable.tsx'
import { MemberName } from '../../shared/MemberName.tsx'
import { usePlace } from '../../shared/place.ts'
import { type DepositFilter, depositQuery, useDepositsQuery } from '../api.ts'
import { DepositDetail, hasLapsed, ReviewDialog } from './DepositDetail.tsx'
import './deposits.css'

/** What needs a person comes first. */
const FATES: readonly DepositFate[] = [
  'waiting',
  'part',
  'late',
  'no_invoice',
  'overpaid',
  'unclaimed',
  'wrong_token',
  'wrong_asset',
  'failed',
  'zero_value',
  'paid',
  'company',
  'refill',
]

const BADGE: Partial<Record<DepositFate, string>> = {
  paid: 'badge-ok',
  company: 'badge-ok',
  refill: 'badge-ok',
  unclaimed: 'badge-bad',
  wrong_token: 'badge-bad',
  wrong_asset: 'badge-bad',
  failed: 'badge-bad',
}

/** Every transfer that came to one of our addresses, and what became of it. */
export function DepositsPage() {
  const { t } = useTranslation('console/deposits')
  const place = usePlace()
  const filter: DepositFilter = {
    page: place.page,
    fate: FATES.find((name) => name === place.fate) ?? null,
    search: place.search,
    from: place.from,
    to: place.to,
    open: place.open === '1',
  }
  const list = useDepositsQuery(filter)
  const [reviewing, setReviewing] = useState<ObservedTransfer | null>(null)
  const show = (change: Partial<DepositFilter>) => {
    const { open, ...next } = { ...filter, page: 1, ...change }
    void place.show('deposits', { ...next, open: open ? '1' : null })
  }
  const isFiltered =
    filter.fate !== null || filter.search !== '' || place.from !== null || place.to !== null || filter.open
  return (
    <>
      <section className="card">
        <FilterForm
          key={`${place.search} ${place.from} ${place.to}`}
          filter={filter}
          onShow={show}
          isFiltered={isFiltered}
        />
        <FilteredTable
          filter={t('filter')}
          choices={[null, ...FATES]}
          current={filter.fate}
          textOf={(choice) => t(`fate.${choice ?? 'all'}`)}
          onShow={(fate, page) => show({ fate, page })}
          list={list}
          tools={
            <ExportButton path={`operator/transfers/export/?${depositQuery({ ...filter, page: null })}`} />
          }
          caption={t('title')}
          columns={useColumns()}
          rowKey={(row) => `${row.txid}-${row.position}`}
          led={ledIn(place.search, list.currentData?.results)}
          detail={(row) => <DepositDetail row={row} onReview={() => setReviewing(row)} />}
          page={place.page}
          empty={<EmptyState text={t(isFiltered ? 'none' : 'empty')} />}
        />
        {list.currentData === undefined || list.currentData.results.length === 0 ? null : (
          <p className="deposits-sum muted small">
            {list.currentData.sum === null
              ? t('sumMore', { count: list.currentData.count })
              : t('sum', { count: list.currentData.count, amount: formats.money(list.currentData.sum) })}
          </p>
        )}
      </section>
      {reviewing === null ? null : <ReviewDialog row={reviewing} onClose={() => setReviewing(null)} />}
    </>
  )
}

/** Who looks for a transaction looks for its row. */
function ledIn(search: string, rows: readonly ObservedTransfer[] | undefined): string | undefined {
  const row = rows?.find(({ txid }) => txid === search.toLowerCase())
  return row === undefined ? undefined : `${row.txid}-${row.position}`
}

function useColumns(): Column<ObservedTransfer>[] {
  const { t } = useTranslation('console/deposits')
  return [
    column(t('date'), (row) => formats.dateTime(row.date)),
    column(t('fateTitle'), (row) => (
      <span className={`badge ${BADGE[row.fate] ?? 'badge-wait'}`}>{t(`fate.${row.fate}`)}</span>
    )),
    column(t('member'), ({ member }) =>
      member === null ? t('company') : <MemberName id={member.id} username={member.username} />,
    ),
    figureColumn(t('value'), (row) => <ShownValue row={row} />),
    column(t('hash'), (row) => (
      <OutsideLink href={row.explorer_url} className="outside-link nowrap">
        {shortHash(row.txid)}
      </OutsideLink>
    )),
  ]
}

/** USDT as an amount, with what it left open; of a token whose decimals are not known, its smallest units. */
function ShownValue({ row }: { row: ObservedTransfer }) {
  const { t } = useTranslation('console/deposits')
  if (row.amount === null) return <TwoLines first={formats.decimal(row.value)} second={t('raw')} />
  const amount = <strong>{`${formats.exact(row.amount)} USDT`}</strong>
  if (row.fate === 'part' && row.invoice !== null)
    return <TwoLines first={amount} second={<Part row={row} />} />
  if (row.fate === 'overpaid' && row.to_balance !== null)
    return <TwoLines first={amount} second={t('rest', { amount: formats.money(row.to_balance) })} />
  return amount
}

/** What a part did: so much of its invoice, or nothing for it, because that ended before it was complete. */
function Part({ row: { amount, invoice } }: { row: ObservedTransfer }) {
  const { t } = useTranslation('console/deposits')
  const sums = { part: formats.money(amount ?? 0), due: formats.money(invoice?.due ?? 0) }
  return <span>{t(hasLapsed(invoice) ? 'lapsed' : 'part', sums)}</span>
}

interface FilterFormProps {
  filter: DepositFilter
  isFiltered: boolean
  onShow: (change: Partial<DepositFilter>) => void
}

function FilterForm({ filter, isFiltered, onShow }: FilterFormProps) {
  const { t } = useTranslation('console/deposits')
  const form = useForm({ defaultValues: { search: filter.search } })
  const submit = form.handleSubmit(({ search }) => onShow({ search: search.trim() }))
  const all = { fate: null, search: '', from: null, to: null, open: false }
  return (
    <search className="deposits-filter">
      <form className="search-form" noValidate onSubmit={submit}>
        <Field
          label={t('search')}
          type="search"
          autoComplete="off"
          maxLength={254}
          {...form.register('search')}
        />
        <Button type="submit">{t('find')}</Button>
      </form>
      <div className="deposits-days">
        <DateField
          label={t('from')}
          value={filter.from ?? ''}
          onChange={(day) => onShow({ from: day === '' ? null : day })}
        />
        <DateField
          label={t('to')}
          value={filter.to ?? ''}
          onChange={(day) => onShow({ to: day === '' ? null : day })}
        />
        <button
          type="button"
          className="chip small"
          aria-pressed={filter.open}
          onClick={() => onShow({ open: !filter.open })}
        >
          {t('open')}
        </button>
        {isFiltered ? (
          <Button size="small" onClick={() => onShow(all)}>
            {t('clear')}
          </Button>
        ) : null}
      </div>
    </search>
  )
}
