import { useTranslation } from 'react-i18next'
import { language } from '../api/language.ts'
import { readAmount } from './amount.ts'

/** The question for an amount with two readings; null where it has one or none. */
export function useUnclearAmount(): (typed: string) => string | null {
  const { t } = useTranslation('ui')
  return (typed) => {
    const reading = readAmount(typed, language)
    if (reading.kind !== 'unclear') return null
    return t('amountUnclear', { large: reading.large, small: reading.small })
  }
}
