import { useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../ui/Button.tsx'
import { Field } from '../../../ui/Field.tsx'
import { TwoLines } from '../../../ui/TwoLines.tsx'
import { usePlace } from '../../shared/place.ts'
import { type OperatorInvestment, useMemberInvestmentsQuery } from '../api.ts'
import { ReversalDialog } from './ReversalDialog.tsx'
import './reversals.css'
import { type Column, PagedTable } from '../../../ui/DataTable.tsx'
import { formats } from '../../../ui/format.ts'
import { Name } from '../../../ui/Name.tsx'
import { EmptyState } from '../../../ui/States.tsx'

/** Investments, newest first, of everybody or of who is searched for; and the way to reverse one. */
export function InvestmentsTab() {
  const place = usePlace()
  const member = place.member
  const [reversing, setReversing] = useState<OperatorInvestment | null>(null)
  const search = useRef<HTMLDivElement>(null)
  const close = () => {
    setReversing(null)
    // The button that opened the dialog is gone when the investment was reversed.
    requestAnimationFrame(() => {
      if (document.activeElement === document.body) search.current?.querySelector('input')?.focus()
    })
  }
  return (
    <>
      <section className="card">
        <div className="search-place" ref={search}>
          <SearchForm
            key={member}
            member={member}
            onSearch={(next) => place.show('investments', { member: next })}
          />
        </div>
        <div className="investments-table">
          <InvestmentsTable
            member={member}
            page={place.page}
            onPage={(page) => place.show('investments', { member, page })}
            onReverse={setReversing}
          />
        </div>
      </section>
      {reversing === null ? null : <ReversalDialog investment={reversing} onClose={close} />}
    </>
  )
}

function SearchForm({ member, onSearch }: { member: string; onSearch: (member: string) => void }) {
  const { t } = useTranslation('console/reversals')
  const form = useForm({ defaultValues: { member } })
  const submit = form.handleSubmit((values) => onSearch(values.member.trim()))
  return (
    <search>
      <form className="search-form" noValidate onSubmit={submit}>
        <Field
          label={t('search')}
          type="search"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={254}
          {...form.register('member')}
        />
        <Button type="submit">{t('find')}</Button>
      </form>
    </search>
  )
}

interface InvestmentsTableProps {
  /** The beginning of a username or an e-mail; empty for everybody. */
  member: string
  page: number
  onPage: (page: number) => void
  onReverse: (investment: OperatorInvestment) => void
}

const TONES = { open: 'badge-wait', settled: 'badge-ok', reversed: '' } as const

function InvestmentsTable({ member, page, onPage, onReverse }: InvestmentsTableProps) {
  const { t } = useTranslation('console/reversals')
  const list = useMemberInvestmentsQuery({ member, page })
  const columns = useColumns(onReverse)
  return (
    <PagedTable
      list={list}
      caption={t('title')}
      columns={columns}
      rowKey={(row) => row.id}
      page={page}
      onPage={onPage}
      empty={<EmptyState text={member === '' ? t('empty') : t('none', { member })} />}
    />
  )
}

function useColumns(onReverse: (investment: OperatorInvestment) => void): Column<OperatorInvestment>[] {
  const { t } = useTranslation('console/reversals')
  return [
    {
      header: t('one'),
      cell: (row) => <TwoLines first={t('number', { id: row.id })} second={<Name text={row.member} />} />,
    },
    { header: t('amount'), figure: true, cell: (row) => <strong>{formats.money(row.amount)}</strong> },
    {
      header: t('date'),
      cell: (row) => (
        <TwoLines first={formats.dateTime(row.date)} second={t(row.from_balance ? 'balance' : 'chain')} />
      ),
    },
    { header: t('stateTitle'), figure: true, cell: (row) => <State row={row} onReverse={onReverse} /> },
  ]
}

interface StateProps {
  row: OperatorInvestment
  onReverse: (investment: OperatorInvestment) => void
}

function State({ row, onReverse }: StateProps) {
  const { t } = useTranslation('console/reversals')
  return (
    <span className="investment-state">
      <span className={`badge ${TONES[row.state]}`}>{t(`state.${row.state}`)}</span>
      {row.state === 'open' ? <span className="muted small">{t('openHint')}</span> : null}
      {row.state === 'settled' ? (
        <Button
          size="small"
          aria-label={t('reverseOne', { id: row.id, member: row.member })}
          onClick={() => onReverse(row)}
        >
          {t('reverse')}
        </Button>
      ) : null}
    </span>
  )
}
