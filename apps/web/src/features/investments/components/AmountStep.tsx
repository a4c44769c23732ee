import type { CurrentUser } from '@aval/contract'
import { useEffect, useRef } from 'react'
import { type UseFormReturn, useForm } from 'react-hook-form'
import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../../../api/failure.ts'
import { AttemptKey } from '../../../api/idempotency.ts'
import { language } from '../../../api/language.ts'
import { plainAmount } from '../../../ui/amount.ts'
import { Button } from '../../../ui/Button.tsx'
import { Field } from '../../../ui/Field.tsx'
import { useFailureText } from '../../../ui/useFailureText.ts'
import { useFormats } from '../../../ui/useFormats.ts'
import { useCreateInvestmentMutation, useTermsQuery } from '../api.ts'
import { invoiceFrom, type OpenInvoice } from '../openInvoice.ts'
import { brokenAmountRule, quoteOf } from '../quote.ts'
import { Summary } from './Summary.tsx'

interface AmountStepProps {
  user: CurrentUser
  onInvoice: (invoice: OpenInvoice) => void
  /** The balance paid at once. */
  onPaid: () => void
}

interface Values {
  amount: string
  payPasive: boolean
}

/** The form, its rules, and what happens with an amount that keeps them. */
function useAmountForm({ user, onInvoice, onPaid }: AmountStepProps) {
  const { t } = useTranslation('investments')
  const sayFailure = useFailureText()
  const formats = useFormats()
  const { data: terms } = useTermsQuery()
  const [create, { isLoading: busy }] = useCreateInvestmentMutation()
  const attempt = useRef(new AttemptKey())
  const form = useForm<Values>({ defaultValues: { amount: '', payPasive: false }, mode: 'all' })
  const { setFocus } = form
  useEffect(() => setFocus('amount'), [setFocus])

  const validate = (typed: string, values: Values) => {
    const balance = values.payPasive ? String(user.balance) : null
    const rule = brokenAmountRule(typed, plainAmount(typed, language), { minimum: terms?.minimum, balance })
    if (rule === null) return true
    const figures = { minimum: formats.money(terms?.minimum ?? 0), balance: formats.money(user.balance) }
    return t(`rule.${rule}`, figures)
  }

  const refuse = (failure: Failure) => {
    const atAmount = failure.fields?.find((field) => field.path === 'amount')
    if (atAmount === undefined) toast.error(sayFailure(failure))
    else form.setError('amount', { message: atAmount.detail }, { shouldFocus: true })
  }

  const submit = form.handleSubmit(async (values) => {
    const body = { amount: plainAmount(values.amount, language) ?? '', payPasive: values.payPasive }
    const answer = await create({ ...body, idempotencyKey: attempt.current.for(body) })
    attempt.current.settle((answer.error as Failure | undefined) ?? null)
    if (answer.error !== undefined) return refuse(answer.error as Failure)
    if ('result' in answer.data) {
      toast.success(t('toast.created'))
      onInvoice(invoiceFrom(answer.data.result, user.id, Date.now()))
      return
    }
    toast.success(t('toast.increased'))
    onPaid()
  })
  return { form, terms, busy, validate, submit }
}

export function AmountStep(props: AmountStepProps) {
  const { t } = useTranslation('investments')
  const formats = useFormats()
  const { form, terms, busy, validate, submit } = useAmountForm(props)
  const { amount, payPasive } = form.watch()
  const quote = terms === undefined ? null : quoteOf(plainAmount(amount, language), terms, payPasive)
  const hint = terms === undefined ? undefined : t('minimum', { minimum: formats.money(terms.minimum) })
  return (
    <form className="invest-form" noValidate onSubmit={submit}>
      <Field
        label={t('amount')}
        inputMode="decimal"
        autoComplete="off"
        placeholder="0.00"
        suffix="USD"
        className="invest-amount"
        data-autofocus
        error={form.formState.errors.amount?.message}
        hint={hint}
        {...form.register('amount', { validate })}
      />
      <BalanceCheck form={form} balance={props.user.balance} />
      <Summary terms={terms} quote={quote} withBalance={payPasive} />
      <Button type="submit" kind="primary" size="large" wide busy={busy}>
        {t('submit')}
      </Button>
    </form>
  )
}

/** Pays with the passive balance: ticking it takes all of it, which can then be made less. */
function BalanceCheck({ form, balance }: { form: UseFormReturn<Values>; balance: number }) {
  const { t } = useTranslation('investments')
  const formats = useFormats()
  if (balance <= 0) return null
  const onChange = (event: { target: { checked: boolean } }) => {
    if (event.target.checked) form.setValue('amount', formats.exact(balance))
    if (form.getValues('amount') !== '') void form.trigger('amount')
  }
  return (
    <label className="check">
      <input type="checkbox" {...form.register('payPasive', { onChange })} />
      <span>
        {t('payPasive')} <span className="muted">({formats.money(balance)})</span>
      </span>
    </label>
  )
}
