/** What a history came to in the database, in the form of the model. */
import type { Db } from '@aval/db'
import { sql } from 'kysely'
import type { Account, History, Item, MemberTotals, Missed, Reversal, RunResult, Taken } from './history.ts'
import { idOf, seatOf } from './seats.ts'

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

async function readRuns(db: Db, indexOf: (id: bigint) => number): Promise<RunResult[]> {
  const runs = await db
    .selectFrom('payout_run')
    .select(['id', 'kind', 'period', 'state', 'first_investment', 'last_investment'])
    .orderBy('id')
    .execute()
  const expected: RunResult[] = []
  for (const { id, kind, period, state, first_investment: first, last_investment: last } of runs) {
    if (state !== 'done') throw new Error(`the ${kind} run ${period} is ${state}`)
    expected.push({
      kind: kind as RunResult['kind'],
      period: first === null || last === null ? period : `${indexOf(first)}-${indexOf(last)}`,
      items: kind === 'passive' ? await readPages(db, id) : await readItems(db, id, indexOf),
      missed: await readMissed(db, id, indexOf),
    })
  }
  return expected
}

async function readPages(db: Db, runId: bigint): Promise<Item[]> {
  const { rows } = await sql<{ member_id: bigint; basis: bigint; amount: bigint }>`
    SELECT i.member_id, i.basis, i.amount FROM payout_page p,
      unnest(p.members, p.bases, p.amounts) WITH ORDINALITY AS i (member_id, basis, amount, at)
    WHERE p.run_id = ${runId} ORDER BY p.block, i.at`.execute(db)
  return rows.map(({ member_id, basis, amount }) => ({
    memberId: memberOf(member_id),
    kind: 'passive',
    amount,
    basis,
    level: null,
    investment: null,
  }))
}

async function readItems(db: Db, runId: bigint, indexOf: (id: bigint) => number): Promise<Item[]> {
  const rows = await db
    .selectFrom('payout_item')
    .select(['member_id', 'kind', 'amount', 'basis', 'level', 'investment_id'])
    .where('run_id', '=', runId)
    .orderBy('member_id')
    .orderBy('leg')
    .execute()
  return rows.map(({ member_id, kind, amount, basis, level, investment_id }) => ({
    memberId: memberOf(member_id),
    kind: kind as Item['kind'],
    amount,
    basis,
    level,
    investment: investment_id === null ? null : indexOf(investment_id),
  }))
}

async function readMissed(db: Db, runId: bigint, indexOf: (id: bigint) => number): Promise<Missed[]> {
  const rows = await db
    .selectFrom('payout_missed')
    .select(['member_id', 'kind', 'reason', 'amount', 'level', 'investment_id'])
    .where('run_id', '=', runId)
    .orderBy('member_id')
    .orderBy('leg')
    .execute()
  return rows.map(({ member_id, kind, reason, amount, level, investment_id }) => ({
    memberId: memberOf(member_id),
    kind: kind as Missed['kind'],
    reason: reason as Missed['reason'],
    amount,
    level,
    investment: investment_id === null ? null : indexOf(investment_id),
  }))
}

async function readReversals(db: Db, indexOf: (id: bigint) => number): Promise<Reversal[]> {
  const reversals = await db.selectFrom('reversal').select(['id', 'investment_id']).orderBy('id').execute()
  const parts = await db
    .selectFrom('reversal_part')
    .select(['reversal_id', 'member_id', 'pool', 'amount', 'from_balance'])
    .orderBy('reversal_id')
    .orderBy('leg')
    .execute()
  return reversals.map(({ id, investment_id }) => ({
    investment: indexOf(investment_id),
    taken: parts
      .filter(({ reversal_id }) => reversal_id === id)
      .map(({ member_id, pool, amount, from_balance }) => ({
        memberId: memberOf(member_id),
        pool: pool as Taken['pool'],
        amount,
        owed: amount - from_balance,
      })),
  }))
}

async function readTotals(db: Db, { members }: History): Promise<MemberTotals[]> {
  const carry = await readCarry(db)
  const { rows } = await sql<{
    member_id: bigint
    principal: bigint
    balance: bigint
    earned: bigint
    earned_passive: bigint
    profit: bigint
    commission: bigint
  }>`
    SELECT b.member_id, b.principal, b.balance, b.earned, b.earned_passive,
      coalesce((SELECT amount FROM member_receivable r WHERE r.member_id = b.member_id AND pool = 'profit'), 0) AS profit,
      coalesce((SELECT amount FROM member_receivable r WHERE r.member_id = b.member_id AND pool = 'commission'), 0) AS commission
    FROM member_balance b WHERE b.member_id = ANY(${members.map(({ id }) => String(seatOf(id)))}::bigint[])
    ORDER BY b.member_id`.execute(db)
  return rows.map((row) => ({
    memberId: memberOf(row.member_id),
    principal: row.principal,
    ...carry(row.member_id),
    balance: row.balance,
    owedProfit: row.profit,
    owedCommission: row.commission,
    earned: row.earned,
    earnedProfit: row.earned_passive,
  }))
}

/** What stands on each leg after the last match; nothing before the first. */
async function readCarry(db: Db): Promise<(id: bigint) => Pick<MemberTotals, 'carryLeft' | 'carryRight'>> {
  const { rows } = await sql<{ member_id: bigint; carry_left: bigint; carry_right: bigint }>`
    SELECT c.block::bigint * 1024 + i.at - 1 AS member_id, i.carry_left, i.carry_right
    FROM generate_series(0, (SELECT max(block) FROM binary_carry)) AS b (block) CROSS JOIN LATERAL (
        SELECT block, lefts, rights FROM binary_carry WHERE block = b.block ORDER BY period DESC LIMIT 1) c,
      unnest(c.lefts, c.rights) WITH ORDINALITY AS i (carry_left, carry_right, at)
    WHERE i.carry_left <> 0 OR i.carry_right <> 0`.execute(db)
  const byMember = new Map(rows.map((row) => [row.member_id, row]))
  return (id) => ({
    carryLeft: byMember.get(id)?.carry_left ?? 0n,
    carryRight: byMember.get(id)?.carry_right ?? 0n,
  })
}
