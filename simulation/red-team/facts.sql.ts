/** What no stolen role may change: what members have and will be paid, what leaves, what was recorded, and whether payouts are stopped. */
import type pg from 'pg'

export interface Facts {
  /** What each member has in all: principal, balance, on hold and pending, less what is owed; and the company in its pools and capital. */
  readonly members: ReadonlyMap<string, bigint>
  readonly figures: Readonly<Record<string, string>>
  /** The role of each operator. Who has one keeps it or loses it; no stolen role gives anybody one, or another one (decision 075). */
  readonly rights: ReadonlyMap<string, string>
}

export async function readFacts(owner: pg.ClientBase): Promise<Facts> {
  const { rows: members } = await owner.query<{ id: bigint; has: bigint }>(
    `SELECT b.member_id AS id, (b.principal + b.balance + b.held + coalesce(p.amount, 0)
       - coalesce((SELECT sum(amount) FROM member_receivable r WHERE r.member_id = b.member_id), 0))::bigint AS has
     FROM member_balance b LEFT JOIN member_pending p USING (member_id)
     UNION ALL SELECT 0, sum(amount)::bigint FROM house_balance`,
  )
  const { rows } = await owner.query<Record<string, string>>(
    `SELECT (SELECT count(*) FROM withdrawal WHERE state IN ('approved', 'completed'))::text AS "approved or paid",
       (SELECT count(*) FROM withdrawal_approval)::text AS approvals,
       (SELECT count(*) FROM outgoing_transfer)::text AS "transfers prepared",
       (SELECT count(*) FROM outgoing_transfer WHERE signature IS NOT NULL)::text AS "transfers signed",
       (SELECT count(*) FROM outgoing_transfer WHERE state = 'settled')::text AS "transfers settled",
       (SELECT count(*) FROM incoming_transfer)::text AS "transfers recorded",
       (SELECT count(*) FROM deposit_address WHERE key_index IS NULL)::text AS "addresses of no key",
       (SELECT coalesce(sum(amount), 0) FROM custody_balance)::text AS custody,
       (SELECT coalesce(sum(amount), 0) FROM custody_holding)::text AS holdings,
       (SELECT count(*) FROM plan_version)::text AS plans,
       (SELECT count(*) FROM payout_run WHERE state <> 'cancelled' AND overruled_by IS NOT NULL)::text AS "runs let go",
       (SELECT count(*) FROM declared_rate WHERE percentage::numeric > 0.333333)::text AS "rates above the plan",
       (SELECT count(*) FROM member WHERE is_operator)::text AS operators,
       (SELECT stopped FROM payout_stop)::text AS stopped,
       (SELECT num_nonnulls(check_id, integrity_check_id, restoration_id) FROM payout_stop)::text AS "stopped by a check",
       (SELECT closed_until FROM period_close)::text AS "closed until"`,
  )
  const { rows: operators } = await owner.query<{ id: bigint; role: string }>(
    'SELECT id, operator_role AS role FROM member WHERE is_operator',
  )
  return {
    members: new Map(members.map(({ id, has }) => [String(id), BigInt(has)])),
    figures: rows[0] ?? {},
    rights: new Map(operators.map(({ id, role }) => [String(id), role])),
  }
}

/** What changed that must not have: each member who has more, and each figure that is another, but for those that the role may change. */
export function changesOf(
  before: Facts,
  after: Facts,
  { figures: allowed, rises }: { readonly figures: readonly string[]; readonly rises: boolean },
): string[] {
  const risen = rises
    ? []
    : [...after.members].flatMap(([id, has]) => {
        const had = before.members.get(id) ?? 0n
        return has > had ? [`member ${id} has ${has} instead of ${had}`] : []
      })
  const moved = Object.entries(after.figures).flatMap(([name, value]) =>
    value === before.figures[name] || allowed.includes(name)
      ? []
      : [`${name}: ${value} instead of ${before.figures[name]}`],
  )
  const entitled = [...after.rights].flatMap(([id, role]) => {
    const had = before.rights.get(id)
    return had === role ? [] : [`member ${id} is ${role} instead of ${had ?? 'no operator'}`]
  })
  return [...risen, ...moved, ...entitled]
}
