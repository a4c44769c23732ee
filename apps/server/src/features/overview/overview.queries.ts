import type { Db } from '@aval/db'
import { query, queryOne } from '../../core/query.sql.ts'
import { HOUSE } from '../../ledger/ledger.commands.ts'
import { depositAddressOf } from '../investments/investments.queries.ts'

/** Where every micro-USDT is, and which runs wait for money. */
export async function readOverview(db: Db) {
  const [totals, house, awaiting, chain, companyAddress] = await Promise.all([
    selectTotals(db),
    selectHouse(db),
    selectAwaitingByKind(db),
    selectChain(db),
    depositAddressOf(db, HOUSE),
  ])
  return { totals, house, awaiting, chain, companyAddress }
}

export type Overview = Awaited<ReturnType<typeof readOverview>>

/** Totals over all members, and what the fees came to. Sums whole tables, and of sealed parts their sums: for operators, not for members' screens. */
async function selectTotals(db: Db) {
  return queryOne<{
    principal: bigint
    balances: bigint
    held: bigint
    pending: bigint
    receivables: bigint
    revenue: bigint
    deposits: bigint
    hot: bigint
    cold: bigint
    members: number
  }>(db)`
    SELECT b.principal, b.balances, b.held, (SELECT coalesce(sum(amount), 0)::bigint FROM member_pending) AS pending, p.revenue, c.deposits, c.hot, c.cold, (SELECT count(*)::int FROM member) AS members,
      (SELECT coalesce(sum(amount), 0)::bigint FROM member_receivable) AS receivables
    FROM (SELECT coalesce(sum(principal), 0)::bigint AS principal, coalesce(sum(balance), 0)::bigint AS balances,
        coalesce(sum(held), 0)::bigint AS held FROM member_balance) b,
      (SELECT coalesce(sum(amount), 0)::bigint AS revenue FROM (
        SELECT amount FROM posting WHERE destination = 'company:revenue' AND journal_id >= (SELECT sealed_until())
        UNION ALL SELECT s.amount FROM ledger_seal_sum s JOIN posting_chart c ON c.kind = s.kind WHERE c.destination = 'company:revenue') parts) p,
      (SELECT coalesce(sum(amount) FILTER (WHERE account = 'custody:deposits'), 0)::bigint AS deposits,
        coalesce(sum(amount) FILTER (WHERE account = 'custody:hot'), 0)::bigint AS hot,
        coalesce(sum(amount) FILTER (WHERE account = 'custody:cold'), 0)::bigint AS cold FROM custody_balance) c`
}

function selectHouse(db: Db) {
  return db.selectFrom('house_balance').select(['account', 'amount']).execute()
}

/** What held runs need in all, by kind. */
async function selectAwaitingByKind(db: Db): Promise<Map<string, bigint>> {
  const rows = await query<{ kind: string; amount: bigint }>(db)`
    SELECT kind, sum(payable)::bigint AS amount FROM payout_run WHERE state = 'held' GROUP BY kind`
  return new Map(rows.map(({ kind, amount }) => [kind, amount]))
}

async function selectChain(db: Db) {
  const row = await db
    .selectFrom('chain_cursor')
    .select(['head_block', 'solid_block', 'scanned_block'])
    .executeTakeFirst()
  return {
    head: Number(row?.head_block ?? 0n),
    solid: Number(row?.solid_block ?? 0n),
    scanned: Number(row?.scanned_block ?? 0n),
  }
}
