import type { DeclaredRate, PlanVersion } from '@aval/contract'
import { formatMicro, type Micro, ratioToPercentText } from '@aval/money'
import { useState } from 'react'
import { Controller, type UseFormReturn, useForm } from 'react-hook-form'
import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../../../api/failure.ts'
import { Button } from '../../../ui/Button.tsx'
import { type Column, column, figureColumn, PagedTable, TwoLines } from '../../../ui/DataTable.tsx'
import { DateField } from '../../../ui/dates/DateField.tsx'
import { Field } from '../../../ui/Field.tsx'
import { formats } from '../../../ui/format.ts'
import { Name } from '../../../ui/Name.tsx'
import { EmptyState, Loaded, Skeleton } from '../../../ui/States.tsx'
import { useFailureText } from '../../../ui/useFailureText.ts'
import { useDecision } from '../../shared/confirm.ts'
import { DecisionDialog, FailureNotice } from '../../shared/DecisionForm.tsx'
import { usePlace } from '../../shared/place.ts'
import { useDeclareRateMutation, usePlans, useRatesQuery } from '../api.ts'
import { isDay, nextDay, RATE_DIGITS, type RateReading, readRate, SAMPLE, shownRate } from '../planRates.ts'
import { RateCost } from './RateCost.tsx'
import './plan.css'

export function RatesTab() {
  const { t } = useTranslation('console/plan')
  const place = usePlace()
  const list = useRatesQuery(place.page)
  const columns: Column<DeclaredRate>[] = [
    column(t('rates.day'), (row) => formats.day(row.day)),
    figureColumn(t('rates.percentage'), (row) => <strong>{formats.exactPercent(row.percentage)}</strong>),
    figureColumn(t('rates.target'), (row) => (
      <span className="muted">{formats.exactPercent(row.target)}</span>
    )),
    column(t('rates.reason'), (row) => (row.reason === null ? '–' : <Name text={row.reason} />)),
    column(t('rates.by'), (row) => (
      <TwoLines first={<Name text={row.declared_by} />} second={formats.shortStamp(row.declared_at)} />
    )),
  ]
  const wanted = place.day ?? ''
  return (
    <div className="rates">
      <RateCard
        declared={list.data?.results ?? []}
        isNewest={list.data !== undefined && place.page === 1}
        wantedDay={isDay(wanted) ? wanted : null}
      />
      <section className="card">
        <h2 className="table-title">{t('rates.title')}</h2>
        <PagedTable
          list={list}
          caption={t('rates.title')}
          columns={columns}
          rowKey={(row) => row.day}
          page={place.page}
          onPage={(page) => place.show('rates', { page })}
          empty={<EmptyState text={t('rates.empty')} />}
        />
      </section>
    </div>
  )
}

/**
 * The form, once it is known what the plan pays and what day it is.
 *
 * @param declared rates on the page that is shown: those a new one may replace
 * @param isNewest whether that is the first page: on it no day that is newer than its last one is left out
 * @param wantedDay the day that a link led here for
 */
interface RateCardProps extends Pick<RateFormProps, 'declared' | 'isNewest'> {
  wantedDay: string | null
}

function RateCard({ declared, isNewest, wantedDay }: RateCardProps) {
  const { t } = useTranslation('console/plan')
  const { plans, today: day } = usePlans()
  const versions = plans.data
  const known = versions === undefined || day === undefined ? undefined : { versions, day }
  const hold = (
    <div className="rate-form stack-16" aria-busy="true">
      <Skeleton width="100%" height={70} />
      <Skeleton width="100%" height={108} />
      <Skeleton width="100%" height={62} />
      <Skeleton width={130} height={40} />
    </div>
  )
  return (
    <section className="card card-pad stack-6">
      <h2>{t('rates.declare')}</h2>
      <p className="muted small">{t('rates.declareText')}</p>
      <Loaded query={{ ...plans, data: known }} hold={hold}>
        {({ versions, day }) => (
          <RateForm
            key={wantedDay ?? ''}
            versions={versions}
            declared={declared}
            isNewest={isNewest}
            firstDay={wantedDay ?? nextDay(day)}
          />
        )}
      </Loaded>
    </section>
  )
}

