import type { CurrentUser } from '@aval/contract'
import { useCallback, useEffect, useRef, useState } from 'react'
import { type UseFormReturn, useForm } from 'react-hook-form'
import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../../../api/failure.ts'
import { AttemptKey } from '../../../api/idempotency.ts'
import { useCurrentUserQuery } from '../../../api/user.ts'
import { AmountField } from '../../../ui/AmountField.tsx'
import { fieldAmount, isSome, plainAmount } from '../../../ui/amount.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Fact } from '../../../ui/Fact.tsx'
import { formats } from '../../../ui/format.ts'
import { ErrorState, Loaded, type QueryState, Skeleton } from '../../../ui/States.tsx'
import { useDraft } from '../../../ui/useDraft.ts'
import { useFailureToast } from '../../../ui/useFailureToast.tsx'
import { useSingleFlight } from '../../../ui/useSingleFlight.ts'
import { useUnclearAmount } from '../../../ui/useUnclearAmount.ts'
import { type Terms, useCreateInvestmentMutation, useLazyInvoicesQuery, useTermsQuery } from '../api.ts'
import { brokenAmountRule, progressWith, type Quote, quoteOf } from '../quote.ts'
import { PayStep } from './PayStep.tsx'
import '../../../ui/summary.css'
import './invest.css'

interface InvestDialogProps {
  /** Undefined while it is not known who invests. */
  user: CurrentUser | undefined
  start: InvestStart
  onClose: () => void
}

/** Where to begin: at the amount, with the balance chosen or not, or at paying an invoice. */
export type InvestStart = 'amount' | 'balance' | { readonly txnId: string }

export function InvestDialog({ user, start, onClose }: InvestDialogProps) {
  const from = useStart(start)
  if (user === undefined || from === null) return <Waiting onClose={onClose} />
  return <Steps user={user} start={from} onClose={onClose} />
}

/** Where nothing else was chosen it goes on where a payment was left, on whatever device; null until that is known. */
function useStart(start: InvestStart): InvestStart | null {
  const [from, setFrom] = useState<InvestStart | null>(start === 'amount' ? null : start)
  const [ask] = useLazyInvoicesQuery()
  useEffect(() => {
    if (from !== null) return
    void ask().then(({ data }) => {
      const latest = data?.findLast(({ is_open, timeout }) => is_open && timeout > 0)
      setFrom(latest === undefined ? 'amount' : { txnId: latest.txn_id })
    })
  }, [from, ask])
  return from
}

