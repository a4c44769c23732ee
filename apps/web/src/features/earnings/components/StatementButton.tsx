import { useEffect, useRef, useState } from 'react'
import { Controller, useForm, useWatch } from 'react-hook-form'
import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'
import { useBusinessTime } from '../../../api/businessTime.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { DateField } from '../../../ui/dates/DateField.tsx'
import { SelectField } from '../../../ui/Field.tsx'
import { formats } from '../../../ui/format.ts'
import { IconDownload } from '../../../ui/icons.ts'
import { showRefusedFields } from '../../../ui/refusedFields.ts'
import { saveFile } from '../../../ui/saveFile.ts'
import { useFailureToast } from '../../../ui/useFailureToast.tsx'
import { fetchStatement } from '../api.ts'
import {
  brokenDayRule,
  type DayRange,
  FORMATS,
  type Format,
  type Preset,
  presetsOf,
  statementName,
  thisYear,
} from '../earnings.ts'

/** A member's own ledger as a file: asks between which days, and as what. */
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
          <StatementForm now={now} onDone={() => setOpen(false)} />
        </Dialog>
      ) : null}
    </>
  )
}

interface StatementFormProps {
  now: Date
  onDone: () => void
}

type Values = DayRange & { format: Format }

function useStatementForm({ now, onDone }: StatementFormProps) {
  const sayFailed = useFailureToast()
  const { t } = useTranslation('earnings')
  const form = useForm<Values>({ defaultValues: { ...thisYear(now), format: 'pdf' }, mode: 'onTouched' })
  const shown = useRef(true)
  useEffect(() => {
    shown.current = true
    return () => {
      shown.current = false
    }
  }, [])

  const submit = form.handleSubmit(async ({ format, ...range }) => {
    const answer = await fetchStatement(range, format)
    // Who closed the dialog meanwhile no longer wants the file.
    if (!shown.current) return
    if ('error' in answer) {
      if (!showRefusedFields(form, answer.error)) sayFailed(answer.error)
      return
    }
    saveFile(answer.data, statementName(range, format))
    toast.success(t('statement.done'))
    onDone()
  })
  return { form, submit }
}

function StatementForm(props: StatementFormProps) {
  const { t } = useTranslation('earnings')
  const { form, submit } = useStatementForm(props)
  const { errors, isSubmitting } = form.formState
  const [from, to] = useWatch({ control: form.control, name: ['from', 'to'] })
  const choose = (preset: Preset) => {
    form.setValue('from', preset.from)
    form.setValue('to', preset.to)
    form.clearErrors()
  }
  const validate = (which: keyof DayRange) => (_day: string, range: Values) => {
    const rule = brokenDayRule(which, range)
    return rule === null || t(`statement.rule.${rule}`)
  }
  return (
    <form className="stack-16" noValidate onSubmit={submit}>
      <p className="muted">{t('statement.text')}</p>
      <Presets now={props.now} days={{ from, to }} onChoose={choose} />
      <div className="statement-days">
        <Controller
          name="from"
          control={form.control}
          rules={{ validate: validate('from'), deps: 'to' }}
          render={({ field }) => (
            <DateField {...field} label={t('statement.from')} error={errors.from?.message} />
          )}
        />
        <Controller
          name="to"
          control={form.control}
          rules={{ validate: validate('to') }}
          render={({ field }) => (
            <DateField {...field} label={t('statement.to')} error={errors.to?.message} />
          )}
        />
      </div>
      <fieldset className="segments statement-format">
        <legend className="visually-hidden">{t('statement.format')}</legend>
        {FORMATS.map((format) => (
          <label key={format}>
            <input type="radio" className="visually-hidden" value={format} {...form.register('format')} />
            <span>{t(`statement.as.${format}`)}</span>
          </label>
        ))}
      </fieldset>
      <Button type="submit" kind="primary" size="large" wide busy={isSubmitting}>
        {t('statement.submit')}
      </Button>
    </form>
  )
}

interface PresetsProps {
  now: Date
  days: DayRange
  onChoose: (preset: Preset) => void
}

const OTHER = 'other'

/** Months and the year by name; days that are none of them are other days. */
function Presets({ now, days, onChoose }: PresetsProps) {
  const { t } = useTranslation('earnings')
  const presets = presetsOf(now)
  // In January the month so far is also the year so far: the year comes last, and is what it begins with.
  const current = presets.findLastIndex(({ from, to }) => from === days.from && to === days.to)
  const nameOf = ({ name, month, year }: Preset) => {
    if (name === 'thisYear') return t('statement.preset.thisYear', { year })
    const called = formats.longMonth(month, year)
    return name === 'month' ? called : t(`statement.preset.${name}`, { month: called })
  }
  return (
    <SelectField
      label={t('statement.period')}
      data-autofocus
      value={current < 0 ? OTHER : String(current)}
      onChange={(event) => {
        const chosen = presets[Number(event.target.value)]
        if (chosen !== undefined) onChoose(chosen)
      }}
    >
      {presets.map((preset, place) => (
        <option key={preset.from + preset.name} value={place}>
          {nameOf(preset)}
        </option>
      ))}
      <option value={OTHER} hidden={current >= 0}>
        {t('statement.preset.other')}
      </option>
    </SelectField>
  )
}
