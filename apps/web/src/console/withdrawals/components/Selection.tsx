import type { QueuedWithdrawal } from '@aval/contract'
import { formatMicro, type Micro, micro } from '@aval/money'
import { useTranslation } from 'react-i18next'
import { microOf } from '../../../ui/amount.ts'
import { Button } from '../../../ui/Button.tsx'
import { formats } from '../../../ui/format.ts'
import type { WithdrawalDecision } from '../api.ts'

interface SelectionProps {
  rows: readonly QueuedWithdrawal[]
  onDecide: (decision: WithdrawalDecision['decision']) => void
  onClear: () => void
}

export const totalOf = (rows: readonly QueuedWithdrawal[]): Micro =>
  rows.reduce((sum, row) => micro(sum + microOf(row.amount)), micro(0n))

/** What is chosen, and what can be done with all of it at once. */
export function Selection({ rows, onDecide, onClear }: SelectionProps) {
  const { t } = useTranslation('console/withdrawals')
  if (rows.length === 0) return null
  return (
    <div className="queue-selection" role="status">
      <p>
        {t('chosen', { count: rows.length })} <strong>{formats.money(formatMicro(totalOf(rows)))}</strong>
      </p>
      <div className="queue-actions">
        <Button kind="quiet" size="small" onClick={onClear}>
          {t('clear')}
        </Button>
        <Button kind="danger" size="small" onClick={() => onDecide('refuse')}>
          {t('refuse')}
        </Button>
        <Button kind="primary" size="small" onClick={() => onDecide('approve')}>
          {t('approve')}
        </Button>
      </div>
    </div>
  )
}
