/** One member: who it is, what they have, and what was written down about them. */
import type { MemberFile, MemberNetwork } from '@aval/contract'
import type { Db } from '@aval/db'
import { formatAmount } from '@aval/money'
import type { Context } from '../../core/context.ts'
import { presentLocked } from '../../core/locked.rules.ts'
import { countOf, query, queryFirst, queryOne } from '../../core/query.sql.ts'
import { Refusal } from '../../core/refusal.ts'
import { balancesOf } from '../../ledger/ledger.queries.ts'
import { legsOf } from '../earnings/points.queries.ts'
import { readMember } from '../genealogy/tree.queries.ts'
import { findCoolingEnd } from '../identity/security-log/security-log.queries.ts'
import { fundsOf } from '../withdrawals/withdrawals.queries.ts'
import { type MemberRow, selectListed } from './list.queries.ts'
import { presentListed } from './members.presenter.ts'

/** @throws Refusal `member_not_found` */
export async function requireMember(db: Db, id: bigint | null): Promise<MemberRow> {
  const row = id === null ? undefined : await selectListed(db, id)
  if (row === undefined) throw new Refusal('member_not_found')
  return row
}

interface Facts {
  readonly usdt_wallet: string
  readonly ref_code: string
  readonly locale: string
  readonly time_zone: string | null
  readonly proven: boolean
  readonly two_factor: boolean
  readonly passkeys: number
  readonly is_master: boolean
  readonly deposit_address: string | null
  readonly pending: bigint
}

const selectFacts = (db: Db, memberId: bigint) => queryOne<Facts>(db)`
  SELECT m.usdt_wallet, m.ref_code, m.locale, m.time_zone, m.email_proven_at IS NOT NULL AS proven,
    EXISTS (SELECT FROM member_totp t WHERE t.member_id = m.id AND t.confirmed_at IS NOT NULL) AS two_factor,
    (SELECT count(*)::int FROM passkey p WHERE p.member_id = m.id) AS passkeys,
    coalesce((SELECT is_master FROM sponsorship s WHERE s.member_id = m.id), false) AS is_master,
    (SELECT address FROM deposit_address a WHERE a.member_id = m.id) AS deposit_address,
    coalesce((SELECT amount FROM member_pending g WHERE g.member_id = m.id), 0)::bigint AS pending
  FROM member m WHERE m.id = ${memberId}`

/** How a member sees their own team. */
const teamOf = (db: Db, memberId: bigint) => readMember(db, memberId, `O-${memberId}`)

export async function readFile(context: Context, row: MemberRow): Promise<MemberFile> {
  const { db, config, clock } = context
  const { id } = row
  const facts = await selectFacts(db, id)
  const funds = await fundsOf(db, id, await clock.now())
  const { earned } = await balancesOf(db, id)
  const { direct, team } = await teamOf(db, id)
  return {
    ...presentListed(row),
    wallet: facts.usdt_wallet,
    deposit_address: facts.deposit_address ?? '',
    ref_code: facts.ref_code,
    locale: facts.locale,
    time_zone: facts.time_zone,
    email_proven: facts.proven,
    two_factor: facts.two_factor,
    passkeys: facts.passkeys,
    is_master: facts.is_master,
    unlocked: formatAmount(funds.unlocked),
    unlocks_at: funds.lock.unlocksAt?.toISOString() ?? null,
    locked: presentLocked(funds.lock),
    pending: formatAmount(facts.pending),
    owed: formatAmount(funds.owed),
    earned: formatAmount(earned),
    cools_until: (await findCoolingEnd(db, id, config, new Date()))?.toISOString() ?? null,
    direct,
    team,
  }
}

interface Person {
  readonly id: bigint
  readonly username: string
}
const personOf = ({ id, username }: Person) => ({ id: Number(id), username })

const MOST_ABOVE = 100

/** From the sponsor up, at most so many, and how many there are. */
const selectUpline = (db: Db, memberId: bigint) => query<Person>(db)`
  WITH RECURSIVE up (id, step) AS (
    SELECT sponsor_id, 1 FROM sponsorship WHERE member_id = ${memberId} AND sponsor_id IS NOT NULL
    UNION ALL
    SELECT s.sponsor_id, u.step + 1 FROM up u JOIN sponsorship s ON s.member_id = u.id
    WHERE s.sponsor_id IS NOT NULL AND u.step < ${MOST_ABOVE})
  SELECT m.id, m.username FROM up u JOIN member m ON m.id = u.id ORDER BY u.step`

interface Place {
  readonly parent_id: bigint | null
  readonly parent: string | null
  readonly leg: string | null
  readonly depth: number
}

const selectPlace = (db: Db, memberId: bigint) => queryFirst<Place>(db)`
  SELECT p.parent_id, u.username AS parent, p.leg, s.depth FROM sponsorship s LEFT JOIN placement p ON p.member_id = s.member_id
    LEFT JOIN member u ON u.id = p.parent_id WHERE s.member_id = ${memberId}`

