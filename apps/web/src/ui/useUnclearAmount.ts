import { useTranslation } from 'react-i18next'
import { readAmount } from './amount.ts'

/** The question for an amount with two readings, which `AmountField` answers by a press; null where it has one or none. */
export function useUnclearAmount(): (typed: string) => string | null {
  const { t } = useTranslation('ui')
  return (typed) => {
    return readAmount(typed).kind === 'unclear' ? t('amountUnclear') : null
  }
}
