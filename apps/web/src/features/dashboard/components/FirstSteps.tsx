import type { CurrentUser, Dashboard } from '@aval/contract'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../ui/Button.tsx'
import { IconCircle, IconCircleCheck } from '../../../ui/icons.ts'
import { Link } from '../../../ui/Link.tsx'
import { STEP_PLACES, stepsOf } from '../firstSteps.ts'
import './firstSteps.css'

interface StepsProps {
  user: CurrentUser
  data: Dashboard
  onInvest: () => void
}

/** What a new member does first, each ticked off by itself once it is done. */
export function FirstSteps({ user, data, onInvest }: StepsProps) {
  const { t } = useTranslation('dashboard')
  const steps = stepsOf(user, data)
  const next = steps.find(({ isDone }) => !isDone)?.step
  const done = steps.filter(({ isDone }) => isDone).length
  return (
    <section className="card steps" aria-label={t('steps.title')}>
      <div className="card-head">
        <h2>{t('steps.title')}</h2>
        <span className="muted small">{t('steps.done', { done, count: steps.length })}</span>
      </div>
      <ol>
        {steps.map(({ step, isDone }) => (
          <li key={step} data-done={isDone} data-next={step === next}>
            {isDone ? (
              <IconCircleCheck size={22} stroke={1.7} aria-hidden="true" />
            ) : (
              <IconCircle size={22} stroke={1.5} aria-hidden="true" />
            )}
            <span className="step-text">
              <span>{t(`steps.${step}.title`)}</span>
              <span className="visually-hidden">{isDone ? `, ${t('steps.isDone')}` : null}</span>
              {isDone ? null : <span className="muted small">{t(`steps.${step}.why`)}</span>}
            </span>
            {isDone ? null : step === 'invest' ? (
              <Button size="small" kind={step === next ? 'primary' : 'secondary'} onClick={onInvest}>
                {t('steps.invest.act')}
              </Button>
            ) : (
              <Link
                to={STEP_PLACES[step]}
                className={`button button-small ${step === next ? 'button-primary' : 'button-secondary'}`}
              >
                {t(`steps.${step}.act`)}
              </Link>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}
