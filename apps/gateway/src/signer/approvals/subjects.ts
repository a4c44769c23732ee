/** What an approval can be about: withdrawals or decisions. Each is checked, counted and applied in its own way. */
import type { ApprovalRow } from '@aval/approvals'
import type { Database } from '@aval/db/connect'
import type { Journal } from '../journal/journal.ts'
import { DAY_MS } from '../journal/memory.rules.ts'
import type { Policy } from '../policy.rules.ts'
import {
  type ApprovalRefusal,
  type Checked,
  checkApproval,
  checkCodeCaps,
  neededOf,
} from './approval.rules.ts'
import {
  acceptApproval,
  findApprovalDecisions,
  findApprovalRows,
  isStopped,
  type StoredApproval,
} from './approvals.sql.ts'
import { checkDecisions, operatorsDeciding } from './decision.rules.ts'

export interface SubjectContext {
  /** As the signer's own role. */
  readonly db: Database
  readonly network: string
  readonly policy: () => Policy
  readonly journal: Journal
  readonly now: () => Date
}

export interface Subject {
  /** The journal's word for it. */
  readonly kind: 'approved' | 'decided'
  readonly count: number
  /** @param at system time, in milliseconds */
  check(at: number): Checked | ApprovalRefusal
  /** What speaks against it besides, before its proof is used up. */
  forbids(): Promise<ApprovalRefusal | 'stopped' | null>
  /** Why a code may not approve it now. */
  checkCode(sum: bigint, at: number): ApprovalRefusal | null
  /** The database's verdict: `accepted`, or what speaks against it. */
  apply(): Promise<string>
}

const MANY_MEMBERS = 20_000

export type RecentRows = ReturnType<typeof createRecentRows>

export async function subjectOf(
  context: SubjectContext,
  approval: StoredApproval,
  recent: RecentRows,
): Promise<Subject> {
  return approval.purpose === 'decisions'
    ? decisionsOf(context, approval)
    : withdrawalsOf(context, approval, recent)
}

async function withdrawalsOf(
  { db, network, policy, journal, now }: SubjectContext,
  approval: StoredApproval,
  recent: RecentRows,
): Promise<Subject> {
  const rows = await findApprovalRows(db, approval.id)
  const others = (at: number) => (member: bigint) =>
    new Map([...recent.of(member, at), ...journal.memory.signedOf(member, at)])
  return {
    kind: 'approved',
    count: rows.length,
    check: (at) => checkApproval({ ...claimOf(approval), rows }, policy(), network, at),
    forbids: async () => ((await isStopped(db)) ? 'stopped' : null),
    checkCode: (sum, at) => checkCodeCaps(rows, sum, journal.memory.approvedByCode(at), policy()),
    async apply() {
      const needed = neededOf(rows, policy(), others(now().getTime()))
      const verdict = await acceptApproval(db, 'withdrawals', approval.id, needed, journal.head())
      if (verdict === 'accepted') recent.add(rows)
      return verdict
    },
  }
}

async function decisionsOf(
  { db, network, policy, journal }: SubjectContext,
  approval: StoredApproval,
): Promise<Subject> {
  const rows = await findApprovalDecisions(db, approval.id)
  return {
    kind: 'decided',
    count: rows.length,
    check: (at) => checkDecisions({ ...claimOf(approval), rows }, policy(), network, at),
    // A new plan is no payment. The database refuses to release a run while payouts are stopped.
    forbids: async () => null,
    checkCode: () => null,
    apply: () =>
      acceptApproval(db, 'decisions', approval.id, operatorsDeciding(rows, policy()), journal.head()),
  }
}

const claimOf = (approval: StoredApproval) => ({ ...approval, expiresAt: approval.expiresAt.getTime() })

/** Rows that were accepted in the last day, by member, so that amounts split over several lists are counted together. */
export function createRecentRows({ now }: Pick<SubjectContext, 'now'>) {
  const byMember = new Map<bigint, Map<string, { readonly at: number; readonly amount: bigint }>>()
  const recentOf = (member: bigint, at: number): [string, bigint][] => {
    const list = byMember.get(member)
    if (list === undefined) return []
    for (const [withdrawal, row] of list) if (row.at <= at - DAY_MS) list.delete(withdrawal)
    if (list.size === 0) byMember.delete(member)
    return [...list].map(([withdrawal, { amount }]) => [withdrawal, amount])
  }
  return {
    of: recentOf,
    add(rows: readonly ApprovalRow[]): void {
      const at = now().getTime()
      if (byMember.size > MANY_MEMBERS) for (const member of byMember.keys()) recentOf(member, at)
      for (const { memberId, withdrawalId, amount } of rows) {
        const list = byMember.get(memberId) ?? new Map()
        byMember.set(memberId, list.set(String(withdrawalId), { at, amount }))
      }
    },
  }
}
