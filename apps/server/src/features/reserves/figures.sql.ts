import type { Db } from '@aval/db'
import { sql } from 'kysely'
import { queryFirst, queryOne } from '../../core/query.sql.ts'
import type { Figures, Owed, Role, Suspect, Wallet } from './reserves.rules.ts'

/** The most deposit addresses that are looked at one by one; with more there is something wrong with all of them. */
const MOST_SUSPECTS = 500

/** What of the past the last comparison left to be looked at. */
interface Since {
  readonly creditedSeq: bigint
  readonly bookedUntil: Date | null
  readonly comparedUntil: Date | null
  readonly addresses: readonly string[]
}

async function selectSince(db: Db): Promise<Since> {
  const last = await queryFirst<Since>(db)`
    SELECT credited_seq AS "creditedSeq", booked_until AS "bookedUntil", compared_until AS "comparedUntil",
      ARRAY(SELECT item->>'address' FROM jsonb_array_elements(details) item WHERE item ? 'address') AS addresses
    FROM reserve_check ORDER BY id DESC LIMIT 1`
  return last ?? { creditedSeq: 0n, bookedUntil: null, comparedUntil: null, addresses: [] }
}

/** Recorded, and its posting still to come, by wallet. */
const pending = ({ creditedSeq, bookedUntil }: Since) => sql`
  uncredited AS MATERIALIZED (
    SELECT t.role, t.from_address, t.value::bigint AS value, t.seq FROM incoming_transfer t
    WHERE t.seq > ${creditedSeq} AND t.verdict = 'credit'
      AND NOT EXISTS (SELECT FROM deposit_credit c WHERE c.member_id = t.member_id AND c.txid = t.txid AND c.position = t.position)),
  unbooked AS MATERIALIZED (
    SELECT p.purpose, p.amount, p.arrived, p.closed_at FROM outgoing_transfer p
    WHERE p.closed_at >= coalesce(${bookedUntil}::timestamptz, '-infinity') AND p.state = 'settled' AND p.purpose <> 'trx_topup'
      AND NOT EXISTS (SELECT FROM outgoing_transfer_booking b WHERE b.txid = p.txid)),
  pending AS (
    SELECT CASE role WHEN 'deposit' THEN 'deposits' ELSE role END AS wallet, value AS amount FROM uncredited
    UNION ALL SELECT 'cold', -value FROM uncredited
      WHERE role = 'hot' AND from_address IN (SELECT address FROM custody_address WHERE role = 'cold')
    UNION ALL SELECT CASE purpose WHEN 'sweep' THEN 'deposits' ELSE 'hot' END, -amount FROM unbooked
    UNION ALL SELECT CASE purpose WHEN 'sweep' THEN 'hot' ELSE 'cold' END, arrived FROM unbooked
      WHERE purpose IN ('sweep', 'surplus')
    UNION ALL SELECT role, opening FROM custody_address a
      WHERE NOT EXISTS (SELECT FROM journal j WHERE j.key = 'opening:' || a.address))`

/**
 * The hot and the cold wallet, and the deposit addresses with a reading since that is not simply the holding as of its first
 * block. Most are gone after two comparisons of numbers; of the rest, what moved them after the reading is taken back.
 */
const suspects = ({ comparedUntil, addresses }: Since) => sql`
  candidate AS MATERIALIZED (
    SELECT address FROM custody_reading WHERE read_at >= coalesce(${comparedUntil}::timestamptz, '-infinity')
    UNION SELECT unnest(${[...addresses]}::text[])
    UNION SELECT address FROM custody_address),
  questionable AS (
    SELECT h.address, h.role, h.amount, r.usdt, r.from_block, r.to_block, r.read_at, moved.moves, coalesce(moved.change, 0) AS change
    FROM candidate JOIN custody_holding h USING (address) JOIN custody_reading r USING (address)
    CROSS JOIN LATERAL (
      SELECT sum(m.change) AS change, jsonb_agg(jsonb_build_array(m.block::text, m.change::text)) FILTER (WHERE m.block <= r.to_block) AS moves
      FROM (
        SELECT t.block, t.value AS change FROM incoming_transfer t
          WHERE t.member_id = h.member_id AND t.verdict = 'credit' AND t.to_address = h.address AND t.block > r.from_block
        UNION ALL SELECT t.block, -t.value FROM incoming_transfer t
          WHERE h.role = 'cold' AND t.member_id = 0 AND t.verdict = 'credit' AND t.role = 'hot'
            AND t.from_address = h.address AND t.block > r.from_block
        UNION ALL SELECT p.block, -p.amount FROM outgoing_transfer p
          WHERE p.from_address = h.address AND p.state = 'settled' AND p.purpose <> 'trx_topup' AND p.block > r.from_block
        UNION ALL SELECT p.block, p.arrived FROM outgoing_transfer p
          WHERE p.to_address = h.address AND p.state = 'settled' AND p.purpose IN ('sweep', 'surplus') AND p.block > r.from_block
      ) m WHERE h.moved_block > r.from_block) moved
    WHERE h.role <> 'deposit' OR r.usdt <> h.amount OR h.moved_block > r.from_block),
  suspect AS (
    SELECT * FROM questionable WHERE role <> 'deposit' OR usdt <> amount - change ORDER BY role = 'deposit', read_at LIMIT ${MOST_SUSPECTS + 1})`

