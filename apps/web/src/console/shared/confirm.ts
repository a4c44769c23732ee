import { createContext, useContext, useRef, useState } from 'react'
import { type Failure, isUnanswered } from '../../api/failure.ts'
import { AttemptKey } from '../../api/idempotency.ts'
import type { Coded } from './calls.ts'

/** What a call of the client gives back. */
export interface Outcome<Data> {
  data?: Data | undefined
  error?: unknown
}

/** What a decision is called where its code is asked for. */
interface Wording {
  /** What is being confirmed, in one sentence. */
  what: string
  /** Takes something away that cannot be given back by pressing again. */
  danger?: boolean
}

/** A decision that waits for its code. */
export interface Confirmation<Data> extends Wording {
  send: (otp: string) => Promise<Outcome<Data>>
}

/**
 * Asks for a code and sends the decision with it; again, when the code was wrong or no answer came. Gives back the answer,
 * or null when the operator went back.
 */
export type Confirm = <Data>(confirmation: Confirmation<Data>) => Promise<Outcome<Data> | null>

export const ConfirmContext = createContext<Confirm | null>(null)

const ABOUT_THE_CODE = new Set(['otp_required', 'otp_invalid', 'too_many_requests'])

/** Whether a refusal is shown where the code is typed; every other is about the decision itself. */
export function isAboutCode(failure: Failure): boolean {
  return isUnanswered(failure) || ABOUT_THE_CODE.has(failure.code ?? '')
}

/** A decision as its form sees it. */
export type Decision<Body extends object, Data> = ReturnType<typeof useDecision<Body, Data>>

/**
 * What every form of operators decides by: one code, one call at a time, and an idempotency key that stays the same for as
 * long as no answer came.
 *
 * @throws outside of ConfirmProvider
 */
export function useDecision<Body extends object, Data>(send: (call: Body & Coded) => Promise<Outcome<Data>>) {
  const confirm = useContext(ConfirmContext)
  if (confirm === null) throw new Error('codes are asked for inside of ConfirmProvider')
  const [failure, setFailure] = useState<Failure | null>(null)
  /** It is being sent: the form stays open, and takes no second press. */
  const [busy, setBusy] = useState(false)
  const attempt = useRef(new AttemptKey())
  /** Asks for the code and sends. Null where the operator went back; another question for a code takes the place of the first. */
  const decide = async (body: Body, wording: Wording) => {
    const outcome = await confirm({
      ...wording,
      send: async (otp) => {
        setBusy(true)
        const sent = await send({ ...body, otp, idempotencyKey: attempt.current.for(body) })
        setBusy(false)
        return sent
      },
    })
    if (outcome === null) return null
    const refused = (outcome.error as Failure | undefined) ?? null
    attempt.current.settle(refused)
    setFailure(refused)
    return outcome
  }
  return { decide, failure, busy }
}
