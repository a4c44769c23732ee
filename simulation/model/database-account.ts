/** What a history came to in the database, in the form of the model. */
import type { Db } from '@aval/db'
import { sql } from 'kysely'
import type { Account, History, Item, MemberTotals, Missed, Reversal, RunResult, Taken } from './history.ts'
import { idOf, seatOf } from './seats.ts'

type IndexOf = (id: bigint) => number

const memberOf = (id: bigint): number => idOf(Number(id))

/** Ids of investments, in the order in which they were made: a history counts them from 0. */
export async function readInvestments(db: Db): Promise<bigint[]> {
  const rows = await db.selectFrom('investment').select('id').orderBy('id').execute()
  return rows.map(({ id }) => id)
}

export async function readAccount(db: Db, history: History): Promise<Account> {
  const investments = await readInvestments(db)
  const indexOf = (id: bigint): number => {
    const index = investments.indexOf(id)
    if (index === -1) throw new Error(`investment ${id} was never made`)
    return index
  }
  return {
    runs: await readRuns(db, indexOf),
    reversals: await readReversals(db, indexOf),
    totals: await readTotals(db, history),
  }
}

interface StoredRun extends Pick<RunResult, 'kind' | 'period'> {
  readonly id: bigint
  readonly state: string
  readonly first: bigint | null
  readonly last: bigint | null
}

async function readRuns(db: Db, indexOf: IndexOf): Promise<RunResult[]> {
  const runs = await sql<StoredRun>`
    SELECT id, kind, period, state, first_investment AS first, last_investment AS last FROM payout_run ORDER BY id`.execute(
    db,
  )
  const results: RunResult[] = []
  for (const { id, kind, period, state, first, last } of runs.rows) {
    if (state !== 'done') throw new Error(`the ${kind} run ${period} is ${state}`)
    results.push({
      kind,
      period: first === null || last === null ? period : `${indexOf(first)}-${indexOf(last)}`,
      items: await readItems(db, id, indexOf),
      missed: await readMissed(db, id, indexOf),
    })
  }
  return results
}

/** With the ids of the database. */
type Stored<Line> = Omit<Line, 'memberId' | 'investment'> & {
  readonly memberId: bigint
  readonly investment: bigint | null
}
const numbersOf = ({ memberId, investment }: Stored<unknown>, indexOf: IndexOf) => ({
  memberId: memberOf(memberId),
  investment: investment === null ? null : indexOf(investment),
})

/** Those of passive runs are kept by pages, all others as rows. */
async function readItems(db: Db, runId: bigint, indexOf: IndexOf): Promise<Item[]> {
  const { rows } = await sql<Stored<Item>>`
    SELECT "memberId", kind, amount, basis, level, investment FROM (
      SELECT p.block, i.at, i.member_id AS "memberId", 'passive'::posting_kind AS kind, i.amount, i.basis, NULL::int AS level, NULL::bigint AS investment
      FROM payout_page p, unnest(p.members, p.bases, p.amounts) WITH ORDINALITY AS i (member_id, basis, amount, at)
      WHERE p.run_id = ${runId}
      UNION ALL SELECT member_id, leg, member_id, kind, amount, basis, level::int, investment_id FROM payout_item WHERE run_id = ${runId}
    ) item ORDER BY block, at`.execute(db)
  return rows.map((row) => ({ ...row, ...numbersOf(row, indexOf) }))
}

async function readMissed(db: Db, runId: bigint, indexOf: IndexOf): Promise<Missed[]> {
  const { rows } = await sql<Stored<Missed>>`
    SELECT member_id AS "memberId", kind, reason, amount, level, investment_id AS investment
    FROM payout_missed WHERE run_id = ${runId} ORDER BY member_id, leg`.execute(db)
  return rows.map((row) => ({ ...row, ...numbersOf(row, indexOf) }))
}

async function readReversals(db: Db, indexOf: IndexOf): Promise<Reversal[]> {
  const reversals = await db.selectFrom('reversal').select(['id', 'investment_id']).orderBy('id').execute()
  const { rows: parts } = await sql<Omit<Taken, 'memberId'> & { reversal: bigint; memberId: bigint }>`
    SELECT reversal_id AS reversal, member_id AS "memberId", pool, amount, amount - from_balance AS owed
    FROM reversal_part ORDER BY reversal_id, leg`.execute(db)
  return reversals.map(({ id, investment_id }) => ({
    investment: indexOf(investment_id),
    taken: parts
      .filter(({ reversal }) => reversal === id)
      .map(({ reversal: _, memberId, ...part }) => ({ ...part, memberId: memberOf(memberId) })),
  }))
}

async function readTotals(db: Db, { members }: History): Promise<MemberTotals[]> {
  const carry = await readCarry(db)
  const { rows } = await sql<Omit<MemberTotals, 'memberId' | 'carryLeft' | 'carryRight'> & { id: bigint }>`
    SELECT b.member_id AS id, b.principal, b.balance, b.earned, b.earned_passive AS "earnedProfit",
      coalesce((SELECT amount FROM member_receivable r WHERE r.member_id = b.member_id AND pool = 'profit'), 0) AS "owedProfit",
      coalesce((SELECT amount FROM member_receivable r WHERE r.member_id = b.member_id AND pool = 'commission'), 0) AS "owedCommission"
    FROM member_balance b WHERE b.member_id = ANY(${members.map(({ id }) => String(seatOf(id)))}::bigint[])
    ORDER BY b.member_id`.execute(db)
  return rows.map(({ id, ...totals }) => ({ ...totals, memberId: memberOf(id), ...carry(id) }))
}

/** What stands on each leg after the last match; nothing before the first. */
async function readCarry(db: Db): Promise<(id: bigint) => Pick<MemberTotals, 'carryLeft' | 'carryRight'>> {
  const { rows } = await sql<{ member_id: bigint; carryLeft: bigint; carryRight: bigint }>`
    SELECT c.block::bigint * 1024 + i.at - 1 AS member_id, i.carry_left AS "carryLeft", i.carry_right AS "carryRight"
    FROM generate_series(0, (SELECT max(block) FROM binary_carry)) AS b (block) CROSS JOIN LATERAL (
        SELECT block, lefts, rights FROM binary_carry WHERE block = b.block ORDER BY period DESC LIMIT 1) c,
      unnest(c.lefts, c.rights) WITH ORDINALITY AS i (carry_left, carry_right, at)
    WHERE i.carry_left <> 0 OR i.carry_right <> 0`.execute(db)
  const byMember = new Map(rows.map(({ member_id, ...carry }) => [member_id, carry]))
  return (id) => byMember.get(id) ?? { carryLeft: 0n, carryRight: 0n }
}
