import type { Withdrawal } from '@aval/contract'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formats } from '../../../ui/format.ts'
import { IconCheck, IconX } from '../../../ui/icons.ts'
import { OutsideLink } from '../../../ui/OutsideLink.tsx'
import { type Step, stepsOf, underWay } from '../timeline.ts'

/** Says where a withdrawal stands: what is going on now, or how it ended. */
export function useStageWords(): (withdrawal: Withdrawal) => string {
  const { t } = useTranslation('withdrawals')
  return (withdrawal) => {
    const step = underWay(withdrawal)
    if (step === null) return t(`timeline.${withdrawal.stage}`)
    const { confirmations, confirms_needed: needed } = withdrawal
    return t(`now.${step}`, { seen: confirmations ?? 0, needed })
  }
}

export function Timeline({ withdrawal }: { withdrawal: Withdrawal }) {
  const { t } = useTranslation('withdrawals')
  const words = useStageWords()
  return (
    <ol className="timeline" aria-label={t('timeline.label')}>
      {stepsOf(withdrawal).map((step) => (
        <li key={step.stage} data-state={step.state} aria-current={step.state === 'now' ? 'step' : undefined}>
          <span className="centred timeline-mark" aria-hidden="true">
            <Mark state={step.state} />
          </span>
          <div className="timeline-text">
            <p className="timeline-title">
              {step.state === 'now' ? words(withdrawal) : t(`timeline.${step.stage}`)}
            </p>
            <StepNote step={step} withdrawal={withdrawal} />
          </div>
        </li>
      ))}
    </ol>
  )
}

function Mark({ state }: { state: Step['state'] }) {
  if (state === 'done') return <IconCheck size={14} stroke={2.4} />
  if (state === 'ended') return <IconX size={14} stroke={2.4} />
  return state === 'now' ? <span className="spinner" /> : null
}

/** When it happened; or, of the step under way, what there is to know meanwhile. */
function StepNote({ step: { stage, at, state }, withdrawal }: { step: Step; withdrawal: Withdrawal }) {
  const { t } = useTranslation('withdrawals')
  const { reason } = withdrawal
  if (state === 'next') return null
  if (state === 'now') {
    const { due } = withdrawal
    return (
      <>
        {due === null ? null : (
          <Note>
            {t(due.state === 'late' ? 'now.late' : 'now.before', { date: formats.shortStamp(due.at) })}
          </Note>
        )}
        {stage === 'confirming' ? (
          <Note>
            <ExplorerLink withdrawal={withdrawal} />
          </Note>
        ) : null}
      </>
    )
  }
  return (
    <>
      {at === null ? null : (
        <Note>
          <time dateTime={at}>{formats.dateTime(at)}</time>
        </Note>
      )}
      {state === 'ended' && reason !== null ? <Note>{reason}</Note> : null}
      {state === 'done' && stage === 'completed' ? (
        <Note>
          <ExplorerLink withdrawal={withdrawal} />
        </Note>
      ) : null}
    </>
  )
}

function Note({ children }: { children: ReactNode }) {
  return <p className="muted small">{children}</p>
}

function ExplorerLink({ withdrawal }: { withdrawal: Withdrawal }) {
  const { t } = useTranslation('withdrawals')
  if (withdrawal.payment_link === null) return null
  return (
    <OutsideLink href={withdrawal.payment_link} className="small">
      {t('timeline.transaction')}
    </OutsideLink>
  )
}
