import type { Payment, PaymentTotals } from '@aval/contract'
import { useDebouncedValue } from '@mantine/hooks'
import { useQueryStates } from 'nuqs'
import { useTranslation } from 'react-i18next'
import { isSome } from '../../../ui/amount.ts'
import { Button } from '../../../ui/Button.tsx'
import { type Column, column, figureColumn, type ListPlace, TwoLines } from '../../../ui/DataTable.tsx'
import { DateField } from '../../../ui/dates/DateField.tsx'
import { Field, SelectField } from '../../../ui/Field.tsx'
import { formats } from '../../../ui/format.ts'
import { Money } from '../../../ui/Money.tsx'
import { Name } from '../../../ui/Name.tsx'
import { EmptyState, Loaded, Skeleton } from '../../../ui/States.tsx'
import { usePaymentsQuery, usePaymentTotalsQuery } from '../api.ts'
import { type Filter, filterQuery, KINDS, NO_FILTER, PLACE, type Place } from '../earnings.ts'
import { brief, PaymentTable, useCells, why } from './PaymentLists.tsx'
import './allPayments.css'

/** Milliseconds without typing before a search is sent. */
const PAUSE = 250

/** Payments of every kind in one list, cut down to what is looked for, and what that comes to. */
export function AllPayments(place: ListPlace) {
  const { t } = useTranslation('earnings')
  const [{ kind, from, to, q }, show] = useQueryStates(PLACE)
  const filter: Filter = { kind, from, to, q }
  const [typed] = useDebouncedValue(q, PAUSE)
  const asked = filterQuery({ ...filter, q: typed })
  const list = usePaymentsQuery({ page: place.page, filter: asked })
  const clear = () => show({ ...NO_FILTER, page: null })
  // What is typed leaves no steps to go back on.
  const change = (next: Partial<Place>) =>
    show({ ...next, page: null }, { history: 'q' in next ? 'replace' : 'push' })
  const nothing = (
    <EmptyState text={t('filter.nothing')} action={<Button onClick={clear}>{t('filter.clear')}</Button>} />
  )
  return (
    <>
      <Filters filter={filter} onChange={change} />
      <Totals asked={asked} />
      <PaymentTable
        {...place}
        tab="all"
        list={list}
        columns={useColumns()}
        brief={brief}
        detail={why}
        {...(asked === '' ? {} : { empty: nothing })}
      />
    </>
  )
}

function Filters({ filter, onChange }: { filter: Filter; onChange: (next: Partial<Place>) => void }) {
  const { t } = useTranslation('earnings')
  const { kind, from, to, q } = filter
  const isCrossed = from !== null && to !== null && from > to
  /** What is not yet a day changes nothing. */
  const day = (which: 'from' | 'to') => (next: string, typed: string) => {
    if (next !== '' || typed === '') onChange({ [which]: next === '' ? null : next })
  }
  return (
    <search className="payment-filters" aria-label={t('filter.label')}>
      <Field
        type="search"
        label={t('filter.person')}
        placeholder={t('filter.personHint')}
        autoComplete="off"
        maxLength={64}
        value={q}
        onChange={(event) => onChange({ q: event.target.value })}
      />
      <SelectField
        label={t('filter.kind')}
        value={kind ?? ''}
        onChange={(event) => onChange({ kind: KINDS.find((one) => one === event.target.value) ?? null })}
      >
        <option value="">{t('filter.everyKind')}</option>
        {KINDS.map((one) => (
          <option key={one} value={one}>
            {t(`kind.${one}`)}
          </option>
        ))}
      </SelectField>
      <DateField label={t('filter.from')} value={from ?? ''} onChange={day('from')} />
      <DateField
        label={t('filter.to')}
        value={to ?? ''}
        error={isCrossed ? t('filter.order') : undefined}
        onChange={day('to')}
      />
    </search>
  )
}

/** What the list comes to: what was received, of how many payments, and what is missing in it. */
function Totals({ asked }: { asked: string }) {
  const { t } = useTranslation('earnings')
  return (
    // biome-ignore lint/a11y/useSemanticElements: no fieldset, nothing is filled in
    <div className="payment-totals" role="group" aria-label={t('totals.label')}>
      <Loaded query={usePaymentTotalsQuery(asked)} hold={<Skeleton width={260} height={44} />}>
        {(totals) => <Sums {...totals} />}
      </Loaded>
    </div>
  )
}

function Sums({ count, received, waiting, taken_back }: PaymentTotals) {
  const { t } = useTranslation('earnings')
  const parts = [t('totals.count', { count, formatted: formats.count(count) })]
  if (isSome(waiting)) parts.push(t('totals.waiting', { amount: formats.money(waiting) }))
  if (isSome(taken_back)) parts.push(t('totals.takenBack', { amount: formats.money(taken_back) }))
  return (
    <>
      <p>
        <span className="muted small">{t('totals.received')}</span>{' '}
        <strong className="payment-received">
          <Money amount={received} />
        </strong>
      </p>
      <p className="muted small">{parts.join(' · ')}</p>
    </>
  )
}

function useColumns(): Column<Payment>[] {
  const { t } = useTranslation('earnings')
  const cells = useCells()
  return [
    cells.date(),
    column(t('column.kind'), (row) => t(`kind.${row.kind}`, { defaultValue: row.kind })),
    column(t('column.what'), (row) => <What row={row} />),
    figureColumn(t('column.level'), (row) => (row.level === null ? '–' : formats.count(row.level))),
    cells.paid(),
  ]
}

/** Whose investment it was and how much; of a payment that no person caused, what it was paid on. */
function What({ row }: { row: Payment }) {
  const { t } = useTranslation('earnings')
  if (row.kind === 'passive') return <span>{t('brief.passive', { amount: formats.money(row.basis) })}</span>
  if (row.kind === 'binary') return <span>{t('brief.binary', { points: formats.points(row.basis) })}</span>
  const invested = t('brief.invested', { amount: formats.money(row.basis) })
  return <TwoLines first={<Name text={row.user_username ?? ''} />} second={invested} />
}