interface RateFormProps {
  versions: PlanVersion[]
  declared: DeclaredRate[]
  isNewest: boolean
  firstDay: string
}

interface Values {
  day: string
  percentage: string
  /** Members read it. */
  reason: string
}

const SHORTEST_REASON_CHARACTERS = 3
const LONGEST_REASON_CHARACTERS = 300
const EXAMPLE = '0.25'
const isZero = (percentage: string) => !/[1-9]/.test(percentage)

/** Which field a refusal is about, by its name. */
const FIELD_OF: Partial<Record<string, keyof Values>> = {
  rate_invalid: 'percentage',
  rate_too_high: 'percentage',
  rate_day_paid: 'day',
  dates_invalid: 'day',
  field_required: 'reason',
}

function useRateForm({ versions, declared, isNewest, firstDay }: RateFormProps) {
  const { t } = useTranslation('console/plan')
  const sayFailure = useFailureText()
  const [send] = useDeclareRateMutation()
  const decided = useDecision(send)
  const [zeroDay, setZeroDay] = useState<string | null>(null)
  const form = useForm<Values>({ defaultValues: { day: firstDay, percentage: '', reason: '' } })

  const declare = async (day: string, percentage: string): Promise<void> => {
    const reason = form.getValues('reason').trim()
    const what = t('rates.confirm', { percentage: formats.exactPercent(percentage), day: formats.day(day) })
    const answer = await decided.decide(
      { day, percentage, reason, was: shownRate(declared, isNewest, day) },
      { what, danger: isZero(percentage) },
    )
    if (answer === null) return
    setZeroDay(null)
    const refused = answer.error as Failure | undefined
    const field = FIELD_OF[refused?.code ?? '']
    if (refused !== undefined && field !== undefined)
      form.setError(field, { message: sayFailure(refused) }, { shouldFocus: true })
    if (answer.data === undefined) return
    toast.success(answer.data.message)
    form.reset({ day, percentage: '', reason: '' })
  }
  const submit = form.handleSubmit(async ({ day, percentage: typed }) => {
    const { percentage } = readRate(typed, day, versions)
    if (percentage === null) return
    if (isZero(percentage)) setZeroDay(day)
    else await declare(day, percentage)
  })
  return { form, submit, decided, zeroDay, setZeroDay, declare }
}

function RateForm(props: RateFormProps) {
  const { t } = useTranslation('console/plan')
  const { form, submit, decided, zeroDay, setZeroDay, declare } = useRateForm(props)
  const { day, percentage } = form.watch()
  const reading = readRate(percentage, day, props.versions)
  const rules = useRateRules(props.versions)
  const replaced = props.declared.find((rate) => rate.day === day)
  const { errors } = form.formState
  return (
    <form className="rate-form stack-16" noValidate onSubmit={submit}>
      <Controller
        name="day"
        control={form.control}
        rules={{ validate: (text) => isDay(text) || t('rates.dayInvalid'), deps: ['percentage'] }}
        render={({ field }) => (
          <DateField
            {...field}
            label={t('rates.day')}
            required
            error={errors.day?.message}
            hint={
              replaced === undefined
                ? undefined
                : t('rates.replaces', {
                    percentage: formats.exactPercent(replaced.percentage),
                    name: replaced.declared_by,
                  })
            }
          />
        )}
      />
      <Field
        label={t('rates.percentageField')}
        inputMode="decimal"
        autoComplete="off"
        placeholder={formats.points('0')}
        suffix={t('rates.suffix')}
        error={errors.percentage?.message}
        hint={<RateHint reading={reading} />}
        {...form.register('percentage', { validate: rules })}
      />
      <ReasonField form={form} versions={props.versions} />
      <RateEstimate reading={reading} />
      <RateCost day={day} percentage={reading.isTooHigh || !isDay(day) ? null : reading.percentage} />
      <FailureNotice failure={FIELD_OF[decided.failure?.code ?? ''] === undefined ? decided.failure : null} />
      <Button type="submit" kind="primary" busy={decided.busy && zeroDay === null}>
        {t('rates.submit')}
      </Button>
      {zeroDay === null ? null : (
        // A day that pays nothing is allowed, but never by a slip.
        <DecisionDialog
          title={t('rates.zero.title', { day: formats.day(zeroDay) })}
          width={460}
          decision={{ ...decided, failure: null }}
          submit={t('rates.zero.confirm')}
          danger
          onSubmit={() => void declare(zeroDay, '0')}
          onClose={() => setZeroDay(null)}
        >
          <p>{t('rates.zero.text')}</p>
        </DecisionDialog>
      )}
    </form>
  )
}

