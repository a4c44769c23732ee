import type { DecisionKind } from '@aval/contract'
import type { Db, Tx } from '@aval/db'
import { query, queryFirst, queryValue } from '../../core/query.sql.ts'

export interface Proposed {
  readonly kind: Exclude<DecisionKind, 'member_key'>
  /** What it is about: "run:7". One decision about it waits at a time. */
  readonly subject: string
  /** What of it only the caller knows, micro-USDT as text; the database says the rest. */
  readonly given: Readonly<Record<string, string>>
  /** Of a plan. */
  readonly document?: string
  readonly operatorId: bigint
  readonly now: Date
}

/** @returns its number */
export function insertDecision(
  tx: Tx,
  { kind, given, document, operatorId, now }: Proposed,
): Promise<bigint> {
  return queryValue<bigint>(tx)`
    SELECT propose_decision(${kind}, ${JSON.stringify(given)}::jsonb, ${document ?? null}, ${operatorId}, ${now})`
}

/** Who proposed what waits about the same, where something does. Index: decision_open_once. */
export function selectWaiting(tx: Tx, { subject }: Proposed) {
  return queryFirst<{ username: string | null; proposed_at: Date }>(tx)`
    SELECT m.username, d.proposed_at FROM decision d LEFT JOIN member m ON m.id = d.proposed_by
    WHERE d.subject = ${subject} AND d.state = 'open' AND d.expires_at > clock_timestamp()`
}

/** @returns false where it is no longer open */
export function withdrawDecision(tx: Tx, id: bigint, operatorId: bigint, now: Date): Promise<boolean> {
  return queryValue<boolean>(tx)`SELECT withdraw_decision(${id}, ${operatorId}, ${now})`
}

export async function isDecision(tx: Tx, id: bigint): Promise<boolean> {
  return (await query(tx)`SELECT FROM decision WHERE id = ${id}`).length > 0
}

export interface StoredDecision {
  readonly id: bigint
  readonly kind: DecisionKind
  readonly subject: string
  readonly statement: Record<string, string>
  readonly state: 'open' | 'accepted' | 'withdrawn' | 'refused'
  readonly refusal: string | null
  readonly proposed_by: string | null
  readonly approvals: string[]
  readonly proposed_at: Date
  readonly ended_at: Date | null
}

/** Newest first; of those that wait for approval when only open ones are asked for. */
export function selectDecisions(
  db: Db,
  openOnly: boolean,
  limit: number,
  offset: number,
): Promise<StoredDecision[]> {
  return query<StoredDecision>(db)`
    SELECT d.id, d.kind, d.subject, d.statement, d.state, d.refusal, d.proposed_at, d.ended_at, m.username AS proposed_by,
      ARRAY(SELECT o.username FROM decision_approval a JOIN member o ON o.id = a.operator_id WHERE a.decision_id = d.id ORDER BY a.at, o.id) AS approvals
    FROM decision d LEFT JOIN member m ON m.id = d.proposed_by
    WHERE d.state = 'open' OR NOT ${openOnly} ORDER BY d.proposed_at DESC, d.id DESC LIMIT ${limit} OFFSET ${offset}`
}
