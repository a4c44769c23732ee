import type { DirectPayment, Locale, PassivePayment } from '@aval/contract'
import { formatMicro, micro } from '@aval/money'
import { type MessageKey, say } from '../../core/messages.ts'
import type { PaymentRow } from './payments.commands.ts'

const REGION: Readonly<Record<Locale, string>> = { es: 'es-419', en: 'en-US' }

/** A date as people say it, in the plan's time zone: "3 de mayo de 2026". */
function sayDay(locale: Locale, at: Date, timeZone: string): string {
  return new Intl.DateTimeFormat(REGION[locale], { dateStyle: 'long', timeZone }).format(at)
}

const SENTENCE = {
  passive: 'why_passive',
  direct: 'why_direct',
  master: 'why_master',
} as const satisfies Record<PaymentRow['kind'], MessageKey>

function explain(row: PaymentRow, locale: Locale, timeZone: string) {
  const basis = micro(row.basis)
  return {
    sentence: say(locale, SENTENCE[row.kind], {
      percentage: row.percentage,
      basis,
      day: sayDay(locale, row.at, timeZone),
      name: row.from_username ?? '',
      level: row.level ?? 0,
      version: row.plan_version,
    }),
    plan_version: row.plan_version,
    basis: formatMicro(basis),
    percentage: row.percentage,
    arithmetic: row.arithmetic,
  }
}

const stateOf = (row: PaymentRow) => (row.paid ? ('paid' as const) : ('awaiting_funding' as const))

/** A row of GET payments/direct-payments/. */
export function presentDirect(row: PaymentRow, locale: Locale, timeZone: string): DirectPayment {
  return {
    id: Number(row.run_id),
    date: row.at.toISOString(),
    user_username: row.from_username ?? '',
    user_email: row.from_email ?? '',
    investment_amount: formatMicro(micro(row.basis)),
    level: row.level ?? 0,
    amount: formatMicro(micro(row.amount)),
    state: stateOf(row),
    why: explain(row, locale, timeZone),
  }
}

/** A row of GET payments/pasive-payments/. */
export function presentPassive(row: PaymentRow, locale: Locale, timeZone: string): PassivePayment {
  return {
    id: Number(row.run_id),
    date: row.at.toISOString(),
    current_investment_amount: formatMicro(micro(row.basis)),
    amount: formatMicro(micro(row.amount)),
    state: stateOf(row),
    why: explain(row, locale, timeZone),
  }
}
