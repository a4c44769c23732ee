import type { PlanVersion } from '@aval/contract'
import { formatMicro, type Micro, ratioToPercentText } from '@aval/money'
import { useTranslation } from 'react-i18next'
import { useFormats } from '../../../ui/useFormats.ts'
import { RATE_DIGITS, type RateReading, readRate, SAMPLE } from '../rateForm.ts'

/** What the sample would get: follows the typing, and says that it is an estimate. */
export function RateEstimate({ reading }: { reading: RateReading }) {
  const { t } = useTranslation('console/plan')
  const formats = useFormats()
  const { estimate, targetEstimate, isTooHigh } = reading
  const principal = formats.money(SAMPLE)
  const shown = (amount: Micro) => `${formats.exact(formatMicro(amount))} USD`
  return (
    <p className="rate-estimate" aria-live="polite" data-empty={estimate === null || isTooHigh}>
      {estimate === null || targetEstimate === null
        ? t('rates.estimateNone', { principal })
        : t('rates.estimate', { principal, amount: shown(estimate), target: shown(targetEstimate) })}
    </p>
  )
}

/** The rule of the percentage field, as react-hook-form wants it. */
export function useRateRules(versions: PlanVersion[]) {
  const { t } = useTranslation('console/plan')
  const formats = useFormats()
  return (typed: string, { day }: { day: string }) => {
    const { percentage, target, isTooHigh, estimate } = readRate(typed, day, versions)
    if (percentage === null) return t('rates.invalid', { example: '0.25' })
    if (!isTooHigh || target === null || estimate === null) return true
    return t('rates.tooHigh', {
      target: formats.exactPercent(ratioToPercentText(target, RATE_DIGITS)),
      typed: formats.exactPercent(percentage),
      amount: formats.money(formatMicro(estimate)),
      principal: formats.money(SAMPLE),
    })
  }
}
