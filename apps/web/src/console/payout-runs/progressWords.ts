import type { TFunction } from 'i18next'
import type { Formats } from '../../ui/format.ts'
import type { Progress } from './runStages.ts'

/** "412,000 of 1,000,000 · 85,000/s · about 7 s left" */
export function progressWords(
  { done, total, perSecond, left }: Progress,
  t: TFunction<'console/payout-runs'>,
  formats: Pick<Formats, 'count'>,
): string {
  const words = [t('progress.of', { done: formats.count(done), total: formats.count(total) })]
  if (perSecond !== null) words.push(t('progress.rate', { rate: formats.count(perSecond) }))
  if (left !== null) words.push(t(`progress.${left.unit}`, { time: formats.count(left.count) }))
  return words.join(' · ')
}