/** bigint travels as text in jsonb. */
interface SuspectRow {
  readonly address: string
  readonly role: Role
  readonly usdt: string
  readonly amount: string
  readonly moves: readonly (readonly [block: string, change: string])[] | null
  readonly fromBlock: string
  readonly toBlock: string
  readonly readAt: string
  readonly outflow: boolean
}

type ByWallet = Readonly<Record<Wallet, string>>

interface Row
  extends Omit<Figures, 'holdings' | 'books' | 'pending' | 'suspects' | 'more' | 'owed' | 'comparedUntil'>,
    Omit<Owed, 'pending'> {
  readonly owed_pending: bigint
  readonly holdings: ByWallet
  readonly books: ByWallet
  readonly pending: ByWallet
  readonly suspects: readonly SuspectRow[]
}

const amounts = ({ hot, cold, deposits }: ByWallet): Record<Wallet, bigint> => ({
  hot: BigInt(hot),
  cold: BigInt(cold),
  deposits: BigInt(deposits),
})

const suspectOf = (row: SuspectRow): Suspect => ({
  ...row,
  usdt: BigInt(row.usdt),
  amount: BigInt(row.amount),
  moves: (row.moves ?? []).map(([block, change]) => ({ block: BigInt(block), change: BigInt(change) })),
  fromBlock: BigInt(row.fromBlock),
  toBlock: BigInt(row.toBlock),
  readAt: new Date(row.readAt),
})

const byWallet = (from: string, wallet: string, amount: string) =>
  sql.raw(`(SELECT jsonb_object_agg(w, (SELECT coalesce(sum(${amount}), 0)::text FROM ${from} WHERE ${wallet}))
    FROM unnest(ARRAY['hot', 'cold', 'deposits']) w)`)

/**
 * Everything a comparison is made of. One statement, so that it sees one moment of all tables; members' balances and holdings
 * are summed (a fifth of a second for a million members); nothing else that grows with them is read whole.
 */
export async function selectFigures(db: Db): Promise<Figures> {
  const since = await selectSince(db)
  const row = await queryOne<Row>(db)`
    WITH ${pending(since)}, ${suspects(since)},
    holding AS MATERIALIZED (SELECT CASE role WHEN 'deposit' THEN 'deposits' ELSE role END AS wallet, sum(amount) AS amount
      FROM custody_holding GROUP BY role)
    SELECT c.scanned AS scanned,
      ${byWallet('holding', 'wallet = w', 'amount')} AS holdings,
      ${byWallet('custody_balance', "account = 'custody:' || w", 'amount')} AS books,
      ${byWallet('pending', 'wallet = w', 'amount')} AS pending,
      (SELECT coalesce(jsonb_agg(jsonb_build_object('address', s.address, 'role', s.role, 'usdt', s.usdt::text,
          'amount', (s.amount - s.change)::text, 'moves', s.moves, 'fromBlock', s.from_block::text, 'toBlock', s.to_block::text,
          'readAt', s.read_at, 'outflow', EXISTS (SELECT FROM unexplained_outflow o WHERE o.from_address = s.address AND o.block_at >
            coalesce((SELECT max(a.at) FROM custody_adjustment a WHERE a.address = s.address), '-infinity')))), '[]') FROM suspect s) AS suspects,
      (SELECT r.read_at FROM custody_reading r JOIN custody_holding h USING (address) WHERE h.role = 'deposit'
        ORDER BY r.read_at DESC LIMIT 1) AS "depositsReadAt",
      (SELECT coalesce(sum(amount), 0)::bigint FROM unbooked WHERE purpose = 'withdrawal') AS "inFlight",
      owed.principal, owed.balances, owed.held, (SELECT coalesce(sum(amount), 0)::bigint FROM member_pending) AS owed_pending,
      (SELECT coalesce(sum(amount), 0)::bigint FROM house_balance WHERE account IN ('due:profit', 'due:commission')) AS due,
      coalesce((SELECT min(seq) - 1 FROM uncredited), (SELECT max(seq) FROM incoming_transfer WHERE verdict = 'credit'), 0) AS "creditedSeq",
      least((SELECT min(closed_at) FROM unbooked), now() - interval '10 minutes') AS "bookedUntil"
    FROM (SELECT max(scanned_block) AS scanned FROM chain_cursor) c,
      (SELECT coalesce(sum(principal), 0)::bigint AS principal, coalesce(sum(balance), 0)::bigint AS balances,
        coalesce(sum(held), 0)::bigint AS held FROM member_balance) owed`
  const { principal, balances, held, owed_pending, due, suspects: found, ...figures } = row
  return {
    ...figures,
    holdings: amounts(row.holdings),
    books: amounts(row.books),
    pending: amounts(row.pending),
    suspects: found.slice(0, MOST_SUSPECTS).map(suspectOf),
    more: found.length > MOST_SUSPECTS,
    owed: { principal, balances, held, pending: owed_pending, due },
    comparedUntil: since.comparedUntil,
  }
}
