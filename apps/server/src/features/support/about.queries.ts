/** The member beside a conversation: who it is, what they have, and what of theirs is under way. Each part is found by the member's number. */
import { PAYMENT_KINDS, type PaymentKind } from '@aval/contract'
import type { Db } from '@aval/db'
import type { Config } from '../../config.ts'
import { recentPostingsOf } from '../../core/postings.sql.ts'
import { query, queryFirst } from '../../core/query.sql.ts'
import { Refusal } from '../../core/refusal.ts'
import { hasSecondFactor } from '../identity/second-factor/second-factor.queries.ts'
import { findCoolingEnd } from '../identity/security-log/security-log.queries.ts'

interface Facts {
  readonly id: bigint
  readonly username: string
  readonly first_name: string
  readonly last_name: string
  readonly email: string
  readonly email_proven_at: Date | null
  readonly phone_number: string
  readonly locale: string
  readonly time_zone: string | null
  readonly joined_at: Date
  readonly closed_at: Date | null
  readonly sponsor_id: bigint | null
  readonly sponsor: string | null
  readonly principal: bigint
  readonly balance: bigint
  readonly held: bigint
  readonly pending: bigint
  readonly owed: bigint
}

/** @throws Refusal `member_not_found` */
async function selectFacts(db: Db, memberId: bigint): Promise<Facts> {
  const facts = await queryFirst<Facts>(db)`
    SELECT m.id, m.username, m.first_name, m.last_name, m.email, m.email_proven_at, m.phone_number, m.locale, m.time_zone, m.joined_at,
      m.closed_at, s.sponsor_id, o.username AS sponsor, b.principal, b.balance, b.held,
      coalesce((SELECT p.amount FROM member_pending p WHERE p.member_id = m.id), 0)::bigint AS pending,
      (SELECT coalesce(sum(r.amount), 0)::bigint FROM member_receivable r WHERE r.member_id = m.id) AS owed
    FROM member m JOIN member_balance b ON b.member_id = m.id
      LEFT JOIN sponsorship s ON s.member_id = m.id LEFT JOIN member o ON o.id = s.sponsor_id
    WHERE m.id = ${memberId}`
  if (facts === undefined) throw new Refusal('member_not_found')
  return facts
}

const MOST = 5

function selectOpenWithdrawals(db: Db, memberId: bigint) {
  return db
    .selectFrom('withdrawal')
    .select(['id', 'amount', 'state', 'requested_at'])
    .where('member_id', '=', memberId)
    .where('state', 'in', ['requested', 'approved'])
    .orderBy('id', 'desc')
    .limit(MOST)
    .execute()
}

/** What was paid lately. Payouts of archived parts are not looked up: who was paid by none since has no recent ones. */
function selectPayments(db: Db, memberId: bigint) {
  return query<{ kind: PaymentKind; amount: bigint; at: Date }>(db)`
    SELECT kind::text AS kind, amount, at FROM ${recentPostingsOf(memberId)} p WHERE kind = ANY(${[...PAYMENT_KINDS]}::posting_kind[])
    ORDER BY journal_id DESC, leg DESC LIMIT ${MOST}`
}

function selectOpenInvoices(db: Db, memberId: bigint) {
  return db
    .selectFrom('invoice')
    .select(['txn_id', 'amount', 'fee', 'received', 'expires_at'])
    .where('member_id', '=', memberId)
    .where('state', '=', 'open')
    .orderBy('id', 'desc')
    .limit(MOST)
    .execute()
}

/** @param now system time @throws Refusal `member_not_found` */
export async function readAbout(
  db: Db,
  memberId: bigint | null,
  config: Pick<Config, 'coolingHours'>,
  now: Date,
) {
  if (memberId === null) throw new Refusal('member_not_found')
  const [facts, twoFactor, coolsUntil, withdrawals, payments, invoices] = await Promise.all([
    selectFacts(db, memberId),
    hasSecondFactor(db, memberId),
    findCoolingEnd(db, memberId, config, now),
    selectOpenWithdrawals(db, memberId),
    selectPayments(db, memberId),
    selectOpenInvoices(db, memberId),
  ])
  return { facts, twoFactor, coolsUntil, withdrawals, payments, invoices }
}

export type About = Awaited<ReturnType<typeof readAbout>>
