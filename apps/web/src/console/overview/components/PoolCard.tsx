import type { OperatorOverview } from '@aval/contract'
import { parseMicro } from '@aval/money'
import { useEffect } from 'react'
import { useForm } from 'react-hook-form'
import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../../../api/failure.ts'
import { language } from '../../../api/language.ts'
import { plainAmount } from '../../../ui/amount.ts'
import { Button } from '../../../ui/Button.tsx'
import { Field } from '../../../ui/Field.tsx'
import { formats } from '../../../ui/format.ts'
import { Money } from '../../../ui/Money.tsx'
import { useFailureText } from '../../../ui/useFailureText.ts'
import { useDecision } from '../../shared/confirm.ts'
import { useFundPoolMutation } from '../api.ts'

type Pool = OperatorOverview['pools'][number]

interface PoolCardProps {
  pool: Pool
  capital: string
  /** Whether a link led here to fund this pool. */
  wanted: boolean
}

/** A pool: what it holds, what waits for it, and the form that moves company capital into it. */
export function PoolCard({ pool, capital, wanted }: PoolCardProps) {
  const { t } = useTranslation('console/overview')
  const sayFailure = useFailureText()
  const [fund] = useFundPoolMutation()
  const decided = useDecision(fund)
  const form = useForm({ defaultValues: { amount: '' } })
  const { setFocus } = form
  useEffect(() => {
    if (wanted) setFocus('amount')
  }, [wanted, setFocus])
  const waits = (parseMicro(pool.awaiting) ?? 0n) > 0n

  const validate = (typed: string) => {
    const plain = plainAmount(typed, language)
    const amount = plain === null ? null : parseMicro(plain)
    return (amount !== null && amount > 0n) || t('pool.invalid')
  }
  const submit = form.handleSubmit(async ({ amount: typed }) => {
    const amount = plainAmount(typed, language) ?? ''
    const what = t(`confirm.${pool.pool}`, { amount: formats.money(amount) })
    const answer = await decided.decide({ pool: pool.pool, amount }, { what })
    if (answer === null) return
    const failure = answer.error as Failure | undefined
    if (failure === undefined) {
      toast.success(t('pool.funded', { amount: formats.money(amount) }))
      form.reset()
    } else if (failure.status === 422 || failure.status === 400) {
      form.setError('amount', { message: sayFailure(failure) }, { shouldFocus: true })
    } else toast.error(sayFailure(failure))
  })

  return (
    <section className="card card-pad pool">
      <div className="card-head">
        <h2>{t(`pool.${pool.pool}.title`)}</h2>
        <span className={`badge ${waits ? 'badge-wait' : 'badge-ok'}`}>
          {waits ? t('pool.awaiting', { amount: formats.money(pool.awaiting) }) : t('pool.covered')}
        </span>
      </div>
      <p className="muted small">{t(`pool.${pool.pool}.text`)}</p>
      <p className="figure">
        <Money amount={pool.amount} />
      </p>
      <form className="pool-form" noValidate onSubmit={submit}>
        <Field
          label={t('pool.amount')}
          inputMode="decimal"
          autoComplete="off"
          placeholder="0.00"
          suffix="USD"
          hint={t('pool.capital', { amount: formats.money(capital) })}
          error={form.formState.errors.amount?.message}
          {...form.register('amount', { validate })}
        />
        <Button type="submit" kind="primary" busy={decided.busy}>
          {t('pool.fund')}
        </Button>
      </form>
    </section>
  )
}
