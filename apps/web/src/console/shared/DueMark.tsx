import type { QueuedWithdrawal } from '@aval/contract'
import { inOneUnit } from '@aval/contract/deadlines'
import { useTranslation } from 'react-i18next'
import { region } from '../../api/region.ts'
import { IconAlertTriangle, IconClock } from '../../ui/icons.ts'

/** `40 min`, `23 h`, `6 d`: how long something lasts, in whole ones of one unit. */
function lasting(seconds: number): string {
  const { value, unit } = inOneUnit(seconds)
  return new Intl.NumberFormat(region(), { style: 'unit', unit }).format(value)
}

/** `23 h tarde`, `Vence en 40 min`, `quedan 67 h`. */
export function useDueWords(): (
  due: Pick<NonNullable<QueuedWithdrawal['due']>, 'state' | 'seconds'>,
) => string {
  const { t } = useTranslation('console/shared')
  return ({ state, seconds }) => t(`due.${state}`, { time: lasting(seconds) })
}

/** `hace 5 h`; less than a minute is now. */
export function useAgeWords(): (seconds: number) => string {
  const { t } = useTranslation('console/shared')
  return (seconds) => (seconds < 60 ? t('due.now') : t('due.age', { time: lasting(seconds) }))
}

/** How long an open withdrawal has waited, and how long it may: what is late or due soon has a sign and a colour. */
export function DueMark({
  row: { due, age, frozen },
}: {
  row: Pick<QueuedWithdrawal, 'due' | 'age' | 'frozen'>
}) {
  const { t } = useTranslation('console/shared')
  const [sayDue, sayAge] = [useDueWords(), useAgeWords()]
  if (age === null) return null
  const Icon = due?.state === 'late' ? IconAlertTriangle : IconClock
  return (
    <span className="due-mark">
      <span className="muted small">{due?.state === 'later' ? `${sayAge(age)} ·` : sayAge(age)}</span>
      {frozen ? <span className="badge">{t('due.frozen')}</span> : null}
      {due === null ? null : due.state === 'later' ? (
        <span className="muted small">{sayDue(due)}</span>
      ) : (
        <span className={`badge ${due.state === 'late' ? 'badge-bad' : 'badge-wait'}`}>
          <Icon size={13} stroke={1.8} aria-hidden="true" />
          <span>{sayDue(due)}</span>
        </span>
      )}
    </span>
  )
}
