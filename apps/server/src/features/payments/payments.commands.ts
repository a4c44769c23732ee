/** Reading what was paid to a member. Every row can say why it is what it is. */
import type { Db } from '@aval/db'
import { formatMicro, micro } from '@aval/money'
import type { Plan } from '@aval/plan'
import { planAt, planOfVersion } from '../plans/plan-versions.commands.ts'
import { type StoredPayment, selectPayments } from './payments.sql.ts'

export interface PaymentRow extends StoredPayment {
  /** The computation with its figures: `1000.00 × 10 % ÷ 30 = 3.333333`. */
  readonly arithmetic: string
}

function arithmetic(row: StoredPayment, plan: Plan): string {
  const basis = formatMicro(micro(row.basis))
  const amount = formatMicro(micro(row.amount))
  if (row.kind !== 'passive') return `${basis} × ${row.percentage} % = ${amount}`
  const { percentPerPeriod, periodDays } = plan.passive
  return `${basis} × ${percentPerPeriod} % ÷ ${periodDays} = ${amount}`
}

/** A page of a member's payments, newest first, each with its arithmetic under the plan it was computed by. */
export async function paymentsOf(
  db: Db,
  memberId: bigint,
  kind: 'passive' | 'direct',
  limit: number,
  offset: number,
): Promise<{ rows: PaymentRow[]; count: number }> {
  const { rows, count } = await selectPayments(db, memberId, kind, limit, offset)
  const explained: PaymentRow[] = []
  for (const row of rows) {
    const { plan } = await planOfVersion(db, row.plan_version)
    explained.push({ ...row, arithmetic: arithmetic(row, plan) })
  }
  return { rows: explained, count }
}

/** The time zone in which days are named now. */
export async function timeZoneAt(db: Db, now: Date): Promise<string> {
  return (await planAt(db, now)).plan.timeZone
}