function Waiting({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('investments')
  // Who invests may be known before where to begin.
  const query = { ...useCurrentUserQuery(), data: undefined }
  return (
    <Dialog title={t('dialog.title')} width={460} onClose={onClose}>
      <Loaded query={query} hold={<Hold />} holdAgain />
    </Dialog>
  )
}

/** As high as the first step. */
const Hold = () => (
  <div className="invest-hold">
    <Skeleton width="100%" height="100%" />
  </div>
)

/** Two steps: how much, then where to send it. */
function Steps({ user, start, onClose }: InvestDialogProps & { user: CurrentUser }) {
  const { t } = useTranslation('investments')
  const [at, setAt] = useState(start)
  /** What the amount begins with again. */
  const [kept, setKept] = useState('')
  const startOver = useCallback((amount = '') => {
    setKept(amount)
    setAt('amount')
  }, [])
  return (
    <Dialog title={t('dialog.title')} width={typeof at === 'string' ? 460 : 680} onClose={onClose}>
      {typeof at === 'string' ? (
        <AmountStep
          key={at}
          user={user}
          withBalance={at === 'balance'}
          kept={kept}
          onInvoice={(txnId) => setAt({ txnId })}
          onPaid={onClose}
        />
      ) : (
        <PayStep
          key={at.txnId}
          txnId={at.txnId}
          onStartOver={startOver}
          onInvestBalance={() => setAt('balance')}
          onDone={onClose}
        />
      )}
    </Dialog>
  )
}

interface AmountStepProps {
  user: CurrentUser
  /** Begins with the whole balance as the amount. */
  withBalance: boolean
  /** Plain decimal, or nothing. */
  kept: string
  onInvoice: (txnId: string) => void
  /** The balance paid at once. */
  onPaid: () => void
}

interface Values {
  amount: string
  payPasive: boolean
}

function useAmountForm({ user, withBalance, kept, onInvoice, onPaid }: AmountStepProps) {
  const { t } = useTranslation('investments')
  const sayFailed = useFailureToast()
  const askBack = useUnclearAmount()
  const terms = useTermsQuery()
  const minimum = terms.data?.minimum
  const [create, { isLoading: busy }] = useCreateInvestmentMutation()
  const attempt = useRef(new AttemptKey())
  const payPasive = withBalance && user.balance > 0
  const amount = payPasive ? fieldAmount(String(user.balance)) : kept === '' ? '' : fieldAmount(kept)
  const form = useForm<Values>({ defaultValues: { amount, payPasive }, mode: 'all' })
  const { setFocus } = form
  useEffect(() => setFocus('amount'), [setFocus])
  useSpendable(form, user, terms.data?.balance)
  const typed = form.watch()
  const forget = useAmountDraft(form, user, typed)

  const validate = (typed: string, values: Values) => {
    const unclear = askBack(typed)
    if (unclear !== null) return unclear
    const spendable = terms.data?.balance ?? String(user.balance)
    const balance = values.payPasive ? spendable : null
    const rule = brokenAmountRule(typed, plainAmount(typed), { minimum, balance })
    if (rule === null) return true
    const figures = { minimum: formats.money(minimum ?? 0), balance: formats.money(spendable) }
    return t(`rule.${rule}`, figures)
  }

  const refuse = (failure: Failure) => {
    const atAmount = failure.fields?.find((field) => field.path === 'amount')
    if (atAmount !== undefined) form.setError('amount', { message: atAmount.detail }, { shouldFocus: true })
    sayFailed(failure)
  }

  const send = useSingleFlight(async (values: Values) => {
    const body = { amount: plainAmount(values.amount) ?? '', payPasive: values.payPasive }
    const answer = await create({ ...body, idempotencyKey: attempt.current.for(body) })
    attempt.current.settle((answer.error as Failure | undefined) ?? null)
    if (answer.error !== undefined) return refuse(answer.error as Failure)
    forget()
    if ('result' in answer.data) {
      toast.success(t('toast.created'))
      onInvoice(answer.data.result.txn_id)
      return
    }
    toast.success(t('toast.increased'))
    onPaid()
  })
  return { form, typed, terms, busy, validate, submit: form.handleSubmit(send) }
}

/** What is owed is no money to invest: a whole balance that was filled in before the terms were known becomes what can be spent of it. */
function useSpendable(
  { getValues, setValue }: UseFormReturn<Values>,
  user: CurrentUser,
  spendable: string | undefined,
): void {
  const whole = fieldAmount(String(user.balance))
  useEffect(() => {
    if (spendable === undefined || !getValues('payPasive') || getValues('amount') !== whole) return
    setValue('payPasive', isSome(spendable))
    setValue('amount', isSome(spendable) ? fieldAmount(spendable) : '')
  }, [spendable, whole, getValues, setValue])
}

/** Gives back what was typed before the session ended. */
function useAmountDraft(form: UseFormReturn<Values>, user: CurrentUser, typed: Values): () => void {
  const texts = { amount: typed.amount, payPasive: typed.payPasive ? 'yes' : '' }
  return useDraft('invest', user.id, texts, ({ amount = '', payPasive }) => {
    form.setValue('payPasive', payPasive === 'yes' && user.balance > 0)
    form.setValue('amount', amount, { shouldValidate: amount !== '', shouldDirty: true })
  })
}

/** A line with nothing in it. */
const NOT_YET = '\u00a0'

function AmountStep(props: AmountStepProps) {
  const { t } = useTranslation('investments')
  const { form, typed, terms: asked, busy, validate, submit } = useAmountForm(props)
  const { amount, payPasive } = typed
  const terms = asked.data
  const quote = terms === undefined ? null : quoteOf(plainAmount(amount), terms, payPasive)
  const hint = terms === undefined ? NOT_YET : t('minimum', { minimum: formats.money(terms.minimum) })
  return (
    <form className="stack-16" noValidate onSubmit={submit}>
      <AmountField
        label={t('amount')}
        typed={amount}
        onChoose={(text) =>
          form.setValue('amount', text, { shouldValidate: true, shouldDirty: true, shouldTouch: true })
        }
        className="invest-amount"
        data-autofocus
        error={form.formState.errors.amount?.message}
        hint={hint}
        {...form.register('amount', { validate })}
      />
      <BalanceCheck form={form} balance={terms === undefined ? props.user.balance : Number(terms.balance)} />
      <Summary asked={asked} quote={quote} withBalance={payPasive} />
      <Button type="submit" kind="primary" size="large" wide busy={busy}>
        {t('submit')}
      </Button>
    </form>
  )
}

/** Pays with the passive balance: ticking it takes all of it, which can then be made less; unticking gives back what was typed. */
function BalanceCheck({ form, balance }: { form: UseFormReturn<Values>; balance: number }) {
  const { t } = useTranslation('investments')
  const typed = useRef('')
  if (balance <= 0) return null
  const onChange = (event: { target: { checked: boolean } }) => {
    if (event.target.checked) typed.current = form.getValues('amount')
    form.setValue('amount', event.target.checked ? fieldAmount(String(balance)) : typed.current)
    if (form.getValues('amount') !== '') void form.trigger('amount')
  }
  return (
    <div className="stack-8">
      <label className="check">
        <input type="checkbox" {...form.register('payPasive', { onChange })} />
        <span>
          <span>{t('payPasive')}</span> <span className="muted">{`(${formats.money(balance)})`}</span>
        </span>
      </label>
      {form.watch('payPasive') ? <p className="muted small">{t('payPasiveHint')}</p> : null}
    </div>
  )
}

interface SummaryProps {
  asked: QueryState<Terms>
  quote: Quote | null
  withBalance: boolean
}

/** Amount, fee, what is sent; and what it may bring, said to be an estimate. */
function Summary({ asked, quote, withBalance }: SummaryProps) {
  const { t } = useTranslation('investments')
  const terms = asked.data
  // Without its terms the cost of an amount is not known.
  if (terms === undefined && asked.error !== undefined && !asked.isFetching)
    return (
      <div className="summary panel">
        <ErrorState failure={asked.error as Failure} onRetry={asked.refetch} />
      </div>
    )
  const percent = terms === undefined ? '–' : formats.percent(terms.fee_percentage)
  return (
    <div className="summary panel">
      <dl aria-live="polite" data-empty={quote === null}>
        <Fact name={t('summary.invest')}>{`$${formats.exact(quote?.amount ?? 0)}`}</Fact>
        <Fact name={withBalance ? t('summary.noFee') : t('summary.fee', { percent })}>
          {`+$${formats.exact(quote?.fee ?? 0)}`}
        </Fact>
        <Fact className="summary-total" name={t(withBalance ? 'summary.fromBalance' : 'summary.send')}>
          <span>{formats.exact(quote?.total ?? 0)}</span> <span>{withBalance ? 'USD' : 'USDT'}</span>
        </Fact>
      </dl>
      {terms === undefined ? (
        <p className="invest-note">{NOT_YET}</p>
      ) : (
        <WhatItMeans terms={terms} quote={quote} />
      )}
    </div>
  )
}

/** Until when this part is locked, what stays as it is, and what the press makes of the progress. */
function WhatItMeans({ terms, quote }: { terms: Terms; quote: Quote | null }) {
  const { t } = useTranslation('investments')
  const { now, after } = progressWith(terms, quote?.amount ?? null)
  const next = terms.locked.parts[0]
  return (
    <div className="summary-note invest-note muted small">
      <p>{t('summary.lock', { date: formats.date(terms.unlocks_at), count: terms.lock_days })}</p>
      {next === undefined ? null : (
        <p>
          {t('summary.others', {
            amount: formats.money(terms.locked.amount),
            count: terms.locked.count,
            date: formats.date(next.unlocks_at),
          })}
        </p>
      )}
      {quote === null || Number(terms.invested) === 0 ? null : (
        <p>{t('summary.progress', { now: formats.percent(now), after: formats.percent(after) })}</p>
      )}
      {quote === null ? null : <p>{t('summary.estimate', { daily: formats.money(quote.daily) })}</p>}
    </div>
  )
}
