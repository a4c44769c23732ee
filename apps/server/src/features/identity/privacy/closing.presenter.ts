import type { AccountClosing } from '@aval/contract'
import { formatAmount } from '@aval/money'
import { type Reader, say } from '../../../core/messages.ts'
import { type Left, sentenceOf } from './closing.queries.ts'

/** GET privacy/closing/ */
export function presentClosing(
  closing: { readonly left: readonly Left[] } & Pick<AccountClosing, 'refused' | 'years_kept'>,
  reader: Reader,
): AccountClosing {
  return {
    ...closing,
    left: presentLeft(closing.left, reader),
  }
}

/** What keeps an account open, as it travels. */
export function presentLeft(left: readonly Left[], reader: Reader): AccountClosing['left'] {
  return left.map((each) => {
    const { key, params } = sentenceOf(each)
    return {
      what: each.what,
      amount: formatAmount(each.amount),
      count: each.count,
      until: each.until?.toISOString() ?? null,
      sentence: say(reader, key, params),
    }
  })
}
