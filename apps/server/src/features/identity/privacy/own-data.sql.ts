/**
 * Everything that is kept of a member, list by list, as the member may have it: no hashes, no secrets, and of others what the screens
 * show. A list is read page by page after a key that an index has, so that no page takes longer than the first.
 */
import type { Db } from '@aval/db'
import { type RawBuilder, sql } from 'kysely'
import { isPosted } from '../../../core/earned.sql.ts'
import { postingsOf } from '../../../core/postings.sql.ts'
import { query } from '../../../core/query.sql.ts'

/** How a column is written: `amount` is micro-USDT. */
type Written = 'as_it_is' | 'amount'

export interface OwnList {
  readonly name: string
  readonly columns: Readonly<Record<string, Written>>
  /** The columns of the query by which it is in order, with their types. */
  readonly key: readonly (readonly [column: string, type: 'bigint' | 'integer' | 'text' | 'uuid'])[]
  /** One row of it a line; the key's columns are among them. */
  readonly rows: (memberId: bigint) => RawBuilder<unknown>
}

export type OwnRow = Readonly<Record<string, unknown>>

const is = 'as_it_is'
const amount = 'amount'
const BY_ID = [['id', 'bigint']] as const

const ACCOUNT: readonly OwnList[] = [
  {
    name: 'profile',
    columns: {
      username: is,
      email: is,
      first_name: is,
      last_name: is,
      phone_number: is,
      usdt_wallet: is,
      deposit_address: is,
      ref_code: is,
      joined_at: is,
      terms_accepted_at: is,
      is_fundator: is,
      is_operator: is,
      sponsor: is,
    },
    key: BY_ID,
    rows: (
      memberId,
    ) => sql`SELECT m.*, d.address AS deposit_address, coalesce(nullif(o.first_name, ''), o.username) AS sponsor
      FROM member m JOIN sponsorship s ON s.member_id = m.id LEFT JOIN member o ON o.id = s.sponsor_id
        LEFT JOIN deposit_address d ON d.member_id = m.id WHERE m.id = ${memberId}`,
  },
  {
    name: 'settings',
    columns: {
      locale: is,
      time_zone: is,
      region: is,
      placement_side: is,
      two_factor_since: is,
      only_passkey_moves_money: is,
    },
    key: BY_ID,
    rows: (
      memberId,
    ) => sql`SELECT m.id, m.locale, m.time_zone, m.region, p.preference AS placement_side, t.confirmed_at AS two_factor_since,
        coalesce((SELECT k.kind <> 'off' FROM member_key k WHERE k.member_id = m.id AND k.state = 'sealed'
          ORDER BY k.version DESC LIMIT 1), false) AS only_passkey_moves_money
      FROM member m JOIN placement p ON p.member_id = m.id LEFT JOIN member_totp t ON t.member_id = m.id WHERE m.id = ${memberId}`,
  },
  {
    name: 'passkeys',
    columns: { name: is, made_at: is, used_at: is },
    key: [['credential_id', 'text']],
    rows: (memberId) =>
      sql`SELECT credential_id, name, made_at, used_at FROM passkey WHERE member_id = ${memberId}`,
  },
  {
    name: 'sessions',
    columns: {
      started_at: is,
      ended_at: is,
      ended_because: is,
      user_agent: is,
      ip: is,
      second_factor_at: is,
    },
    key: [['id', 'uuid']],
    rows: (memberId) => sql`SELECT * FROM session WHERE member_id = ${memberId}`,
  },
  {
    name: 'known_devices',
    columns: { used_at: is },
    key: [['token_hash', 'text']],
    rows: (memberId) => sql`SELECT token_hash, used_at FROM known_device WHERE member_id = ${memberId}`,
  },
  {
    name: 'security_events',
    columns: { at: is, kind: is, user_agent: is, ip: is, previous: is, next: is, count: is },
    key: BY_ID,
    rows: (memberId) => sql`SELECT id, at, kind, user_agent, ip, details->>'previous' AS previous,
        coalesce(details->>'wallet', details->>'email') AS next, details->>'count' AS count
      FROM security_event WHERE member_id = ${memberId}`,
  },
  {
    // A reason is the member's to read while the account is frozen; why it was let go is the company's.
    name: 'freezes',
    columns: { at: is, frozen: is, reason: is },
    key: BY_ID,
    rows: (memberId) => sql`SELECT id, at, frozen, CASE WHEN frozen THEN reason END AS reason
      FROM member_freeze WHERE member_id = ${memberId}`,
  },
  {
    name: 'failed_tries',
    columns: { hour: is, last_at: is, kind: is, network: is, count: is },
    key: BY_ID,
    rows: (memberId) => sql`SELECT * FROM failed_try WHERE member_id = ${memberId}`,
  },
  {
    name: 'mails',
    // `subject` is made of these two.
    columns: {
      created_at: is,
      sent_at: is,
      state: is,
      to_address: is,
      locale: is,
      template: is,
      subject: is,
    },
    key: BY_ID,
    rows: (memberId) => sql`SELECT id, created_at, sent_at, state, to_address, locale, template,
        params - ARRAY['code', 'notMeUrl', 'resetUrl'] AS subject
      FROM mail_message WHERE member_id = ${memberId}`,
  },
  {
    name: 'chat_messages',
    columns: { at: is, from: is, topic: is, text: is },
    key: BY_ID,
    rows: (
      memberId,
    ) => sql`SELECT id, at, CASE WHEN operator_id IS NULL THEN 'member' ELSE 'support' END AS "from", topic, text
      FROM support_message WHERE member_id = ${memberId}`,
  },
  {
    // What is written about a person is theirs to read (decision 085); who wrote it is not.
    name: 'notes_of_the_company',
    columns: { at: is, text: is },
    key: BY_ID,
    rows: (memberId) => sql`SELECT id, at, text FROM member_note WHERE member_id = ${memberId}`,
  },
]

