import type { DeclaredRate, PlanVersion } from '@aval/contract'
import { ratioToPercentText } from '@aval/money'
import { useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../../../api/failure.ts'
import { AttemptKey } from '../../../api/idempotency.ts'
import { Button } from '../../../ui/Button.tsx'
import { Field } from '../../../ui/Field.tsx'
import { useFailureText } from '../../../ui/useFailureText.ts'
import { useFormats } from '../../../ui/useFormats.ts'
import { useConfirm } from '../../shared/codes.ts'
import { FailureNotice } from '../../shared/FailureNotice.tsx'
import { useDeclareRateMutation } from '../api.ts'
import { isDay } from '../days.ts'
import { RATE_DIGITS, readRate } from '../rateForm.ts'
import { RateEstimate, useRateRules } from './RateEstimate.tsx'
import { ZeroDialog } from './ZeroDialog.tsx'

interface RateFormProps {
  versions: PlanVersion[]
  declared: DeclaredRate[]
  firstDay: string
}

interface Values {
  day: string
  percentage: string
}

const EXAMPLE = '0.25'

/** Which field a refusal is about, by its name. */
const FIELD_OF: Partial<Record<string, keyof Values>> = {
  rate_invalid: 'percentage',
  rate_too_high: 'percentage',
  rate_day_paid: 'day',
  dates_invalid: 'day',
}

function useRateForm({ versions, firstDay }: RateFormProps) {
  const { t } = useTranslation('console/plan')
  const formats = useFormats()
  const confirm = useConfirm()
  const sayFailure = useFailureText()
  const [declare, { isLoading: busy }] = useDeclareRateMutation()
  const [failure, setFailure] = useState<Failure | null>(null)
  const [zeroDay, setZeroDay] = useState<string | null>(null)
  const attempt = useRef(new AttemptKey())
  const form = useForm<Values>({ defaultValues: { day: firstDay, percentage: '' } })

  /** False when the operator thought better of it. */
  const send = async (day: string, percentage: string): Promise<boolean> => {
    const body = { day, percentage }
    const answer = await confirm({
      what: t('rates.confirm', {
        percentage: formats.exactPercent(percentage),
        day: formats.day(day),
      }),
      danger: !/[1-9]/.test(percentage),
      send: (otp) => declare({ ...body, otp, idempotencyKey: attempt.current.for(body) }),
    })
    if (answer === null) return false
    const refused = answer.error as Failure | undefined
    attempt.current.settle(refused ?? null)
    const field = FIELD_OF[refused?.code ?? '']
    setFailure(refused !== undefined && field === undefined ? refused : null)
    if (refused !== undefined && field !== undefined)
      form.setError(field, { message: sayFailure(refused) }, { shouldFocus: true })
    if (answer.data !== undefined) {
      toast.success(answer.data.message)
      form.reset({ day, percentage: '' })
    }
    return true
  }
  const submit = form.handleSubmit(async ({ day, percentage: typed }) => {
    const { percentage } = readRate(typed, day, versions)
    if (percentage === null) return
    if (/[1-9]/.test(percentage)) await send(day, percentage)
    else setZeroDay(day)
  })
  const declareZero = async () => {
    if (zeroDay === null || (await send(zeroDay, '0'))) setZeroDay(null)
  }
  return { form, submit, busy, failure, zeroDay, declareZero, keep: () => setZeroDay(null) }
}

export function RateForm(props: RateFormProps) {
  const { t } = useTranslation('console/plan')
  const formats = useFormats()
  const { form, submit, busy, failure, zeroDay, declareZero, keep } = useRateForm(props)
  const { day, percentage } = form.watch()
  const reading = readRate(percentage, day, props.versions)
  const rules = useRateRules(props.versions)
  const replaced = props.declared.find((rate) => rate.day === day)
  const target = reading.target === null ? null : ratioToPercentText(reading.target, RATE_DIGITS)
  const { errors } = form.formState
  return (
    <form className="rate-form" noValidate onSubmit={submit}>
      <Field
        label={t('rates.day')}
        type="date"
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
        {...form.register('day', {
          validate: (text) => isDay(text) || t('rates.dayInvalid'),
          deps: ['percentage'],
        })}
      />
      <Field
        label={t('rates.percentageField')}
        inputMode="decimal"
        autoComplete="off"
        placeholder="0.00"
        suffix={t('rates.suffix')}
        error={errors.percentage?.message}
        hint={
          <>
            {target === null ? null : (
              <span className="rate-target">
                {t('rates.targetHint', { target: formats.exactPercent(target) })}
                {reading.isLeftOut ? ` ${t('rates.weekend')}` : ''}
              </span>
            )}
            {t('rates.unitHint', { example: formats.exactPercent(EXAMPLE) })}
          </>
        }
        {...form.register('percentage', { validate: rules })}
      />
      <RateEstimate reading={reading} />
      <FailureNotice failure={failure} />
      <Button type="submit" kind="primary" busy={busy && zeroDay === null}>
        {t('rates.submit')}
      </Button>
      {zeroDay === null ? null : (
        <ZeroDialog day={zeroDay} busy={busy} onConfirm={declareZero} onClose={keep} />
      )}
    </form>
  )
}
