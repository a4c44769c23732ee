/** What a company at work has, beside members who are paid: people who work for it, and things that members asked for. */
import type pg from 'pg'
import type { OpenSession } from './events.sql.ts'

/** The newest members as operators who signed in with a code, each in one session. A second factor of theirs is nobody's. */
export async function insertOperators(owner: pg.Client, count: number): Promise<OpenSession[]> {
  const { rows } = await owner.query<{ member_id: string; id: string }>(
    `WITH chosen AS (
       UPDATE member SET is_operator = true, operator_role = 'admin'
       WHERE id > (SELECT max(id) FROM member) - $1::bigint AND closed_at IS NULL RETURNING id)
     INSERT INTO session (member_id, started_at, acted_at, second_factor_at, user_agent)
     SELECT id, now(), now(), now(), 'bench' FROM chosen RETURNING member_id, id`,
    [count],
  )
  return rows.map(({ member_id, id }) => ({ memberId: BigInt(member_id), sessionId: id }))
}

/**
 * A deposit of every other member, by what became of it, and a worthless token for one in twenty. The last comparison of the reserves knows
 * them as credited.
 */
export async function insertDeposits(owner: pg.Client): Promise<void> {
  await owner.query(`SET session_replication_role = replica`)
  try {
    await owner.query(
      `INSERT INTO incoming_transfer (txid, position, member_id, block, block_at, verdict, contract, from_address, to_address, value)
         SELECT md5('d' || m.id) || md5('e' || m.id), 0, m.id, m.id, now() - (m.id % 129600) * interval '1 minute',
           CASE WHEN m.id % 20 = 0 THEN 'wrong_token' ELSE 'credit' END, 'bench', 'TSender' || m.id % 1000, 'TBench' || m.id, 1000000 * (m.id % 5000 + 1)
         FROM member m WHERE m.id % 2 = 0 ORDER BY m.id`,
    )
    await owner.query(
      `INSERT INTO deposit_credit (txid, position, member_id, journal_id, amount, outcome, credited_at)
         SELECT txid, position, member_id, 0, value, (ARRAY['paid', 'paid', 'paid', 'paid', 'overpaid', 'no_invoice', 'part', 'late'])[member_id / 2 % 8 + 1],
           block_at FROM incoming_transfer WHERE verdict = 'credit' AND contract = 'bench'`,
    )
    await owner.query(
      `INSERT INTO reserve_check (at, block, verdict, hot, cold, deposits, in_flight, owed, drift, credited_seq)
         SELECT now(), 1, 'matched', 0, 0, 0, 0, 0, 0, max(seq) FROM incoming_transfer`,
    )
  } finally {
    await owner.query(`SET session_replication_role = origin`)
  }
}

/** For how many members there is one of each thing: of a million, 20,000 wait for a withdrawal and 200,000 had one. */
const EVERY = { withdrawalOpen: 50, withdrawalClosed: 5, chat: 20, event: 2 } as const