const MONEY: readonly OwnList[] = [
  {
    name: 'balances',
    columns: {
      investment: amount,
      balance: amount,
      on_hold: amount,
      pending: amount,
      owed: amount,
      earned: amount,
    },
    key: [['member_id', 'bigint']],
    rows: (
      memberId,
    ) => sql`SELECT b.member_id, b.principal AS investment, b.balance, b.held AS on_hold, b.earned,
        coalesce((SELECT p.amount FROM member_pending p WHERE p.member_id = b.member_id), 0)::bigint AS pending,
        (SELECT coalesce(sum(r.amount), 0)::bigint FROM member_receivable r WHERE r.member_id = b.member_id) AS owed
      FROM member_balance b WHERE b.member_id = ${memberId}`,
  },
  {
    name: 'movements',
    columns: { at: is, kind: is, source: is, destination: is, amount },
    key: [
      ['journal_id', 'bigint'],
      ['leg', 'integer'],
    ],
    rows: (memberId) => sql`SELECT journal_id, leg, at, kind::text, source::text, destination::text, amount
      FROM ${postingsOf(memberId)} p`,
  },
  {
    name: 'pending_investments',
    columns: {
      txn_id: is,
      created_at: is,
      amount,
      fee: amount,
      received: amount,
      state: is,
      expires_at: is,
      closed_at: is,
    },
    key: BY_ID,
    rows: (memberId) => sql`SELECT * FROM invoice WHERE member_id = ${memberId}`,
  },
  {
    name: 'deposits',
    columns: { credited_at: is, txid: is, from_address: is, to_address: is, amount, outcome: is },
    key: [
      ['txid', 'text'],
      ['position', 'integer'],
    ],
    rows: (
      memberId,
    ) => sql`SELECT c.txid, c.position, c.credited_at, t.from_address, t.to_address, c.amount, c.outcome
      FROM deposit_credit c JOIN incoming_transfer t USING (txid, position) WHERE c.member_id = ${memberId}`,
  },
  {
    name: 'investments',
    columns: {
      credited_at: is,
      amount,
      value_after: amount,
      from_balance: is,
      txid: is,
      plan_version: is,
      unlocks_at: is,
      withdrawn: amount,
      reversed_at: is,
    },
    key: BY_ID,
    rows: (
      memberId,
    ) => sql`SELECT i.*, r.at AS reversed_at, (SELECT coalesce(-sum(p.amount), 0)::bigint FROM principal_movement_part p
          WHERE p.member_id = i.member_id AND p.investment_id = i.id) AS withdrawn FROM investment i
        LEFT JOIN reversal r ON r.member_id = i.member_id AND r.investment_id = i.id WHERE i.member_id = ${memberId}`,
  },
  {
    name: 'withdrawals',
    columns: {
      requested_at: is,
      amount,
      fee: amount,
      wallet_address: is,
      state: is,
      approved_at: is,
      closed_at: is,
      reason: is,
      txid: is,
      device: is,
    },
    key: BY_ID,
    rows: (memberId) => sql`SELECT * FROM withdrawal WHERE member_id = ${memberId}`,
  },
]

/** What a member sees of a run: sealed, whatever became of it then. */
const SEEN = sql.raw("r.state NOT IN ('computing', 'cancelled')")
/** What has not been credited is there, and is not called paid. */
const status = (memberId: bigint) =>
  sql`CASE WHEN ${isPosted(memberId)} THEN 'paid' ELSE 'pending' END AS status`
const BY_ITEM = [
  ['run_id', 'bigint'],
  ['leg', 'integer'],
] as const

