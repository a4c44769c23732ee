import type { QueuedWithdrawal } from '@aval/contract'
import { useTranslation } from 'react-i18next'
import { formats } from '../../ui/format.ts'
import { IconAlertTriangle, IconClock } from '../../ui/icons.ts'

/** `23 h tarde`, `Vence en 40 min`, `quedan 67 h`. */
export function useDueWords(): (
  due: Pick<NonNullable<QueuedWithdrawal['due']>, 'state' | 'seconds'>,
) => string {
  const { t } = useTranslation('console/shared')
  return ({ state, seconds }) => t(`due.${state}`, { time: formats.lasting(seconds) })
}

/** How long an open withdrawal has waited, and how long it may: what is late or due soon has a sign and a colour. */
export function DueMark({
  row: { due, age, frozen },
}: {
  row: Pick<QueuedWithdrawal, 'due' | 'age' | 'frozen'>
}) {
  const { t } = useTranslation('console/shared')
  const sayDue = useDueWords()
  if (age === null) return null
  const Icon = due?.state === 'late' ? IconAlertTriangle : IconClock
  return (
    <span className="due-mark">
      <span className="muted small">{t('due.age', { time: formats.lasting(age) })}</span>
      {frozen ? <span className="badge">{t('due.frozen')}</span> : null}
      {due === null ? null : due.state === 'later' ? (
        <span className="muted small">{`· ${sayDue(due)}`}</span>
      ) : (
        <span className={`badge ${due.state === 'late' ? 'badge-bad' : 'badge-wait'}`}>
          <Icon size={13} stroke={1.8} aria-hidden="true" />
          <span>{sayDue(due)}</span>
        </span>
      )}
    </span>
  )
}
