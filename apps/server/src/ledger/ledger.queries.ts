import { type Db, prepared } from '@aval/db'
import { type Micro, micro } from '@aval/money'
import { queryColumn } from '../core/query.sql.ts'

/** House accounts that PostgreSQL keeps at or above zero. */
type GuardedAccount = 'pool:profit' | 'pool:commission' | 'due:profit' | 'due:commission' | 'company:capital'

/** Balance, principal and earnings of a member. */
export async function balancesOf(db: Db, memberId: bigint) {
  const row = await db
    .selectFrom('member_balance')
    .modifyFront(prepared)
    .select(['principal', 'balance', 'held', 'earned', 'earned_passive', 'earned_binary'])
    .where('member_id', '=', memberId)
    .executeTakeFirstOrThrow()
  return {
    principal: micro(row.principal),
    balance: micro(row.balance),
    held: micro(row.held),
    earned: micro(row.earned),
    earnedPassive: micro(row.earned_passive),
    earnedBinary: micro(row.earned_binary),
  }
}

/** What a company account holds that may not fall below zero. */
export async function guardedBalance(db: Db, account: GuardedAccount): Promise<Micro> {
  const row = await db
    .selectFrom('house_balance')
    .select('amount')
    .where('account', '=', account)
    .executeTakeFirstOrThrow()
  return micro(row.amount)
}

/** What a member owes to each pool after reversals. */
export async function owedBy(db: Db, memberId: bigint): Promise<{ profit: Micro; commission: Micro }> {
  const rows = await db
    .selectFrom('member_receivable')
    .select(['pool', 'amount'])
    .where('member_id', '=', memberId)
    .execute()
  const owed = (pool: string) => micro(rows.find((row) => row.pool === pool)?.amount ?? 0n)
  return { profit: owed('profit'), commission: owed('commission') }
}

/** Members who owe something and have a balance to take it from, at most `limit` above `after`. */
export async function membersOwing(db: Db, after: bigint, limit: number): Promise<bigint[]> {
  return queryColumn<bigint>(db)`
    SELECT DISTINCT r.member_id FROM member_receivable r JOIN member_balance b ON b.member_id = r.member_id AND b.balance > 0
    WHERE r.amount > 0 AND r.member_id > ${after} ORDER BY r.member_id LIMIT ${limit}`
}
