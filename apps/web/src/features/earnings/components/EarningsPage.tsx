import type { CurrentUser } from '@aval/contract'
import { useQueryStates } from 'nuqs'
import { type ComponentType, useEffect, useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../ui/Button.tsx'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import type { ListPlace } from '../../../ui/DataTable.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Field } from '../../../ui/Field.tsx'
import { IconDownload } from '../../../ui/icons.ts'
import { PageHead } from '../../../ui/PageHead.tsx'
import { referralUrl } from '../../../ui/ReferralLink.tsx'
import { showRefusedFields } from '../../../ui/refusedFields.ts'
import { saveFile } from '../../../ui/saveFile.ts'
import { Tabs } from '../../../ui/Tabs.tsx'
import { useFailureToast } from '../../../ui/useFailureToast.tsx'
import {
  fetchStatement,
  useBinaryPaymentsQuery,
  useBinaryPointsQuery,
  useBinaryStandingQuery,
  useBusinessTime,
} from '../api.ts'
import {
  brokenDayRule,
  type DayRange,
  hasBinary,
  NO_FILTER,
  PLACE,
  shownTabs,
  statementName,
  type Tab,
  thisYear,
} from '../earnings.ts'
import { AllPayments } from './AllPayments.tsx'
import { BinaryCard } from './BinaryCard.tsx'
import { EarningsCard } from './EarningsCard.tsx'
import { BinaryList, DirectList, NotPaidList, PassiveList, PointsList } from './PaymentLists.tsx'
import './payments.css'

export function EarningsPage({ user }: { user: CurrentUser | undefined }) {
  const { t } = useTranslation(['earnings', 'ui'])
  return (
    <div className="page-stack">
      <PageHead
        title={t('earnings:title')}
        text={t('earnings:hint')}
        action={
          <div className="row-8 payments-actions">
            {user === undefined ? null : (
              <CopyButton
                text={referralUrl(user.ref_code)}
                label={t('ui:copyLink')}
                confirmation={t('ui:linkCopied')}
                kind="quiet"
              />
            )}
            <StatementButton />
          </div>
        }
      />
      <EarningsCard />
      <Lists />
    </div>
  )
}

const LISTS: Record<Tab, ComponentType<ListPlace>> = {
  direct: DirectList,
  passive: PassiveList,
  all: AllPayments,
  binary: BinaryList,
  points: PointsList,
  'not-paid': NotPaidList,
}

function Lists() {
  const { t } = useTranslation('earnings')
  const [{ tab, page }, show] = useQueryStates(PLACE)
  const tabs = shownTabs(tab, useBinaryData()).map((key) => ({ key, label: t(`tab.${key}`) }))
  const List = LISTS[tab]
  return (
    <section className="card payment-lists" aria-labelledby="my-payments">
      <div className="list-head">
        <h2 id="my-payments">{t('card')}</h2>
        <p className="muted small">{t('text')}</p>
      </div>
      <Tabs
        label={t('card')}
        tabs={tabs}
        current={tab}
        onChange={(next) => show({ ...NO_FILTER, tab: next, page: null })}
      >
        {tab === 'binary' || tab === 'points' ? <BinaryCard /> : null}
        <List page={page} onPage={(next) => show({ page: next })} />
      </Tabs>
    </section>
  )
}

const FIRST_PAGE = 1

/**
 * Whether the member has anything binary to look at; undefined until it is known. The lists are asked only where the
 * summary is empty: all points may have been reversed. A failed call counts as empty.
 */
function useBinaryData(): boolean | undefined {
  const summary = useBinaryStandingQuery()
  const isKnown = summary.data !== undefined && hasBinary(summary.data)
  const skip = isKnown || summary.isLoading
  const payments = useBinaryPaymentsQuery(FIRST_PAGE, { skip })
  const points = useBinaryPointsQuery(FIRST_PAGE, { skip })
  if (isKnown) return true
  if (summary.isLoading || payments.isLoading || points.isLoading) return undefined
  return (payments.data?.count ?? 0) + (points.data?.count ?? 0) > 0
}

/** A member's own ledger as a file: asks between which days. */
export function StatementButton() {
  const { t } = useTranslation('earnings')
  const [open, setOpen] = useState(false)
  const now = useBusinessTime()
  return (
    <>
      <Button
        icon={<IconDownload size={17} stroke={1.7} aria-hidden="true" />}
        disabled={now === undefined}
        onClick={() => setOpen(true)}
      >
        {t('statement.button')}
      </Button>
      {open && now !== undefined ? (
        <Dialog title={t('statement.title')} width={440} onClose={() => setOpen(false)}>
          <StatementForm start={thisYear(now)} onDone={() => setOpen(false)} />
        </Dialog>
      ) : null}
    </>
  )
}

interface StatementFormProps {
  start: DayRange
  onDone: () => void
}

function useStatementForm({ start, onDone }: StatementFormProps) {
  const { t } = useTranslation('earnings')
  const sayFailed = useFailureToast()
  const form = useForm<DayRange>({ defaultValues: start, mode: 'onTouched' })
  const shown = useRef(true)
  useEffect(() => {
    shown.current = true
    return () => {
      shown.current = false
    }
  }, [])

  const validate = (which: keyof DayRange) => (_day: string, range: DayRange) => {
    const rule = brokenDayRule(which, range)
    return rule === null || t(`statement.rule.${rule}`)
  }
  const submit = form.handleSubmit(async (range) => {
    const answer = await fetchStatement(range)
    // Who closed the dialog meanwhile no longer wants the file.
    if (!shown.current) return
    if ('error' in answer) {
      if (!showRefusedFields(form, answer.error)) sayFailed(answer.error)
      return
    }
    saveFile(answer.data, statementName(range))
    toast.success(t('statement.done'))
    onDone()
  })
  return { form, validate, submit }
}

function StatementForm(props: StatementFormProps) {
  const { t } = useTranslation('earnings')
  const { form, validate, submit } = useStatementForm(props)
  const { errors, isSubmitting } = form.formState
  return (
    <form className="stack-16" noValidate onSubmit={submit}>
      <p className="muted">{t('statement.text')}</p>
      <div className="statement-days">
        <Field
          type="date"
          label={t('statement.from')}
          data-autofocus
          error={errors.from?.message}
          {...form.register('from', { validate: validate('from'), deps: 'to' })}
        />
        <Field
          type="date"
          label={t('statement.to')}
          error={errors.to?.message}
          {...form.register('to', { validate: validate('to') })}
        />
      </div>
      <Button type="submit" kind="primary" size="large" wide busy={isSubmitting}>
        {t('statement.submit')}
      </Button>
    </form>
  )
}
