import type { CurrentUser, Dashboard } from '@aval/contract'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formats } from '../../../ui/format.ts'
import { Link } from '../../../ui/Link.tsx'
import { Money } from '../../../ui/Money.tsx'
import { STEP_PLACES, stepsOf } from '../firstSteps.ts'
import './holdings.css'

const isSome = (amount: string) => /[1-9]/.test(amount)

interface HoldingsProps {
  /** Undefined while it is not known who it is. */
  user: CurrentUser | undefined
  data: Dashboard
}

/** What the member has, and what of it is free: the first thing anybody wants to know. What is invested has a card of its own. */
export function Holdings({ user, data }: HoldingsProps) {
  const { t } = useTranslation('dashboard')
  const { total, available, held, pending } = data.holdings
  return (
    <section className="card holdings" aria-label={t('holdings.label')}>
      <div className="holding" data-holding="total">
        <h2 className="muted">{t('holdings.total')}</h2>
        <p className="figure">
          <Money amount={total} />
        </p>
      </div>
      <Part name="available" amount={available}>
        <Link to="/withdrawals" className="button button-secondary button-small">
          {t('holdings.withdraw')}
        </Link>
      </Part>
      {isSome(held) ? <Part name="held" amount={held} /> : null}
      {isSome(pending) ? <Part name="pending" amount={pending} /> : null}
      <StepsLeft user={user} data={data} className="holding" />
    </section>
  )
}

interface PartProps {
  name: 'available' | 'held' | 'pending'
  amount: string
  /** What can be done with it. */
  children?: ReactNode
}

function Part({ name, amount, children }: PartProps) {
  const { t } = useTranslation('dashboard')
  return (
    <div className="holding" data-holding={name}>
      <div>
        <h3 className="muted small">{t(`holdings.${name}`)}</h3>
        <p className="holding-amount">{formats.money(amount)}</p>
      </div>
      {children}
    </div>
  )
}

/**
 * The steps that are left once there is money: beside the holdings, and on a phone below the figures, which they would push down when it
 * is known who it is.
 */
export function StepsLeft({ user, data, className }: HoldingsProps & { className: 'holding' | 'card' }) {
  const { t } = useTranslation('dashboard')
  if (user === undefined) return null
  const left = stepsOf(user, data).flatMap(({ step, isDone }) => (isDone || step === 'invest' ? [] : [step]))
  if (left.length === 0) return null
  return (
    <div className={`${className} steps-left small`}>
      <h3 className="muted small">{t('steps.left')}</h3>
      {left.map((step) => (
        <Link key={step} to={STEP_PLACES[step]}>
          {t(`steps.${step}.title`)}
        </Link>
      ))}
    </div>
  )
}
