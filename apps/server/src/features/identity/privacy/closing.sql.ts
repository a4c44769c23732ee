import type { LeftInAccount } from '@aval/contract'
import type { Db, Tx } from '@aval/db'
import { query, queryValue } from '../../../core/query.sql.ts'
import { skeletonOf } from '../names/skeleton.rules.ts'

export interface StoredLeft {
  readonly what: LeftInAccount
  readonly amount: bigint
  readonly count: number
}

/** What keeps an account open, in the order in which it is said. */
export async function selectLeft(db: Db, memberId: bigint): Promise<StoredLeft[]> {
  return query<StoredLeft>(db)`SELECT what, amount, count FROM left_in_account(${memberId})`
}

/** Whether this is the company's own account, at the top of the trees. */
export async function selectIsFirst(db: Db, memberId: bigint): Promise<boolean> {
  return queryValue<boolean>(db)`SELECT sponsor_id IS NULL FROM sponsorship WHERE member_id = ${memberId}`
}

/** @throws a constraint's violation where something is left, or it is no account that closes */
export async function closeMember(
  tx: Tx,
  closed: {
    readonly memberId: bigint
    /** Folded, and its skeleton. */
    readonly username: string
    readonly skeleton: string
    readonly email: string
    readonly at: Date
    readonly keepUntil: Date
  },
): Promise<void> {
  const { memberId, username, skeleton, email, at, keepUntil } = closed
  await query(tx)`SELECT close_account(${memberId}, ${username}, ${skeleton}, ${email}, ${at}, ${keepUntil})`
}

/** What signed the member in, or would have confirmed something; and a change of the member's key that waits. */
export async function deleteProofs(tx: Tx, memberId: bigint): Promise<void> {
  await query(tx)`SELECT cancel_member_key(${memberId})`
  const tables = [
    'passkey',
    'passkey_challenge',
    'member_totp',
    'recovery_code',
    'otp_challenge',
    'otp_tries',
  ] as const
  for (const table of tables) await tx.deleteFrom(table).where('member_id', '=', memberId).execute()
}

/** @returns of how many accounts something was deleted */
export async function purgeClosed(db: Db, now: Date, most: number): Promise<number> {
  return queryValue<number>(db)`SELECT purge_closed_accounts(${now}, ${most}::int)`
}

/** The row of a closed account, held; undefined where there is none. For the owner of the tables. */
export function takeClosed(tx: Tx, foldedUsername: string) {
  return tx
    .selectFrom('closed_account')
    .select(['member_id', 'username', 'folded_username', 'email'])
    .select(['first_name', 'last_name', 'phone_number', 'usdt_wallet'])
    .where('folded_username', '=', foldedUsername)
    .forUpdate()
    .executeTakeFirst()
}

/** Gives a closed account back what it was, and what was nobody's meanwhile. For the owner of the tables. */
export async function openMember(
  tx: Tx,
  closed: NonNullable<Awaited<ReturnType<typeof takeClosed>>>,
  passwordHash: string,
): Promise<void> {
  const { member_id: id, folded_username: folded, ...person } = closed
  const { ref_code: refCode } = await tx
    .updateTable('member')
    .set({ ...person, password_hash: passwordHash, email_proven_at: null, closed_at: null })
    .where('id', '=', id)
    .returning('ref_code')
    .executeTakeFirstOrThrow()
  for (const [kind, value] of [
    ['username', folded],
    ['skeleton', skeletonOf(folded)],
    ['ref_code', refCode],
  ] as const)
    await tx
      .updateTable('member_identifier')
      .set({ member_id: id })
      .where('kind', '=', kind)
      .where('value', '=', value)
      .where('member_id', '=', 0n)
      .execute()
  await tx.deleteFrom('closed_account').where('member_id', '=', id).execute()
}