const TEAM: readonly OwnList[] = [
  {
    name: 'referrals',
    columns: { joined_at: is, username: is, email: is, phone_number: is, active: is, is_master_code: is },
    key: BY_ID,
    rows: (
      memberId,
    ) => sql`SELECT m.id, m.joined_at, m.username, m.email, m.phone_number, b.principal > 0 AS active, s.is_master AS is_master_code
      FROM sponsorship s JOIN member m ON m.id = s.member_id JOIN member_balance b ON b.member_id = m.id WHERE s.sponsor_id = ${memberId}`,
  },
  {
    name: 'extra_points',
    columns: { at: is, percent: is },
    key: BY_ID,
    rows: (memberId) => sql`SELECT id, at, percent FROM extra_percent WHERE sponsor_id = ${memberId}`,
  },
  {
    name: 'commissions',
    columns: {
      at: is,
      kind: is,
      amount,
      basis: amount,
      percentage: is,
      level: is,
      from_username: is,
      left_points: amount,
      right_points: amount,
      flushed: amount,
      status: is,
      taken_back_at: is,
    },
    key: BY_ITEM,
    rows: (
      memberId,
    ) => sql`SELECT i.run_id, i.leg, r.at, i.kind::text, coalesce(s.amount, i.amount) AS amount, i.basis, i.percentage, i.level,
        m.username AS from_username, i.left_points, i.right_points, i.flushed, ${status(memberId)}, b.at AS taken_back_at
      FROM payout_item i JOIN payout_run r ON r.id = i.run_id
        LEFT JOIN payout_share s ON s.member_id = i.member_id AND s.run_id = i.run_id AND s.leg = i.leg
        LEFT JOIN member m ON m.id = i.from_member_id
        LEFT JOIN reversal_part b ON b.member_id = i.member_id AND b.run_id = i.run_id AND b.item_leg = i.leg
      WHERE i.member_id = ${memberId} AND ${SEEN}`,
  },
  {
    name: 'daily_payments',
    columns: { day: is, at: is, amount, investment: amount, status: is },
    key: [['run_id', 'bigint']],
    rows: (
      memberId,
    ) => sql`SELECT r.id AS run_id, r.period AS day, r.at, coalesce(s.amounts[place.i], p.amounts[place.i]) AS amount,
        p.bases[place.i] AS investment, ${status(memberId)}
      FROM payout_run r JOIN payout_page p ON p.run_id = r.id AND p.block = ${memberId}::bigint / 1024
        CROSS JOIN LATERAL (SELECT array_position(p.members, ${memberId}::bigint) AS i) place
        LEFT JOIN payout_page_share s ON s.run_id = p.run_id AND s.block = p.block
      WHERE r.kind = 'passive' AND ${SEEN} AND place.i IS NOT NULL`,
  },
  {
    name: 'not_paid',
    columns: { at: is, kind: is, reason: is, amount, level: is, from_username: is },
    key: BY_ITEM,
    rows: (
      memberId,
    ) => sql`SELECT n.run_id, n.leg, r.at, n.kind::text, n.reason, n.amount, n.level, m.username AS from_username
      FROM payout_missed n JOIN payout_run r ON r.id = n.run_id LEFT JOIN member m ON m.id = n.from_member_id
      WHERE n.member_id = ${memberId} AND ${SEEN}`,
  },
]

export const OWN_LISTS: readonly OwnList[] = [...ACCOUNT, ...MONEY, ...TEAM]

const ROWS_A_PAGE = 1000

/** A list from its beginning, page by page; at least one page, which may be empty. */
export async function* pagesOf(db: Db, list: OwnList, memberId: bigint): AsyncGenerator<OwnRow[]> {
  const keys = sql.join(list.key.map(([column]) => sql.ref(column)))
  const wanted = sql.join([
    ...Object.keys(list.columns).map((column) => sql.ref(column)),
    // Under names of their own, as text: a key is no part of what the member gets.
    ...list.key.map(([column], place) => sql`${sql.ref(column)}::text AS ${sql.ref(`key_${place}`)}`),
  ])
  let after = sql`true`
  for (;;) {
    const rows = await query<OwnRow>(db)`
      SELECT ${wanted} FROM (${list.rows(memberId)}) own WHERE ${after} ORDER BY ${keys} LIMIT ${ROWS_A_PAGE}`
    yield rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < ROWS_A_PAGE) return
    const reached = list.key.map(([, type], place) => sql`${String(last[`key_${place}`])}::${sql.raw(type)}`)
    after = sql`(${keys}) > (${sql.join(reached)})`
  }
}

/** The member's picture as it was stored: WebP. Null for none. */
export async function selectPicture(db: Db, memberId: bigint): Promise<Buffer | null> {
  const pictures = db.selectFrom('member_avatar').select('image').where('member_id', '=', memberId)
  return (await pictures.executeTakeFirst())?.image ?? null
}
