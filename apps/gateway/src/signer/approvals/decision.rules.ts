/** What an approval of decisions must be before its proof is verified, and how many operators each decision needs. */
import {
  type ApprovalRequest,
  type DecisionRow,
  LIFETIME_MS,
  listOfDecisions,
  MAX_DECISIONS,
} from '@aval/approvals'
import type { Policy } from '../policy.rules.ts'
import {
  type ApprovalRefusal,
  type Checked,
  type Claimed,
  checkProof,
  checkTerms,
  isApprover,
} from './approval.rules.ts'

/** By whose number of the key file each kind goes. */
const KINDS: Readonly<Record<string, 'run' | 'plan' | 'memberKey'>> = {
  run_release: 'run',
  run_prorate: 'run',
  plan: 'plan',
  member_key: 'memberKey',
  fund_pool: 'run',
  explain_difference: 'run',
  resume_payments: 'run',
  reverse_investment: 'run',
  set_extra_percent: 'run',
  set_fundator: 'run',
}

/**
 * All that can be said without cryptography but for the list's hash.
 * @param now system time, in milliseconds
 * @param lifetimeMs the longest that an approval may still be good for
 */
export function checkDecisions(
  claimed: Claimed<DecisionRow>,
  policy: Policy,
  network: string,
  now: number,
  lifetimeMs = LIFETIME_MS,
): Checked | ApprovalRefusal {
  const { operatorId, rows, expiresAt, nonce, root, count } = claimed
  const refused = checkTerms(claimed, 'decisions', network, now, lifetimeMs)
  if (refused !== null) return refused
  if (!isDecisionList(rows, claimed)) return 'list_differs'
  if (new Set(rows.map(({ decisionId }) => decisionId)).size !== rows.length) return 'row_twice'
  if (rows.some(({ kind }) => !Object.hasOwn(KINDS, kind))) return 'unknown_decision'
  if (!isApprover(policy, operatorId)) return 'not_an_approver'
  const proof = checkProof(claimed, policy)
  if (typeof proof === 'string') return proof
  if (proof.kind === 'code' && !codesDecide(rows, policy)) return 'code_not_for_decisions'
  return { request: { network, purpose: 'decisions', expiresAt, nonce, root, count }, proof, sum: 0n }
}

/** Codes say nothing of what they approve. Whose account a member's key opens is never decided by one. */
const codesDecide = (rows: readonly DecisionRow[], policy: Policy): boolean =>
  policy.decisions.codes && rows.every(({ kind }) => kind !== 'member_key')

/** Whether these are the decisions behind a root, all of them and in their order. */
export function isDecisionList(
  rows: readonly DecisionRow[],
  { root, count }: Pick<ApprovalRequest, 'root' | 'count'>,
): boolean {
  if (rows.length !== count || rows.length > MAX_DECISIONS) return false
  try {
    return listOfDecisions(rows).root === root
  } catch {
    return false
  }
}

/** How many operators each decision needs, in the list's order. */
export function operatorsDeciding(
  rows: readonly DecisionRow[],
  { decisions }: Pick<Policy, 'decisions'>,
): number[] {
  return rows.map(({ kind }) => decisions[KINDS[kind] ?? 'memberKey'])
}
