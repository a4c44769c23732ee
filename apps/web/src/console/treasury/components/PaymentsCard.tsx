import type { OperatorTreasury } from '@aval/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../ui/Button.tsx'
import { formats } from '../../../ui/format.ts'
import { IconAlertTriangle, IconCircleCheck } from '../../../ui/icons.ts'
import { Link } from '../../../ui/Link.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { useAbilities } from '../../shared/abilities.ts'
import { ReasonDialog } from '../../shared/DecisionForm.tsx'
import { placeLink } from '../../shared/place.ts'
import { Waiting } from '../../shared/Waiting.tsx'
import { useResumePaymentsMutation, useStopPaymentsMutation } from '../api.ts'

const LONGEST = 300

/** Whether payments go on; and the way to stop all of them, or to let them go on. */
export function PaymentsCard({ data: { stop, stops } }: { data: OperatorTreasury }) {
  const { t } = useTranslation('console/treasury')
  const { may } = useAbilities()
  const [asked, setAsked] = useState<'stop' | 'resume' | null>(null)
  const operator = stop?.operator ?? null
  const close = () => setAsked(null)
  return (
    <section className="card card-pad">
      <h2 className="overview-label">{t('payments.title')}</h2>
      {stop === null ? (
        <>
          <Notice kind="ok" icon={IconCircleCheck}>
            {t('payments.on')}
          </Notice>
          <p className="muted small">{t('payments.onText')}</p>
        </>
      ) : (
        <Stopped stop={stop} />
      )}
      {operator === null && may('payments.stop') ? (
        <div>
          <Button kind="danger" onClick={() => setAsked('stop')}>
            {t('payments.stop')}
          </Button>
        </div>
      ) : null}
      {operator === null ? null : (
        <Waiting subject={`payments_stop:${operator.id}`} what={t('payments.resume')}>
          {may('payments.resume') ? (
            <div>
              <Button kind="primary" onClick={() => setAsked('resume')}>
                {t('payments.resume')}
              </Button>
            </div>
          ) : null}
        </Waiting>
      )}
      <Earlier stops={stops} />
      {asked === 'stop' ? <StopDialog onClose={close} /> : null}
      {asked === 'resume' && operator !== null ? <ResumeDialog id={operator.id} onClose={close} /> : null}
    </section>
  )
}

function Stopped({ stop }: { stop: NonNullable<OperatorTreasury['stop']> }) {
  const { t } = useTranslation('console/treasury')
  const { operator, causes, since } = stop
  const others = causes.flatMap((cause) => (cause === 'operator' ? [] : [t(`payments.cause_${cause}`)]))
  return (
    <>
      <Notice kind="bad" icon={IconAlertTriangle} role="status">
        <strong>{t('payments.off', { date: formats.dateTime(since) })}</strong>{' '}
        <span>
          {operator === null
            ? `${others.join(', ')}. ${t('payments.others')}`
            : t('payments.by', {
                name: operator.username,
                date: formats.shortStamp(operator.at),
                reason: operator.reason,
              })}
        </span>
      </Notice>
      {others.length === 0 ? null : (
        <p className="small">
          {operator === null ? null : <span>{`${t('payments.also', { causes: others.join(', ') })}. `}</span>}
          <Link to={placeLink('reserves')}>{t('payments.see')}</Link>
        </p>
      )}
    </>
  )
}

function StopDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('console/treasury')
  const [stop] = useStopPaymentsMutation()
  return (
    <ReasonDialog
      title={t('payments.stopTitle')}
      width={480}
      danger
      submit={t('payments.stopNow')}
      send={stop}
      what={t('payments.stopWhat')}
      bodyOf={(reason) => ({ reason })}
      reason={reasonField(t)}
      onDecided={onClose}
      onClose={onClose}
    >
      <p>{t('payments.stopText')}</p>
    </ReasonDialog>
  )
}

function ResumeDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const { t } = useTranslation('console/treasury')
  const [resume] = useResumePaymentsMutation()
  // The stop that was shown stays the one that is ended, while the page may learn of another.
  const [shown] = useState(id)
  return (
    <ReasonDialog
      title={t('payments.resumeTitle')}
      width={480}
      submit={t('payments.resumeSubmit')}
      send={resume}
      what={t('payments.resumeWhat')}
      bodyOf={(reason) => ({ id: shown, reason })}
      reason={reasonField(t)}
      onDecided={onClose}
      onClose={onClose}
    >
      <p>{t('payments.resumeText')}</p>
    </ReasonDialog>
  )
}

const reasonField = (t: (key: 'payments.reason' | 'payments.hint' | 'payments.missing') => string) => ({
  label: t('payments.reason'),
  hint: t('payments.hint'),
  missing: t('payments.missing'),
  longest: LONGEST,
})

/** Stops that are over. */
function Earlier({ stops }: Pick<OperatorTreasury, 'stops'>) {
  const { t } = useTranslation('console/treasury')
  const over = stops.filter(({ resumed_at }) => resumed_at !== null)
  if (over.length === 0) return null
  return (
    <details className="small">
      <summary className="muted">{t('payments.history')}</summary>
      <ul className="stack-8 earlier">
        {over.map((each) => (
          <li key={each.id}>
            <p>
              <span className="muted">{t('payments.stopped')}</span>{' '}
              <span>
                {t('payments.by', { name: each.by, date: formats.dateTime(each.at), reason: each.reason })}
              </span>
            </p>
            <p>
              <span className="muted">{t('payments.resumed')}</span>{' '}
              <span>
                {t('payments.by', {
                  name: each.resumed_by ?? '',
                  date: formats.dateTime(each.resumed_at ?? ''),
                  reason: each.resume_reason ?? '',
                })}
              </span>
            </p>
          </li>
        ))}
      </ul>
    </details>
  )
}
