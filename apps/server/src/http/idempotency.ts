import { createHash } from 'node:crypto'
import type { Db } from '@aval/db'
import type { FastifyRequest } from 'fastify'
import { inBatches } from '../core/batches.ts'
import { type CommitOnRefusalTx, commitOnRefusal } from '../core/committed-refusal.ts'
import type { Context, JobContext } from '../core/context.ts'
import { Refusal } from '../core/refusal.ts'
import { deleteOldResponses, insertAnswer, lockKey, selectAnswer } from './idempotency.sql.ts'

/** An answer that can be stored: its body is what JSON makes of it. */
export interface StoredAnswer<Status extends number, Body> {
  readonly status: Status
  readonly body: Body
}

type KeyedRequest = Pick<FastifyRequest, 'headers' | 'method' | 'originalUrl'> & { readonly body?: unknown }

const KEY = /^[\x21-\x7e]{1,200}$/

export function keyOf(request: KeyedRequest): string | null {
  const header = request.headers['idempotency-key']
  if (header === undefined) return null
  if (typeof header !== 'string' || !KEY.test(header)) throw new Refusal('idempotency_key_invalid')
  return header
}

/** The same parsed body gives the same text, whatever the order in which its fields were sent. */
function canonical(value: unknown): string {
  if (typeof value === 'bigint') return `${value}n`
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'undefined'
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1))
  return `{${entries.map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`).join()}}`
}

/** The body without its code: a repeated call comes with the next code. */
function withoutCode(body: unknown): unknown {
  if (body === null || typeof body !== 'object' || Array.isArray(body)) return body
  return Object.fromEntries(Object.entries(body).filter(([name]) => name !== 'otp'))
}

function hashOf(request: KeyedRequest): string {
  const path = request.originalUrl.split('?')[0]?.replace(/\/+$/, '')
  return createHash('sha256')
    .update(`${request.method} ${path}\n${canonical(withoutCode(request.body))}`)
    .digest('hex')
}

/** The hash of key, call and body; null without a key. */
export function attemptOf(request: KeyedRequest): string | null {
  const key = keyOf(request)
  return key === null
    ? null
    : createHash('sha256')
        .update(`${key} ${hashOf(request)}`)
        .digest('hex')
}

/**
 * Runs `work` once per member and Idempotency-Key, in one transaction with its stored answer; the same call sent again
 * gets that answer. A refusal stores no answer. Without the header it is a transaction like any other.
 * @throws Refusal `idempotency_key_reused` when the key came with another call or body
 */
export async function idempotently<Status extends number, Body>(
  context: Context,
  request: KeyedRequest,
  memberId: bigint,
  work: (tx: CommitOnRefusalTx) => Promise<StoredAnswer<Status, Body>>,
): Promise<StoredAnswer<Status, Body>> {
  const key = keyOf(request)
  if (key === null) return commitOnRefusal(context.db, work)
  const hash = hashOf(request)
  return commitOnRefusal(context.db, async (tx) => {
    await lockKey(tx, memberId, key)
    const stored = await selectAnswer(tx, memberId, key)
    if (stored !== undefined) {
      if (stored.request_hash !== hash) throw new Refusal('idempotency_key_reused')
      return { status: stored.status as Status, body: JSON.parse(stored.body) as Body }
    }
    const answer = await work(tx)
    await insertAnswer(tx, {
      member_id: memberId,
      key,
      request_hash: hash,
      status: answer.status,
      body: JSON.stringify(answer.body),
      at: new Date(),
    })
    return answer
  })
}

/** Deletes stored answers that are more than seven days old. @param now system time @returns how many */
export function purgeResponses(db: Db, now: Date): Promise<number> {
  return inBatches((most) => deleteOldResponses(db, now, most))
}

export const idempotencyJobs = ({ db, systemNow }: JobContext) => ({
  'idempotency.purge': async () => {
    await purgeResponses(db, systemNow())
  },
})