interface ReasonFieldProps extends Pick<RateFormProps, 'versions'> {
  form: UseFormReturn<Values>
}

/** Asked for where the day pays less than the plan says. */
function ReasonField({ form, versions }: ReasonFieldProps) {
  const { t } = useTranslation('console/plan')
  return (
    <Field
      label={t('rates.reasonField')}
      hint={t('rates.reasonHint')}
      autoComplete="off"
      maxLength={LONGEST_REASON_CHARACTERS}
      error={form.formState.errors.reason?.message}
      {...form.register('reason', {
        validate: (typed, values) =>
          !readRate(values.percentage, values.day, versions).isLower ||
          typed.trim().length >= SHORTEST_REASON_CHARACTERS ||
          t('rates.reasonMissing'),
      })}
    />
  )
}

function RateHint({ reading }: { reading: RateReading }) {
  const { t } = useTranslation('console/plan')
  const target = reading.target === null ? null : ratioToPercentText(reading.target, RATE_DIGITS)
  return (
    <>
      {target === null ? null : (
        <span className="rate-target">
          {`${t('rates.targetHint', { target: formats.exactPercent(target) })}${reading.isLeftOut ? ` ${t('rates.weekend')}` : ''}`}
        </span>
      )}
      <span>{t('rates.unitHint', { example: formats.exactPercent(EXAMPLE) })}</span>
    </>
  )
}

/** What the sample would get: follows the typing, and says that it is an estimate. */
function RateEstimate({ reading }: { reading: RateReading }) {
  const { t } = useTranslation('console/plan')
  const { estimate, targetEstimate, isTooHigh } = reading
  const principal = formats.money(SAMPLE)
  const shown = (amount: Micro) => `${formats.exact(formatMicro(amount))} USD`
  return (
    <p className="rate-estimate box small" aria-live="polite" data-empty={estimate === null || isTooHigh}>
      {estimate === null || targetEstimate === null
        ? t('rates.estimateNone', { principal })
        : t('rates.estimate', { principal, amount: shown(estimate), target: shown(targetEstimate) })}
    </p>
  )
}

/** The rule of the percentage field, as react-hook-form wants it. */
function useRateRules(versions: PlanVersion[]) {
  const { t } = useTranslation('console/plan')
  return (typed: string, { day }: { day: string }) => {
    const { percentage, target, isTooHigh, estimate } = readRate(typed, day, versions)
    if (percentage === null) return t('rates.invalid', { example: '0.25' })
    if (!isTooHigh || target === null || estimate === null) return true
    return t('rates.tooHigh', {
      target: formats.exactPercent(ratioToPercentText(target, RATE_DIGITS)),
      typed: formats.exactPercent(percentage),
      amount: formats.money(formatMicro(estimate)),
      principal: formats.money(SAMPLE),
    })
  }
}
