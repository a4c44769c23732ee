import { useEffect, useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Field } from '../../../ui/Field.tsx'
import { IconDownload } from '../../../ui/icons.ts'
import { saveFile } from '../../../ui/saveFile.ts'
import { useFailureToast } from '../../../ui/useFailureToast.tsx'
import { fetchStatement, useBusinessTime } from '../api.ts'
import { brokenDayRule, type DayRange, statementName, thisYear } from '../earnings.ts'
import './statement.css'

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
      const atField = answer.error.fields?.find(({ path }) => path === 'from' || path === 'to')
      if (atField === undefined) sayFailed(answer.error)
      else form.setError(atField.path as keyof DayRange, { message: atField.detail }, { shouldFocus: true })
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
    <form className="statement" noValidate onSubmit={submit}>
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
