import type { PayoutRun } from '@aval/contract'
import { useTranslation } from 'react-i18next'
import { formats } from '../../../ui/format.ts'
import { investmentsOf, progressOf, progressWords, stageOf } from '../runStages.ts'

const TONES: Partial<Record<ReturnType<typeof stageOf>, string>> = {
  done: 'badge-ok',
  held: 'badge-wait',
  awaiting: 'badge-wait',
  computing: 'badge-accent',
  posting: 'badge-accent',
}

export function StageBadge({ run }: { run: PayoutRun }) {
  const { t } = useTranslation('console/payout-runs')
  const stage = stageOf(run)
  return <span className={`badge ${TONES[stage] ?? ''}`}>{t(`state.${stage}`)}</span>
}

/** What a run is called: its kind, and the day or the investments that it pays. */
export function useRunName(): (run: PayoutRun) => { kind: string; period: string } {
  const { t } = useTranslation('console/payout-runs')
  return (run) => {
    const kind = t(`kind.${run.kind}`)
    const span = investmentsOf(run.period)
    if (span === null) {
      return { kind, period: /^\d{4}-\d\d-\d\d$/.test(run.period) ? formats.day(run.period) : run.period }
    }
    const name = t(span.first === span.last ? 'investment' : 'investments', span)
    const at = formats.shortStamp(run.created_at)
    return { kind: `${kind} · ${at}`, period: run.investor === null ? name : `${name} · ${run.investor}` }
  }
}

/** A thin bar and its words; the stages between the counted ones pass too fast to show any. */
export function RunProgress({ run, name }: { run: PayoutRun; name: string }) {
  const { t } = useTranslation('console/payout-runs')
  const progress = progressOf(run)
  if (progress === null) return null
  const words = progressWords(progress, t, formats)
  return (
    <div className="stack-6">
      <div
        className="bar run-bar"
        role="progressbar"
        aria-label={t('progress.label', { run: name })}
        aria-valuemin={0}
        aria-valuemax={progress.total}
        aria-valuenow={progress.done}
        aria-valuetext={words}
      >
        <span style={{ width: `${progress.share * 100}%` }} />
      </div>
      <p className="muted small">{words}</p>
    </div>
  )
}

export function Reasons({ reasons }: { reasons: PayoutRun['reasons'] }) {
  return (
    <ul className="reasons">
      {reasons.map(({ check, sentence }) => (
        <li key={check}>{sentence}</li>
      ))}
    </ul>
  )
}
