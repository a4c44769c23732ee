import type { PayoutRun } from '@aval/contract'
import { formatMicro } from '@aval/money'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { Button } from '../../../ui/Button.tsx'
import { IconAlertTriangle } from '../../../ui/icons.ts'
import { useFormats } from '../../../ui/useFormats.ts'
import { placeLink } from '../../shared/place.ts'
import { decisionsFor, isShort, prorataOf, type RunDecision } from '../runStages.ts'
import { Reasons } from './RunParts.tsx'

interface HeldPanelProps {
  run: PayoutRun
  onDecide: (decision: RunDecision) => void
}

/** Why a run waits, and what can be done about it. */
export function HeldPanel({ run, onDecide }: HeldPanelProps) {
  const { t } = useTranslation('console/payout-runs')
  const formats = useFormats()
  if (run.state !== 'held') return null
  const decisions = decisionsFor(run)
  const pool = run.kind === 'passive' ? 'profit' : 'commission'
  const share = isShort(run) ? prorataOf(run) : null
  return (
    <div className="held-panel">
      <h3>
        <IconAlertTriangle size={18} stroke={1.6} aria-hidden="true" />
        {t('held.title')}
      </h3>
      <Reasons reasons={run.reasons} />
      {share === null ? null : (
        <p className="muted">
          {t(`held.holds.${pool}`, {
            held: formats.money(formatMicro(share.paid)),
            total: formats.money(formatMicro(share.total)),
            missing: formats.money(formatMicro(share.rest)),
          })}{' '}
          {t(decisions.includes('release') ? 'held.checksFirst' : 'held.goesOn')}
        </p>
      )}
      <div className="held-actions">
        {isShort(run) ? (
          <Link className="button button-primary" to={placeLink('overview', { pool })}>
            {t('held.fund')}
          </Link>
        ) : null}
        {decisions.map((decision) => (
          <Button key={decision} onClick={() => onDecide(decision)}>
            {t(`held.${decision}`)}
          </Button>
        ))}
      </div>
    </div>
  )
}
