import { useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../ui/Button.tsx'
import { Field } from '../../../ui/Field.tsx'
import { usePlace } from '../../shared/place.ts'
import type { OperatorInvestment } from '../api.ts'
import { InvestmentsTable } from './InvestmentsTable.tsx'
import { ReversalDialog } from './ReversalDialog.tsx'
import './reversals.css'

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
