/** Decides about approvals that were submitted: verifies each by itself, writes it into the journal, and has the database apply it. */
import type { ApprovalRow } from '@aval/approvals'
import type { Database } from '@aval/db/connect'
import { describeError, type Log } from '../../core/log.ts'
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
  findApproval,
  findApprovalRows,
  findSubmitted,
  isStopped,
  refuseApproval,
  type StoredApproval,
} from './approvals.sql.ts'
import { keyOf, verifyProof } from './proof.ts'

export interface AcceptorContext {
  /** As the signer's own role. */
  readonly db: Database
  readonly network: string
  readonly policy: () => Policy
  readonly journal: Journal
  readonly log: Log
  readonly now: () => Date
}

export type Acceptor = ReturnType<typeof createAcceptor>

const AT_ONCE = 50
/** A stranger's guesses lock the codes of an operator, and not the passkeys. */
const WRONG_CODES = 10
const MANY_MEMBERS = 20_000

export function createAcceptor(context: AcceptorContext) {
  const { db, log, journal } = context
  const recent = createRecentRows(context)

  const decide = async (id: bigint): Promise<string> => {
    const approval = await findApproval(db, id)
    if (approval === null || approval.state !== 'submitted') return approval?.state ?? 'approval_not_found'
    const rows = await findApprovalRows(db, id)
    const refusal = journal.fault() ?? (await verify(context, approval, rows))
    const verdict = refusal ?? (await apply(context, approval.id, rows, recent))
    if (verdict === 'accepted') {
      recent.add(rows)
      log.info('approval.accepted', { approval: id, operator: approval.operatorId, rows: rows.length })
    } else {
      await refuseApproval(db, id, verdict)
      log.warn('approval.refused', { approval: id, operator: approval.operatorId, code: verdict })
    }
    return verdict
  }
  return {
    /** One approval; `accepted`, or the name of what speaks against it. @throws what the database throws */
    decide,
    /** All that wait, in their order. What fails is tried again the next time. */
    async decideAll(): Promise<void> {
      for (const id of await findSubmitted(db, AT_ONCE)) {
        try {
          await decide(id)
        } catch (error) {
          log.error('approval.undecided', { approval: id, error: describeError(error) })
        }
      }
    },
  }
}

/** Writes it into the journal when all is well; otherwise the name of what is not. */
async function verify(
  { db, journal, network, policy, now }: AcceptorContext,
  approval: StoredApproval,
  rows: readonly ApprovalRow[],
): Promise<ApprovalRefusal | 'stopped' | null> {
  const known = journal.memory.accepted(approval.nonce)
  // Written before the process ended, and not applied.
  if (known !== null)
    return known.approval === String(approval.id) && known.root === approval.root ? null : 'nonce_used'
  const at = now().getTime()
  const claimed = { ...approval, expiresAt: approval.expiresAt.getTime(), rows }
  const checked = checkApproval(claimed, policy(), network, at)
  if (typeof checked === 'string') return checked
  if (await isStopped(db)) return 'stopped'
  const counter = await verifyNow(journal, approval.operatorId, checked, rows, policy(), at)
  if (typeof counter === 'string') return counter
  await journal.append({
    kind: 'approved',
    at,
    approval: String(approval.id),
    nonce: approval.nonce,
    root: approval.root,
    count: approval.count,
    operator: String(approval.operatorId),
    key: keyOf(checked.proof),
    counter,
    sum: String(checked.sum),
  })
  return null
}

async function verifyNow(
  journal: Journal,
  operator: bigint,
  { proof, request, sum }: Checked,
  rows: readonly ApprovalRow[],
  policy: Policy,
  at: number,
): Promise<number | ApprovalRefusal> {
  const { memory } = journal
  if (proof.kind === 'code') {
    const capped = checkCodeCaps(rows, sum, memory.approvedByCode(at), policy)
    if (capped !== null) return capped
    if (memory.wrongCodes(operator, at) >= WRONG_CODES) return 'code_locked'
  }
  const before = memory.counter(operator, keyOf(proof))
  const counter = verifyProof(proof, request, operator, policy, before, at)
  if (counter === 'wrong_code') await journal.append({ kind: 'wrong_code', at, operator: String(operator) })
  return counter
}

async function apply(
  { db, journal, policy, now }: AcceptorContext,
  id: bigint,
  rows: readonly ApprovalRow[],
  recent: ReturnType<typeof createRecentRows>,
): Promise<string> {
  const at = now().getTime()
  const others = (member: bigint) =>
    new Map([...recent.of(member, at), ...journal.memory.signedOf(member, at)])
  return acceptApproval(db, id, neededOf(rows, policy(), others), journal.head())
}

/** Rows that were accepted in the last day, by member, so that amounts split over several lists are counted together. */
function createRecentRows({ now }: AcceptorContext) {
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