/** Withdrawals, conversations and entries of the trails, as rows: nothing was held or sent for them. */
export async function insertBusiness(owner: pg.Client): Promise<void> {
  await owner.query(`SET session_replication_role = replica`)
  try {
    await owner.query(
      `INSERT INTO withdrawal (member_id, amount, fee, from_balance, from_principal, wallet_address, state, approvals_needed,
           plan_version, hold_journal_id, requested_at, closed_at, close_journal_id, txid)
         SELECT m.id, 25000000 + (m.id * 7919) % 2000000000, 1000000, 25000000 + (m.id * 7919) % 2000000000, 0, 'TBench' || m.id,
           CASE WHEN m.id % $1 = 0 THEN 'requested' ELSE 'completed' END, 1, 1, m.id, now() - (m.id % 8640) * interval '1 minute',
           CASE WHEN m.id % $1 = 0 THEN NULL ELSE now() END, CASE WHEN m.id % $1 = 0 THEN NULL ELSE m.id END,
           CASE WHEN m.id % $1 = 0 THEN NULL ELSE md5(m.id::text) || md5('t' || m.id) END
         FROM member m WHERE m.id % $2 = 0 ORDER BY m.id`,
      [EVERY.withdrawalOpen, EVERY.withdrawalClosed],
    )
    await owner.query(
      `INSERT INTO support_thread (member_id, state, waiting_since, topic, last_at)
         SELECT id, CASE WHEN id % 100 = 0 THEN 'open' ELSE 'closed' END, CASE WHEN id % 100 = 0 THEN now() END, 'callback', now()
         FROM member WHERE id % $1 = 0`,
      [EVERY.chat],
    )
    await owner.query(
      `INSERT INTO support_message (member_id, text, at)
         SELECT m.id, 'Hola', now() - n * interval '1 minute' FROM member m, generate_series(1, 3) AS n WHERE m.id % $1 = 0`,
      [EVERY.chat],
    )
    // As many first answers as are counted, and ready texts.
    await owner.query(
      `INSERT INTO support_message (member_id, operator_id, text, at, waited_seconds)
         SELECT m.id, (SELECT max(id) FROM member) - m.id % 10, 'Hola', now() - (m.id % 43200) * interval '1 minute', m.id % 90000
         FROM member m WHERE m.id % $1 = 0`,
      [EVERY.chat],
    )
    await owner.query(
      `INSERT INTO support_template (version, name, text_es, text_en, operator_id, at)
         SELECT 1, 'Template ' || n, 'Hola, {first_name}', 'Hello {first_name}', (SELECT max(id) FROM member), now() FROM generate_series(1, 200) n`,
    )
    await owner.query(
      `INSERT INTO audit_event (at, actor_id, action, outcome, subject, details_hash)
         SELECT now() - (id % 100000) * interval '1 second', id, 'session.begin', 'done', 'member:' || id, '' FROM member WHERE id % $1 = 0`,
      [EVERY.event],
    )
    await owner.query(
      `INSERT INTO security_event (member_id, kind, at, details_hash)
         SELECT id, 'signed_in_new', now() - (id % 100000) * interval '1 second', '' FROM member WHERE id % $1 = 0`,
      [EVERY.event],
    )
  } finally {
    await owner.query(`SET session_replication_role = origin`)
  }
}

/** Whether {@link insertBusiness} and {@link insertDeposits} were here: the deposits come last. */
export async function hasBusiness(owner: pg.Client): Promise<boolean> {
  const { rowCount } = await owner.query(`SELECT FROM incoming_transfer WHERE contract = 'bench' LIMIT 1`)
  return rowCount !== 0
}

/** Postings as the planner's figure says: counting them takes longer than the benchmark. */
export async function selectSize(
  owner: pg.Client,
): Promise<{ members: number; days: number; postings: number }> {
  const { rows } = await owner.query<{ members: number; days: number; postings: number }>(
    `SELECT (SELECT count(*)::int FROM member) AS members,
       (SELECT count(DISTINCT period)::int FROM payout_run WHERE kind = 'passive') AS days,
       (SELECT sum(reltuples)::float8 FROM pg_class WHERE oid IN (SELECT relid FROM pg_partition_tree('posting')) AND relkind = 'r') AS postings`,
  )
  if (rows[0] === undefined) throw new Error('No size')
  return rows[0]
}

export type Samples = Readonly<Record<string, readonly string[]>>

/** Numbers that a path may name, by the part of the path before: some of the first, the last and those between. */
export async function selectSamples(owner: pg.Client): Promise<Samples> {
  const pick = async (table: string, column = 'id') => {
    const { rows } = await owner.query<{ id: string }>(
      `(SELECT ${column}::text AS id FROM ${table} ORDER BY ${column} DESC LIMIT 20)
       UNION (SELECT ${column}::text FROM ${table} ORDER BY ${column} LIMIT 20)`,
    )
    return rows.map(({ id }) => id)
  }
  return {
    members: await pick('member'),
    support: await pick('support_thread', 'member_id'),
    templates: await pick('support_template'),
    withdrawals: await pick('withdrawal'),
    investments: await pick('investment'),
    runs: await pick('payout_run'),
    plans: await pick('plan_version', 'version'),
  }
}