/** Where a member stands in both trees, and what is below. */
export async function readNetwork(db: Db, memberId: bigint): Promise<MemberNetwork> {
  const upline = await selectUpline(db, memberId)
  const place = await selectPlace(db, memberId)
  const sheet = await teamOf(db, memberId)
  const legs = await legsOf(db, memberId)
  return {
    upline: upline.map(personOf),
    upline_skipped: Math.max(0, (place?.depth ?? upline.length) - upline.length),
    parent:
      place == null || place.parent_id === null
        ? null
        : { id: Number(place.parent_id), username: place.parent ?? '' },
    leg: place?.leg === 'L' || place?.leg === 'R' ? place.leg : null,
    direct: sheet.direct,
    team: sheet.team,
    team_volume: formatAmount(sheet.volume),
    leg_volumes: { left: formatAmount(sheet.left), right: formatAmount(sheet.right) },
    points: { left: formatAmount(legs.left), right: formatAmount(legs.right), as_of: legs.as_of },
  }
}

export interface InvoiceLine {
  readonly txn_id: string
  readonly amount: bigint
  readonly fee: bigint
  readonly received: bigint
  readonly state: string
  readonly created_at: Date
  readonly expires_at: Date
  readonly closed_at: Date | null
}

export async function invoicesOf(db: Db, memberId: bigint, limit: number, offset: number) {
  const rows = await query<InvoiceLine>(db)`
    SELECT txn_id, amount, fee, received, state, created_at, expires_at, closed_at FROM invoice
    WHERE member_id = ${memberId} ORDER BY created_at DESC, id DESC LIMIT ${limit} OFFSET ${offset}`
  return { rows, count: await countOf(db)`invoice WHERE member_id = ${memberId}` }
}

export interface DepositLine {
  readonly txid: string
  readonly position: number
  readonly block_at: Date
  readonly value: string
  readonly verdict: string
  readonly outcome: string | null
  readonly credited_at: Date | null
  readonly invoice: string | null
}

/** What came to the member's address, booked or not, newest first. */
export async function depositsOf(db: Db, memberId: bigint, limit: number, offset: number) {
  const rows = await query<DepositLine>(db)`
    SELECT t.txid, t.position, t.block_at, CASE WHEN t.verdict = 'credit' THEN (t.value / 1000000)::numeric(78, 6)::text ELSE t.value::text END AS value,
      t.verdict, c.outcome, c.credited_at, i.txn_id AS invoice
    FROM (SELECT * FROM incoming_transfer WHERE member_id = ${memberId} ORDER BY block_at DESC, seq DESC LIMIT ${limit} OFFSET ${offset}) t
      LEFT JOIN deposit_credit c ON c.member_id = t.member_id AND c.txid = t.txid AND c.position = t.position
      LEFT JOIN invoice i ON i.member_id = c.member_id AND i.id = c.invoice_id
    ORDER BY t.block_at DESC, t.seq DESC`
  return { rows, count: await countOf(db)`incoming_transfer WHERE member_id = ${memberId}` }
}

export interface MailLine {
  readonly id: bigint
  readonly template: string
  readonly params: unknown
  readonly locale: string
  readonly to_address: string
  readonly created_at: Date
  readonly state: string
  readonly sent_at: Date | null
  readonly attempts: number
}

/** What was written to the member. Codes and links are left where they are. */
export async function mailsOf(db: Db, memberId: bigint, limit: number, offset: number) {
  const rows = await query<MailLine>(db)`
    SELECT id, template, params - ARRAY['code', 'notMeUrl', 'resetUrl'] AS params, locale, to_address, created_at, state, sent_at, attempts
    FROM mail_message WHERE member_id = ${memberId} ORDER BY created_at DESC, id DESC LIMIT ${limit} OFFSET ${offset}`
  return { rows, count: await countOf(db)`mail_message WHERE member_id = ${memberId}` }
}

export interface NoteLine {
  readonly id: bigint
  readonly author: string
  readonly at: Date
  readonly text: string
}

export async function notesOf(db: Db, memberId: bigint, limit: number, offset: number) {
  const rows = await query<NoteLine>(db)`
    SELECT n.id, a.username AS author, n.at, n.text FROM member_note n JOIN member a ON a.id = n.author_id
    WHERE n.member_id = ${memberId} ORDER BY n.at DESC, n.id DESC LIMIT ${limit} OFFSET ${offset}`
  return { rows, count: await countOf(db)`member_note WHERE member_id = ${memberId}` }
}

export const LOOK = 'member.look'

/** Who opened the member's page, newest first. */
export async function looksOf(db: Db, memberId: bigint, limit: number, offset: number) {
  const subject = `member:${memberId}`
  const rows = await query<{ operator: string; at: Date }>(db)`
    SELECT coalesce(o.username, '') AS operator, e.at FROM audit_event e LEFT JOIN member o ON o.id = e.actor_id
    WHERE e.subject = ${subject} AND e.subject LIKE 'member:%' AND e.action = ${LOOK} ORDER BY e.at DESC, e.id DESC LIMIT ${limit} OFFSET ${offset}`
  const count = await countOf(
    db,
  )`audit_event WHERE subject = ${subject} AND subject LIKE 'member:%' AND action = ${LOOK}`
  return { rows, count }
}
