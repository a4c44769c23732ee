import type { Locale, Withdrawal, WithdrawalTerms } from '@aval/contract'
import { formatMicro, micro } from '@aval/money'
import type { Config } from '../../config.ts'
import { say } from '../../core/messages.ts'
import { explorerUrl } from '../investments/investments.presenter.ts'
import { courseOf, type ShownRow, type View } from './listing.commands.ts'
import type { Terms } from './terms.commands.ts'
import { confirmationsOf, shownTxid, stageOf, statusOf, timelineOf } from './withdrawals.rules.ts'
import { sayReason } from './withdrawals.words.ts'

const text = (amount: bigint) => formatMicro(micro(amount))

/** A row of GET withdrawals/withdrawals/. */
export function presentWithdrawal(config: Config, row: ShownRow, view: View, locale: Locale): Withdrawal {
  const course = courseOf(row)
  const txid = shownTxid(course)
  const confirmations = confirmationsOf(course, view.head, config.confirmsNeeded)
  return {
    id: Number(row.id),
    amount: text(row.amount),
    fee: text(row.fee),
    arrives: text(row.amount - row.fee),
    from_balance: text(row.from_balance),
    from_principal: text(row.from_principal),
    date: row.requested_at.toISOString(),
    payed_date: row.state === 'completed' ? (row.closed_at?.toISOString() ?? null) : null,
    status: statusOf(row.state),
    stage: stageOf(course),
    confirmations: confirmations === null ? null : Number(confirmations),
    confirms_needed: config.confirmsNeeded,
    payment_link: explorerUrl(config, txid),
    txid,
    wallet_address: row.wallet_address,
    reason: sayReason(locale, row.reason),
    timeline: timelineOf(course, view.ahead, view.now).map(({ stage, at }) => ({
      stage,
      at: at.toISOString(),
    })),
    can_cancel: row.state === 'requested',
  }
}

function presentQuote(
  quote: NonNullable<Terms['quote']>,
  fee: bigint,
  locale: Locale,
): NonNullable<WithdrawalTerms['quote']> {
  const { refusal } = quote
  return {
    amount: text(quote.amount),
    fee: text(fee),
    arrives: text(quote.arrives),
    from_balance: text(quote.fromBalance),
    from_principal: text(quote.fromPrincipal),
    problem:
      refusal === null ? null : { code: refusal.code, detail: say(locale, refusal.code, refusal.params) },
  }
}

/** GET withdrawals/terms/ */
export function presentTerms(terms: Terms, locale: Locale): WithdrawalTerms {
  const { means, quote } = terms
  const { minimum, fee, dailyLimit } = means.plan.withdrawals
  return {
    balance: text(means.spendable),
    unlocked_principal: text(means.unlocked),
    principal_unlocks_at: means.unlocksAt?.toISOString() ?? null,
    available: text(means.spendable + means.unlocked),
    minimum: text(minimum),
    fee: text(fee),
    daily_limit: text(dailyLimit),
    left_today: text(terms.leftToday),
    day_turns_at: means.dayTurnsAt.toISOString(),
    cools_until: terms.coolsUntil?.toISOString() ?? null,
    paused: terms.paused,
    wallet_address: terms.wallet,
    needs_otp: terms.needsOtp,
    ...(quote === null ? {} : { quote: presentQuote(quote, fee, locale) }),
  }
}
