import type { OperatorTreasury } from '@aval/contract'
import { parseMicro } from '@aval/money'
import { useEffect } from 'react'
import { useForm } from 'react-hook-form'
import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../../../api/failure.ts'
import { AmountField } from '../../../ui/AmountField.tsx'
import { isSome, plainAmount } from '../../../ui/amount.ts'
import { Button } from '../../../ui/Button.tsx'
import { type Column, column, DataTable, figureColumn } from '../../../ui/DataTable.tsx'
import { Fact } from '../../../ui/Fact.tsx'
import { Field } from '../../../ui/Field.tsx'
import { formats } from '../../../ui/format.ts'
import { Money } from '../../../ui/Money.tsx'
import { useFailureText } from '../../../ui/useFailureText.ts'
import { useUnclearAmount } from '../../../ui/useUnclearAmount.ts'
import { useAbilities } from '../../shared/abilities.ts'
import { useDecision } from '../../shared/confirm.ts'
import { Waiting } from '../../shared/Waiting.tsx'
import { useFundPoolMutation } from '../api.ts'
import { forecastOf } from '../forecast.ts'

type Pool = OperatorTreasury['pools'][number]

interface PoolCardProps {
  pool: Pool
  capital: string
  /** Whether a link led here to fund this pool. */
  wanted: boolean
}

/** What a pool has, how long that lasts, what moved in it, and the way to put more in. */
export function PoolCard({ pool, capital, wanted }: PoolCardProps) {
  const { t } = useTranslation('console/treasury')
  const { may } = useAbilities()
  return (
    <section className="card card-pad pool">
      <div className="card-head">
        <h2>{t(`pool.${pool.pool}`)}</h2>
        <span className={`badge ${pool.low ? 'badge-wait' : 'badge-ok'}`}>
          {pool.days === null ? t('pool.unused') : t('pool.days', { count: pool.days })}
        </span>
      </div>
      <p className="muted small">{t(`pool.${pool.pool}Text`)}</p>
      <p className="figure">
        <Money amount={pool.amount} />
      </p>
      <dl className="figures">
        {isSome(pool.awaiting) ? <Fact name={t('pool.awaiting')}>{formats.money(pool.awaiting)}</Fact> : null}
        {isSome(pool.due) ? <Fact name={t('pool.due')}>{formats.money(pool.due)}</Fact> : null}
        <Fact name={t('pool.rate')}>{formats.money(pool.rate)}</Fact>
        {pool.until === null ? null : <Fact name={t('pool.until')}>{formats.day(pool.until)}</Fact>}
      </dl>
      <Waiting subject={`pool:${pool.pool}`} what={t('pool.waits')}>
        {may('treasury.fund') ? <FundForm pool={pool} capital={capital} wanted={wanted} /> : null}
      </Waiting>
      <details className="small">
        <summary className="muted">{t('pool.movements')}</summary>
        <Movements movements={pool.movements} />
      </details>
    </section>
  )
}

const SHORTEST_REASON = 3

/** What is typed, what it would change, and its way to the server. */
function useFunding({ pool, capital, wanted }: PoolCardProps) {
  const { t } = useTranslation('console/treasury')
  const sayFailure = useFailureText()
  const [fund] = useFundPoolMutation()
  const decided = useDecision(fund)
  const form = useForm({ defaultValues: { amount: '', reason: '' } })
  const { setFocus } = form
  useEffect(() => {
    if (wanted) setFocus('amount')
  }, [wanted, setFocus])
  const submit = form.handleSubmit(async ({ amount: typed, reason }) => {
    const amount = plainAmount(typed) ?? ''
    const what = t(`pool.confirm${pool.pool}`, { amount: formats.money(amount) })
    const answer = await decided.decide(
      { pool: pool.pool, amount, was: pool.amount, reason: reason.trim() },
      { what },
    )
    if (answer === null) return
    const failure = answer.error as Failure | undefined
    if (failure === undefined) {
      toast.success(answer.data?.message ?? '')
      form.reset()
    } else if (failure.status === 422 || failure.status === 400) {
      form.setError('amount', { message: sayFailure(failure) }, { shouldFocus: true })
    } else toast.error(sayFailure(failure))
  })
  const plain = plainAmount(form.watch('amount')) ?? ''
  return { form, submit, busy: decided.busy, plain, forecast: forecastOf(pool, capital, plain) }
}

function FundForm(props: PoolCardProps) {
  const { t } = useTranslation('console/treasury')
  const { capital } = props
  const askBack = useUnclearAmount()
  const { form, submit, busy, plain, forecast } = useFunding(props)
  const validate = (typed: string) => {
    const unclear = askBack(typed)
    if (unclear !== null) return unclear
    const amount = parseMicro(plainAmount(typed) ?? '')
    if (amount === null || amount <= 0n) return t('pool.invalid')
    // Said here, before a code is asked for and used up.
    return amount <= (parseMicro(capital) ?? 0n) || t('pool.tooMuch', { amount: formats.money(capital) })
  }
  return (
    <form className="stack-8" noValidate onSubmit={submit}>
      <AmountField
        label={t('pool.amount')}
        typed={form.watch('amount')}
        onChoose={(text) => form.setValue('amount', text, { shouldValidate: true })}
        hint={t('pool.available', { amount: formats.money(capital) })}
        error={form.formState.errors.amount?.message}
        {...form.register('amount', { validate })}
      />
      <Field
        label={t('pool.reason')}
        autoComplete="off"
        maxLength={200}
        error={form.formState.errors.reason?.message}
        {...form.register('reason', {
          validate: (typed) => typed.trim().length >= SHORTEST_REASON || t('pool.reasonMissing'),
        })}
      />
      <output className="muted small forecast">
        {forecast === null || forecast.isTooMuch ? null : (
          <span>{`${
            forecast.days === null
              ? t('pool.forecast', { amount: formats.money(plain), sum: formats.money(forecast.sum) })
              : t('pool.forecastDays', {
                  amount: formats.money(plain),
                  sum: formats.money(forecast.sum),
                  count: forecast.days,
                })
          } ${t('pool.left', { amount: formats.money(forecast.left) })}`}</span>
        )}
      </output>
      <div>
        <Button type="submit" kind="primary" busy={busy}>
          {t('pool.fund')}
        </Button>
      </div>
    </form>
  )
}

type Movement = Pool['movements'][number]

function Movements({ movements }: { movements: Movement[] }) {
  const { t } = useTranslation('console/treasury')
  if (movements.length === 0) return <p className="muted">{t('pool.none')}</p>
  const figure = (name: 'funded' | 'released' | 'returned') =>
    figureColumn<Movement>(t(`pool.${name}`), (row) => (isSome(row[name]) ? formats.money(row[name]) : '–'))
  const columns: Column<Movement>[] = [
    column(t('pool.day'), (row) => formats.shortDay(row.day)),
    figure('funded'),
    figure('released'),
    figure('returned'),
  ]
  return (
    <DataTable caption={t('pool.movements')} columns={columns} rows={movements} rowKey={({ day }) => day} />
  )
}
