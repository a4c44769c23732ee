/** Decisions about money: each is confirmed by a fresh code, done once a key, and written down. */
import type { FastifyRequest } from 'fastify'
import { recordAudit } from '../core/audit.sql.ts'
import type { CommitOnRefusalTx } from '../core/committed-refusal.ts'
import type { Context } from '../core/context.ts'
import { callerOf } from './access.ts'
import type { Decision } from './api.ts'
import { attemptOf, idempotently, type StoredAnswer } from './idempotency.ts'

type Deciding = Pick<FastifyRequest, 'caller' | 'headers' | 'method' | 'originalUrl' | 'server'> & {
  readonly body?: { readonly otp?: string | undefined } | null | undefined
}

/** How a decision is called in the audit trail. */
interface Named {
  /** `noun.verb`: `pool.fund`. */
  readonly action: string
  /** `noun:id`: `pool:profit`; as it was sent, it need not exist. */
  readonly subject: string
  /** Whatever explains it; amounts as text. */
  readonly details?: Readonly<Record<string, unknown>>
}

/**
 * What a call asks a code for: who decides, with which code, what.
 * @throws Refusal `idempotency_key_invalid`
 */
function decisionOf(request: Deciding, { action, subject }: Named): Decision {
  const { memberId, sessionId } = callerOf(request)
  return {
    memberId,
    sessionId,
    otp: request.body?.otp ?? null,
    attempt: attemptOf(request),
    action,
    subject,
  }
}

/**
 * Carries out an operator's decision: the code first, before anything else is looked at; then `work`, once a key, with its
 * entry in the audit trail. Every route that lets an operator decide about money goes through here.
 * @throws Refusal `otp_required`, `otp_invalid`, `too_many_requests`, and whatever `work` refuses
 */
export async function decide<Status extends number, Body>(
  context: Context,
  request: Deciding,
  named: Named,
  work: (tx: CommitOnRefusalTx) => Promise<StoredAnswer<Status, Body>>,
): Promise<Body> {
  // Sessions and codes live by the system's time.
  const at = new Date()
  const { memberId } = callerOf(request)
  await request.server.confirmDecision(context, decisionOf(request, named), at)
  const { body } = await idempotently(context, request, memberId, async (tx) => {
    const answer = await work(tx)
    await recordAudit(tx, { at, actorId: memberId, outcome: 'done', ...named })
    return answer
  })
  return body
}
