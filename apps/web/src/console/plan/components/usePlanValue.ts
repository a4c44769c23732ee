import { parseMicro } from '@aval/money'
import { useTranslation } from 'react-i18next'
import { formats } from '../../../ui/format.ts'
import { type FieldKind, type PlanValue, thresholdOf } from '../planFields.ts'

/** Says a setting of a plan in words: amounts with their currency, spans with their unit. */
export function usePlanValue(): (kind: FieldKind, value: PlanValue) => string {
  const { t } = useTranslation('console/plan')
  const percent = (text: string) => (/^\d+(\.\d+)?$/.test(text) ? formats.exactPercent(text) : text)
  const whole = (text: string) => (/^\d{1,9}$/.test(text) ? formats.count(Number(text)) : text)
  const text = (kind: FieldKind, value: string): string => {
    switch (kind) {
      case 'amount':
        return parseMicro(value) === null ? value : `$${formats.exact(value)}`
      case 'percent':
        return percent(value)
      case 'multiple':
        return `${value}×`
      case 'days':
      case 'minutes':
        return t(`${kind}`, { count: Number(value), shown: whole(value) })
      case 'count':
        return whole(value)
      default:
        return value
    }
  }
  const threshold = (stored: string): string => {
    const { from, operators } = thresholdOf(stored)
    const count = /^\d$/.test(operators) ? Number(operators) : 0
    return `${text('amount', from)}: ${t('operators', { count })}`
  }
  return (kind, value) => {
    if (kind === 'toggle') return t(value === true ? 'on' : 'off')
    if (kind === 'multiple' && (value === null || value === undefined)) return t('none')
    if (value === null || value === undefined || typeof value === 'boolean') return t('unsaid')
    if (typeof value === 'string') return text(kind, value)
    return kind === 'approvals' ? value.map(threshold).join(' · ') : value.map(percent).join(' · ')
  }
}
