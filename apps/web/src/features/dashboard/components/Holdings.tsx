import type { CurrentUser, Dashboard } from '@aval/contract'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formats } from '../../../ui/format.ts'
import { IconChevronRight } from '../../../ui/icons.ts'
import { Link } from '../../../ui/Link.tsx'
import { Money } from '../../../ui/Money.tsx'
import { STEP_PLACES, stepsOf } from '../firstSteps.ts'
import './holdings.css'

const isSome = (amount: string) => /[1-9]/.test(amount)

/** What the member has, and where it stands: the first thing anybody wants to know. */
export function Holdings({ data }: { data: Dashboard }) {
  const { t } = useTranslation('dashboard')
  const { total, available, invested, held, pending } = data.holdings
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
      <Part
        name="invested"
        amount={invested}
        note={
          data.withdrawable_date === null || data.locked.count === 0
            ? undefined
            : t('holdings.unlocks', { date: formats.date(data.withdrawable_date) })
        }
      />
      {isSome(held) ? <Part name="held" amount={held} /> : null}
      {isSome(pending) ? <Part name="pending" amount={pending} /> : null}
    </section>
  )
}

interface PartProps {
  name: 'available' | 'invested' | 'held' | 'pending'
  amount: string
  note?: string | undefined
  /** What can be done with it. */
  children?: ReactNode
}

function Part({ name, amount, note, children }: PartProps) {
  const { t } = useTranslation('dashboard')
  return (
    <div className="holding" data-holding={name}>
      <div>
        <h3 className="muted small">{t(`holdings.${name}`)}</h3>
        <p className="holding-amount">{formats.money(amount)}</p>
        {note === undefined ? null : <p className="faint tiny">{note}</p>}
      </div>
      {children}
    </div>
  )
}

/** The steps that are left once there is money, in one line. */
export function StepsLeft({ user, data }: { user: CurrentUser; data: Dashboard }) {
  const { t } = useTranslation('dashboard')
  const left = stepsOf(user, data).flatMap(({ step, isDone }) => (isDone || step === 'invest' ? [] : [step]))
  if (left.length === 0) return null
  return (
    <div className="card steps-left small">
      <span className="muted">{t('steps.left')}</span>
      {left.map((step) => (
        <Link key={step} to={STEP_PLACES[step]}>
          <span>{t(`steps.${step}.title`)}</span>
          <IconChevronRight size={14} stroke={1.7} aria-hidden="true" />
        </Link>
      ))}
    </div>
  )
}
