/** What reversing an investment would take back, and from whom. */
import type { RefusalCode } from '@aval/contract'
import type { Db } from '@aval/db'
import { type Micro, micro } from '@aval/money'
import { sql } from 'kysely'
import { countUpTo, query, queryFirst, queryValue } from '../../../core/query.sql.ts'
import { Refusal } from '../../../core/refusal.ts'
import { balancesOf } from '../../../ledger/ledger.queries.ts'

export interface Reversible {
  readonly id: bigint
  readonly member_id: bigint
  readonly username: string
  readonly amount: bigint
  readonly from_balance: boolean
  readonly credited_at: Date
  readonly reversed: boolean
  /** Some of it has left, or is about to. */
  readonly withdrawn: boolean
  /** State of the run that pays its commissions; null before there is one. */
  readonly run_state: string | null
  readonly run_id: bigint | null
}

const REVERSIBLE = sql`
  SELECT i.id, i.member_id, m.username, i.amount, i.from_balance, i.credited_at, v.id IS NOT NULL AS reversed,
    coalesce((SELECT sum(g.amount) FROM principal_movement_part g WHERE g.member_id = i.member_id AND g.investment_id = i.id), 0) <> 0 AS withdrawn,
    r.state AS run_state, r.id AS run_id
  FROM investment i JOIN member m ON m.id = i.member_id
    LEFT JOIN reversal v ON v.member_id = i.member_id AND v.investment_id = i.id
    LEFT JOIN LATERAL (SELECT id, state, first_investment FROM payout_run
      WHERE kind = 'direct' AND state <> 'cancelled' AND last_investment >= i.id ORDER BY last_investment LIMIT 1) r
      ON r.first_investment <= i.id`

export async function selectReversible(db: Db, id: bigint): Promise<Reversible | undefined> {
  return queryFirst<Reversible>(db)`${REVERSIBLE} WHERE i.id = ${id}`
}

/** Of members with such a name; and how far a list is counted. */
const MOST_FOUND = 200
const MOST_COUNTED = 10_000

function whose(search: string) {
  const typed = search.normalize('NFKC').trim()
  const number = /^#([1-9]\d{0,14})$/.exec(typed)?.[1]
  if (number !== undefined) return sql`i.id = ${number}`
  const like = `${typed.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
  return typed === ''
    ? sql`true`
    : sql`i.member_id IN (SELECT member_id FROM member_identifier WHERE kind IN ('username', 'email') AND value LIKE ${like}
        ORDER BY value LIMIT ${MOST_FOUND})`
}

/** Investments of members whose username or e-mail begins with what was typed, or the one with a number (`#93`), newest first; all when it is empty. */
export async function listInvestments(db: Db, search: string, limit: number, offset: number) {
  const who = whose(search)
  const rows = await query<Reversible>(db)`
    ${REVERSIBLE} WHERE ${who} ORDER BY i.credited_at DESC, i.id DESC LIMIT ${limit} OFFSET ${offset}`
  return { rows, count: await countUpTo(db, MOST_COUNTED)`investment i WHERE ${who}` }
}

/** The same from one investment on, for who reads all of it. @param after null for the first */
export function investmentsAfter(db: Db, search: string, after: Reversible | null, limit: number) {
  const later = after === null ? sql`true` : sql`(i.credited_at, i.id) < (${after.credited_at}, ${after.id})`
  return query<Reversible>(
    db,
  )`${REVERSIBLE} WHERE ${whose(search)} AND ${later} ORDER BY i.credited_at DESC, i.id DESC LIMIT ${limit}`
}

export const countInvestments = (db: Db, search: string, most: number) =>
  countUpTo(db, most)`investment i WHERE ${whose(search)}`

/** What a reversal takes back from one member. */
export interface Part {
  readonly memberId: bigint
  readonly pool: 'profit' | 'commission'
  readonly amount: Micro
  readonly fromBalance: Micro
}

type Taken = Omit<Part, 'fromBalance'>

/** `settled` on the wire: its commissions are posted, so it can be reversed. */
export function stateOf(investment: Reversible): 'open' | 'settled' | 'reversed' {
  if (investment.reversed) return 'reversed'
  return investment.run_state === 'done' ? 'settled' : 'open'
}

/** Everything that an investment was the reason for, as the database finds it. @throws Refusal while part of it is not posted yet. */
async function takenBack(db: Db, { id }: Reversible): Promise<Taken[]> {
  const refused = await queryValue<RefusalCode | null>(
    db,
  )`SELECT reversal_refusal(i) FROM investment i WHERE i.id = ${id}`
  if (refused !== null) throw new Refusal(refused)
  const rows = await query<Taken>(db)`
    SELECT p.member AS "memberId", p.pool, p.amount FROM investment i, parts_of_reversal(i) p WHERE i.id = ${id}`
  return rows.map((row) => ({ ...row, amount: micro(row.amount) }))
}

/** Splits what is taken into what balances cover and what is owed; the investor's includes the principal that returns. */
function split(taken: readonly Taken[], balances: Map<bigint, bigint>): Part[] {
  return taken.map((part) => {
    const balance = balances.get(part.memberId) ?? 0n
    const fromBalance = micro(balance < part.amount ? balance : part.amount)
    balances.set(part.memberId, balance - fromBalance)
    return { ...part, fromBalance }
  })
}

async function balancesWithPrincipal(
  db: Db,
  investment: Reversible,
  taken: readonly Taken[],
): Promise<Map<bigint, bigint>> {
  const balances = new Map<bigint, bigint>()
  for (const memberId of new Set([investment.member_id, ...taken.map((part) => part.memberId)]))
    balances.set(memberId, (await balancesOf(db, memberId)).balance)
  balances.set(investment.member_id, (balances.get(investment.member_id) ?? 0n) + investment.amount)
  return balances
}

export interface ReversalParts {
  readonly investment: Reversible
  readonly parts: readonly Part[]
}

/** What reversing would take from whom, now. @throws Refusal when it cannot be reversed. */
export async function previewReversal(db: Db, investmentId: bigint | null): Promise<ReversalParts> {
  const investment = investmentId === null ? undefined : await selectReversible(db, investmentId)
  if (investment === undefined) throw new Refusal('investment_not_found')
  const taken = await takenBack(db, investment)
  return { investment, parts: split(taken, await balancesWithPrincipal(db, investment, taken)) }
}

/** The usernames of the members that a reversal takes from. */
export async function usernamesOf(db: Db, { parts }: ReversalParts): Promise<ReadonlyMap<bigint, string>> {
  if (parts.length === 0) return new Map()
  const ids = [...new Set(parts.map(({ memberId }) => memberId))]
  const rows = await db.selectFrom('member').select(['id', 'username']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, username }) => [id, username]))
}
