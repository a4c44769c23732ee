/** Decides about approvals that were submitted: verifies each by itself, writes it into the journal, and has the database apply it. */
import { describeError, type Log } from '../../core/log.ts'
import type { Journal } from '../journal/journal.ts'
import type { Accepted } from '../journal/memory.rules.ts'
import type { Policy } from '../policy.rules.ts'
import type { ApprovalRefusal, Checked } from './approval.rules.ts'
import { findApproval, findSubmitted, refuseApproval, type StoredApproval } from './approvals.sql.ts'
import { keyOf, verifyProof } from './proof.ts'
import { createRecentRows, type Subject, type SubjectContext, subjectOf } from './subjects.ts'

export interface AcceptorContext extends SubjectContext {
  readonly log: Log
}

export type Acceptor = ReturnType<typeof createAcceptor>

const AT_ONCE = 50
/** A stranger's guesses lock the codes of an operator, and not the passkeys. */
const WRONG_CODES = 10

export function createAcceptor(context: AcceptorContext) {
  const { db, log, journal } = context
  const recent = createRecentRows(context)

  const decide = async (id: bigint): Promise<string> => {
    const approval = await findApproval(db, id)
    if (approval === null || approval.state !== 'submitted') return approval?.state ?? 'approval_not_found'
    const subject = await subjectOf(context, approval, recent)
    const verified = journal.fault() ?? (await verifyApproval(context, approval, subject))
    if (verified !== null && typeof verified !== 'string') await journal.append(verified)
    const verdict = typeof verified === 'string' ? verified : await subject.apply()
    const { purpose, operatorId: operator } = approval
    if (verdict === 'accepted') {
      log.info('approval.accepted', { approval: id, purpose, operator, rows: subject.count })
    } else {
      await refuseApproval(db, id, verdict)
      log.warn('approval.refused', { approval: id, purpose, operator, code: verdict })
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

/** As the database has it, or a file on a machine without a network. */
export type Submitted = Pick<StoredApproval, 'id' | 'operatorId' | 'nonce' | 'root' | 'count'>

/** What the journal is to remember when all is well, before anything follows from it; null where it does. Otherwise the name of what is not. */
export async function verifyApproval(
  { journal, policy, now }: Pick<AcceptorContext, 'journal' | 'policy' | 'now'>,
  approval: Submitted,
  subject: Omit<Subject, 'count' | 'apply'>,
): Promise<Accepted | ApprovalRefusal | 'stopped' | null> {
  const known = journal.memory.accepted(approval.nonce)
  // Written before the process ended, and not applied.
  if (known !== null) return isSame(known, approval, subject) ? null : 'nonce_used'
  const at = now().getTime()
  const checked = subject.check(at)
  if (typeof checked === 'string') return checked
  const forbidden = await subject.forbids()
  if (forbidden !== null) return forbidden
  const counter = await verifyNow(journal, approval.operatorId, checked, subject, policy(), at)
  if (typeof counter === 'string') return counter
  const entry = {
    at,
    approval: String(approval.id),
    nonce: approval.nonce,
    root: approval.root,
    count: approval.count,
    operator: String(approval.operatorId),
    key: keyOf(checked.proof),
    counter,
  }
  return subject.kind === 'decided'
    ? { kind: 'decided', ...entry }
    : { kind: 'approved', ...entry, sum: String(checked.sum) }
}

const isSame = (
  known: Accepted,
  { id, operatorId, root }: Submitted,
  { kind }: Pick<Subject, 'kind'>,
): boolean =>
  known.kind === kind &&
  known.approval === String(id) &&
  known.operator === String(operatorId) &&
  known.root === root

async function verifyNow(
  journal: Journal,
  operator: bigint,
  { proof, request, sum }: Checked,
  subject: Pick<Subject, 'checkCode'>,
  policy: Policy,
  at: number,
): Promise<number | ApprovalRefusal> {
  const { memory } = journal
  if (proof.kind === 'code') {
    const capped = subject.checkCode(sum, at)
    if (capped !== null) return capped
    if (memory.wrongCodes(operator, at) >= WRONG_CODES) return 'code_locked'
  }
  const before = memory.counter(operator, keyOf(proof))
  const counter = verifyProof(proof, request, operator, policy, before, at)
  if (counter === 'wrong_code') await journal.append({ kind: 'wrong_code', at, operator: String(operator) })
  return counter
}
