import type { Withdrawal, WithdrawalStage } from '@aval/contract'
import { useTranslation } from 'react-i18next'
import { formats } from '../../../ui/format.ts'
import { IconCheck, IconExternalLink, IconX } from '../../../ui/icons.ts'
import { type Step, stepsOf } from '../timeline.ts'
import './timeline.css'

/** The way of a withdrawal, step by step, as far as it has come. */
export function Timeline({ withdrawal }: { withdrawal: Withdrawal }) {
  const { t } = useTranslation('withdrawals')
  return (
    <ol className="timeline" aria-label={t('timeline.label')}>
      {stepsOf(withdrawal).map((step) => (
        <li key={step.stage} data-state={step.state} aria-current={step.state === 'now' ? 'step' : undefined}>
          <span className="timeline-mark" aria-hidden="true">
            <Mark state={step.state} />
          </span>
          <div className="timeline-text">
            <p className="timeline-title">{t(`timeline.${step.stage}`)}</p>
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

/** When it happened; or, of the step under way, what is waited for. */
function StepNote({ step, withdrawal }: { step: Step; withdrawal: Withdrawal }) {
  const { t } = useTranslation('withdrawals')
  const { stage, at, state } = step
  const { confirmations, confirms_needed: needed, reason } = withdrawal
  if (state === 'next') return null
  const blocks =
    stage === 'confirming' && state === 'now'
      ? t('timeline.blocks', { seen: confirmations ?? 0, needed })
      : null
  const waits = state === 'now' ? waitOf(stage) : null
  return (
    <>
      {blocks === null && waits === null && at !== null ? (
        <p className="timeline-note">
          <time dateTime={at}>{formats.dateTime(at)}</time>
        </p>
      ) : null}
      {waits === null ? null : <p className="timeline-note">{t(`waits.${waits}`)}</p>}
      {blocks === null ? null : (
        <p className="timeline-note">
          {blocks} <ExplorerLink withdrawal={withdrawal} />
        </p>
      )}
      {state === 'ended' && reason !== null ? <p className="timeline-note">{reason}</p> : null}
      {stage === 'completed' && state === 'done' ? (
        <p className="timeline-note">
          <ExplorerLink withdrawal={withdrawal} />
        </p>
      ) : null}
    </>
  )
}

/** The steps that something is waited for at, without anything to count. */
function waitOf(stage: WithdrawalStage) {
  return WAITS.find((known) => known === stage) ?? null
}
const WAITS = ['approved', 'signed', 'broadcast', 'completed'] as const

export function ExplorerLink({ withdrawal }: { withdrawal: Withdrawal }) {
  const { t } = useTranslation(['withdrawals', 'ui'])
  if (withdrawal.payment_link === null) return null
  return (
    <a href={withdrawal.payment_link} target="_blank" rel="noreferrer" className="small">
      {t('withdrawals:timeline.transaction')}
      <IconExternalLink size={14} stroke={1.7} aria-hidden="true" />
      <span className="visually-hidden">{t('ui:opensNewTab')}</span>
    </a>
  )
}
