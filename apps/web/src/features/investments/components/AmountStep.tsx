import type { CurrentUser } from '@aval/contract'
import { useEffect, useRef } from 'react'
import { useForm } from 'react-hook-form'
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

export function AmountStep({ user, onInvoice, onPaid }: AmountStepProps) {
  const { t } = useTranslation(['investments', 'ui'])
  const sayFailure = useFailureText()
  const formats = useFormats()
  const { data: terms } = useTermsQuery()
  const [create, { isLoading }] = useCreateInvestmentMutation()
  const attempt = useRef(new AttemptKey())
  const form = useForm<Values>({ defaultValues: { amount: '', payPasive: false }, mode: 'all' })
  const { amount, payPasive } = form.watch()
  const plain = plainAmount(amount, language)
  const balance = String(user.balance)

  const { setFocus } = form
  useEffect(() => setFocus('amount'), [setFocus])

  const validate = (typed: string, values: Values) => {
    const limits = { minimum: terms?.minimum, balance: values.payPasive ? balance : null }
    const rule = brokenAmountRule(typed, plainAmount(typed, language), limits)
    if (rule === null) return true
    const figures = { minimum: formats.money(terms?.minimum ?? 0), balance: formats.money(balance) }
    return t(`investments:rule.${rule}`, figures)
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
      toast.success(t('investments:toast.created'))
      onInvoice(invoiceFrom(answer.data.result, user.id, Date.now()))
      return
    }
    toast.success(t('investments:toast.increased'))
    onPaid()
  })

  const hint =
    terms === undefined ? undefined : t('investments:minimum', { minimum: formats.money(terms.minimum) })
  return (
    <form className="invest-form" noValidate onSubmit={submit}>
      <Field
        label={t('investments:amount')}
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
      {user.balance > 0 ? (
        <label className="check">
          <input
            type="checkbox"
            {...form.register('payPasive', {
              onChange: (event: { target: { checked: boolean } }) => {
                if (event.target.checked) form.setValue('amount', formats.exact(balance))
                if (event.target.checked || form.getValues('amount') !== '') void form.trigger('amount')
              },
            })}
          />
          <span>
            {t('investments:payPasive')} <span className="muted">({formats.money(balance)})</span>
          </span>
        </label>
      ) : null}
      <Summary
        terms={terms}
        quote={terms === undefined ? null : quoteOf(plain, terms, payPasive)}
        withBalance={payPasive}
      />
      <Button type="submit" kind="primary" size="large" wide busy={isLoading}>
        {t('investments:submit')}
      </Button>
    </form>
  )
}
