/** What reversing an investment would take back, and from whom. */
import type { Db } from '@aval/db'
import { type Micro, micro } from '@aval/money'
import { passiveShare } from '@aval/plan'
import { sql } from 'kysely'
import { countUpTo, query, queryFirst } from '../../../core/query.sql.ts'
import { Refusal } from '../../../core/refusal.ts'
import { balancesOf } from '../../../ledger/ledger.queries.ts'
import { termsOf } from '../calculate/calculate.commands.ts'
import { selectRun } from '../runs/runs.sql.ts'

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

/** The commissions that an investment paid, in the order of its walk up the chain; what was really paid of each. */
async function selectPaidCommissions(db: Db, runId: bigint, investmentId: bigint) {
  return query<{ memberId: bigint; leg: number; amount: bigint }>(db)`
    SELECT i.member_id AS "memberId", i.leg, coalesce(s.amount, i.amount) AS amount
    FROM payout_item i LEFT JOIN payout_share s ON s.member_id = i.member_id AND s.run_id = i.run_id AND s.leg = i.leg
    WHERE i.run_id = ${runId} AND i.investment_id = ${investmentId} ORDER BY i.level, i.member_id`
}

interface StoredDay {
  readonly run_id: bigint
  readonly declared_id: bigint | null
  readonly basis: bigint
  readonly earned: bigint
  readonly paid: bigint
  /** Of the basis, what reversals took back since. */
  readonly reversed: bigint
}

/** Whether a passive run that looks at what was invested then is not paid. */
async function someUnpaidDay(db: Db, creditedAt: Date): Promise<boolean> {
  const rows = await query(db)`SELECT FROM payout_run
    WHERE kind = 'passive' AND state NOT IN ('done', 'cancelled') AND cutoff_at > ${creditedAt} LIMIT 1`
  return rows.length > 0
}

/** Every passive run that paid the member on a basis that includes the investment; oldest first. */
async function selectPassiveDays(db: Db, memberId: bigint, creditedAt: Date): Promise<StoredDay[]> {
  return query<StoredDay>(db)`
    SELECT r.id AS run_id, r.declared_id, r.cutoff_at, p.bases[at.i] AS basis, coalesce(p.earned[at.i], 0) AS earned,
      coalesce(s.amounts[at.i], p.amounts[at.i]) AS paid,
      coalesce((SELECT sum(v.amount) FROM reversal v JOIN investment n ON n.member_id = v.member_id AND n.id = v.investment_id
        WHERE v.member_id = ${memberId} AND n.credited_at < r.cutoff_at AND v.at >= r.cutoff_at), 0)::bigint AS reversed
    FROM payout_run r JOIN payout_page p ON p.run_id = r.id AND p.block = ${memberId} / 1024
      CROSS JOIN LATERAL (SELECT array_position(p.members, ${memberId}::bigint) AS i) at
      LEFT JOIN payout_page_share s ON s.run_id = p.run_id AND s.block = p.block
    WHERE r.kind = 'passive' AND r.state <> 'cancelled' AND r.cutoff_at > ${creditedAt} AND at.i IS NOT NULL
    ORDER BY r.period`
}

/** What a reversal takes back from one member. */
export interface Part {
  readonly memberId: bigint
  readonly pool: 'profit' | 'commission'
  readonly amount: Micro
  readonly fromBalance: Micro
  readonly runId: bigint | null
  readonly itemLeg: number | null
}

type Taken = Omit<Part, 'fromBalance'>

/** `settled` on the wire: its commissions are posted, so it can be reversed. */
export function stateOf(investment: Reversible): 'open' | 'settled' | 'reversed' {
  if (investment.reversed) return 'reversed'
  return investment.run_state === 'done' ? 'settled' : 'open'
}

async function passivePart(db: Db, investment: Reversible): Promise<bigint> {
  let sum = 0n
  // A run that has not written its items yet may be about to pay on it as well.
  if (await someUnpaidDay(db, investment.credited_at)) throw new Refusal('investment_unsettled')
  for (const day of await selectPassiveDays(db, investment.member_id, investment.credited_at)) {
    const run = await selectRun(db, day.run_id)
    if (run === undefined) throw new Error(`run ${day.run_id} is gone`)
    sum += passiveShare(
      {
        terms: await termsOf(db, run, day.declared_id),
        basis: micro(day.basis),
        earnedBefore: micro(day.earned),
        paid: micro(day.paid),
        reversedBefore: micro(day.reversed),
      },
      micro(investment.amount),
    )
  }
  return sum
}

/** Everything that an investment was the reason for. @throws Refusal while part of it is not posted yet. */
export async function takenBack(db: Db, investment: Reversible): Promise<Taken[]> {
  const state = stateOf(investment)
  if (state === 'reversed') throw new Refusal('investment_reversed')
  if (investment.withdrawn) throw new Refusal('investment_withdrawn')
  if (state === 'open' || investment.run_id === null) throw new Refusal('investment_unsettled')
  const commissions = await selectPaidCommissions(db, investment.run_id, investment.id)
  const taken = commissions
    .filter(({ amount }) => amount > 0n)
    .map(
      ({ memberId, leg, amount }): Taken => ({
        memberId,
        pool: 'commission',
        amount: micro(amount),
        runId: investment.run_id,
        itemLeg: leg,
      }),
    )
  const passive = await passivePart(db, investment)
  if (passive > 0n)
    taken.push({
      memberId: investment.member_id,
      pool: 'profit',
      amount: micro(passive),
      runId: null,
      itemLeg: null,
    })
  return taken
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
