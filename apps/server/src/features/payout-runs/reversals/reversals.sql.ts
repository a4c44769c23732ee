import type { Tx } from '@aval/db'
import { query } from '../../../core/query.sql.ts'

/** An investment, and what it had paid to whom. */
interface Reversed {
  readonly investment: { readonly id: bigint; readonly member_id: bigint }
  readonly parts: readonly {
    readonly memberId: bigint
    readonly pool: 'profit' | 'commission'
    readonly amount: bigint
    readonly fromBalance: bigint
    readonly runId: bigint | null
    readonly itemLeg: number | null
  }[]
}

const column = (values: readonly (bigint | number | null)[]): string =>
  `{${values.map((value) => value ?? 'NULL').join()}}`

/** Takes an investment back, and all that it had paid. */
export async function insertReversal(
  tx: Tx,
  { investment, parts }: Reversed,
  { reason, operatorId, at }: { reason: string; operatorId: bigint; at: Date },
): Promise<void> {
  await query(tx)`
    SELECT reverse_investment(${investment.member_id}, ${investment.id}, ${reason}, ${operatorId}, ${at},
      ${column(parts.map((part) => part.memberId))}, ${parts.map((part) => part.pool)}::text[],
      ${column(parts.map((part) => part.amount))}, ${column(parts.map((part) => part.fromBalance))},
      ${column(parts.map((part) => part.runId))}, ${column(parts.map((part) => part.itemLeg))})`
}

/** Takes what a member owes out of the balance, as far as it goes: commission first, then profit. */
export async function recoverReceivable(tx: Tx, memberId: bigint, at: Date): Promise<void> {
  await query(tx)`SELECT recover_receivable(${memberId}, ${at})`
}
