import type { Withdrawal } from '@aval/contract'
import { useTranslation } from 'react-i18next'

const BADGES: Record<Withdrawal['status'], string> = { 1: 'badge-wait', 2: 'badge-ok', 3: 'badge-bad' }

/** Pending, approved, refused: what members know a withdrawal by. Its stage says the rest. */
export function StatusBadge({ withdrawal }: { withdrawal: Withdrawal }) {
  const { t } = useTranslation('withdrawals')
  return <span className={`badge ${BADGES[withdrawal.status]}`}>{t(`status.${withdrawal.status}`)}</span>
}
