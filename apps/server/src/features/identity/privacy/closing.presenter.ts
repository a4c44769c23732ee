import type { AccountClosing, Locale } from '@aval/contract'
import { formatAmount } from '@aval/money'
import { say } from '../../../core/messages.ts'
import { type Left, sentenceOf } from './closing.queries.ts'

/** GET privacy/closing/ */
export function presentClosing(
  closing: { readonly left: readonly Left[] } & Pick<AccountClosing, 'refused' | 'years_kept'>,
  locale: Locale,
): AccountClosing {
  return {
    ...closing,
    left: presentLeft(closing.left, locale),
  }
}

/** What keeps an account open, as it travels. */
export function presentLeft(left: readonly Left[], locale: Locale): AccountClosing['left'] {
  return left.map((each) => {
    const { key, params } = sentenceOf(each)
    return {
      what: each.what,
      amount: formatAmount(each.amount),
      count: each.count,
      until: each.until?.toISOString() ?? null,
      sentence: say(locale, key, params),
    }
  })
}
