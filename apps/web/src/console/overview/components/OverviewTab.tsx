import type { OperatorOverview } from '@aval/contract'
import { parseMicro } from '@aval/money'
import { type ReactNode, useEffect } from 'react'
import { useForm } from 'react-hook-form'
import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../../../api/failure.ts'
import { language } from '../../../api/language.ts'
import { Address } from '../../../ui/Address.tsx'
import { AmountField } from '../../../ui/AmountField.tsx'
import { plainAmount } from '../../../ui/amount.ts'
import { Button } from '../../../ui/Button.tsx'
import { Fact } from '../../../ui/Fact.tsx'
import { formats } from '../../../ui/format.ts'
import { Money } from '../../../ui/Money.tsx'
import { Loaded, SkeletonCard } from '../../../ui/States.tsx'
import { useFailureText } from '../../../ui/useFailureText.ts'
import { useUnclearAmount } from '../../../ui/useUnclearAmount.ts'
import { CopiedFact } from '../../shared/CopiedFact.tsx'
import { useDecision } from '../../shared/confirm.ts'
import { usePlace } from '../../shared/place.ts'
import { useFundPoolMutation, useOverviewQuery } from '../api.ts'

/** @param notice of payout runs that wait for a decision */
export function OverviewTab({ notice, deposits }: { notice: ReactNode; deposits: ReactNode }) {
  const place = usePlace()
  return (
    <>
      {notice}
      <Loaded query={useOverviewQuery()} hold={<OverviewSkeleton />} card>
        {(data) => (
          <>
            <OverviewCards data={data} />
            <div className="pools">
              {data.pools.map((pool) => (
                <PoolCard
                  key={pool.pool}
                  pool={pool}
                  capital={data.company_capital}
                  wanted={place.pool === pool.pool}
                />
              ))}
            </div>
          </>
        )}
      </Loaded>
      {deposits}
    </>
  )
}

const HELD = ['principal', 'balances', 'held', 'pending', 'company_revenue', 'company_capital'] as const

function OverviewCards({ data }: { data: OperatorOverview }) {
  const { t } = useTranslation('console/overview')
  return (
    <div className="overview">
      <section className="card card-pad">
        <h2 className="overview-label">{t('custody')}</h2>
        <p className="figure">
          <Money amount={data.custody} />
        </p>
        <dl className="figures">
          {HELD.map((name) => (
            <Fact key={name} name={t(`${name}`)}>
              {formats.money(data[name])}
            </Fact>
          ))}
          {data.pools.map((pool) => (
            <Fact key={pool.pool} name={t(`pool.${pool.pool}.title`)}>
              {formats.money(pool.amount)}
            </Fact>
          ))}
        </dl>
        <dl className="figures owed">
          <Fact name={t('receivables')} note={t('receivablesNote')}>
            {formats.money(data.receivables)}
          </Fact>
        </dl>
      </section>
      <ChainCard data={data} />
    </div>
  )
}

/** More solid blocks than these unread, and the gateway lags. */
const LAG = 5

function ChainCard({ data }: { data: OperatorOverview }) {
  const { t } = useTranslation('console/overview')
  const { head, solid, scanned } = data.chain
  const behind = Math.max(0, solid - scanned)
  return (
    <section className="card card-pad">
      <div className="card-head">
        <h2 className="overview-label">{t('chain')}</h2>
        <span className={`badge ${behind > LAG ? 'badge-wait' : 'badge-ok'}`}>
          {behind > LAG ? t('behind', { count: behind }) : t('upToDate')}
        </span>
      </div>
      <dl className="figures">
        <Fact name={t('head')}>{formats.count(head)}</Fact>
        <Fact name={t('solid')}>{formats.count(solid)}</Fact>
        <Fact name={t('scanned')}>{formats.count(scanned)}</Fact>
        <Fact name={t('members')}>{formats.count(data.members)}</Fact>
      </dl>
      <CopiedFact
        name={t('address')}
        value={data.company_address}
        copy={t('copyAddress')}
        confirmation={t('addressCopied')}
      >
        <Address value={data.company_address} />
      </CopiedFact>
    </section>
  )
}

function OverviewSkeleton() {
  return (
    <div className="overview">
      <SkeletonCard
        bars={[
          [120, 14],
          [220, 30],
          ['100%', 180],
        ]}
      />
      <SkeletonCard
        bars={[
          [120, 14],
          ['100%', 210],
        ]}
      />
    </div>
  )
}

interface PoolCardProps {
  pool: OperatorOverview['pools'][number]
  capital: string
  /** Whether a link led here to fund this pool. */
  wanted: boolean
}

function PoolCard({ pool, capital, wanted }: PoolCardProps) {
  const { t } = useTranslation('console/overview')
  const sayFailure = useFailureText()
  const [fund] = useFundPoolMutation()
  const decided = useDecision(fund)
  const askBack = useUnclearAmount()
  const form = useForm({ defaultValues: { amount: '' } })
  const { setFocus } = form
  useEffect(() => {
    if (wanted) setFocus('amount')
  }, [wanted, setFocus])
  const waits = (parseMicro(pool.awaiting) ?? 0n) > 0n

  const validate = (typed: string) => {
    const unclear = askBack(typed)
    if (unclear !== null) return unclear
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
        <AmountField
          label={t('pool.amount')}
          typed={form.watch('amount')}
          onChoose={(text) => form.setValue('amount', text, { shouldValidate: true })}
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
