import type { Failure } from '../../api/failure.ts'

/** The code that confirms a decision. It is no part of what is asked: the same decision keeps its key with another code. */
export interface Coded {
  otp: string
  idempotencyKey: string
}

/** What a payout run changes, the operator's own payments included. */
export const CHANGED_BY_PAYING = ['Operator', 'Payments', 'Dashboard', 'User'] as const

export const keyed = (idempotencyKey: string) => ({ 'Idempotency-Key': idempotencyKey })

/** Another operator was faster: what is shown is out of date. */
export const isOutdated = (failure: unknown) => (failure as Failure | undefined)?.status === 409
