import { createContext, useContext } from 'react'
import { type Failure, isUnanswered } from '../../api/failure.ts'

/** What a call of the client gives back. */
export interface Outcome<Data> {
  data?: Data | undefined
  error?: unknown
}

/** A decision that waits for its code. */
export interface Confirmation<Data> {
  /** What is being confirmed, in one sentence. */
  what: string
  /** Takes something away that cannot be given back by pressing again. */
  danger?: boolean
  send: (otp: string) => Promise<Outcome<Data>>
}

/**
 * Asks for a code and sends the decision with it; again, when the code was wrong or no answer came. Gives back the answer,
 * or null when the operator thought better of it.
 */
export type Confirm = <Data>(confirmation: Confirmation<Data>) => Promise<Outcome<Data> | null>

export const ConfirmContext = createContext<Confirm | null>(null)

/** @throws outside of the operator's pages */
export function useConfirm(): Confirm {
  const confirm = useContext(ConfirmContext)
  if (confirm === null) throw new Error('codes are asked for inside of CodeProvider')
  return confirm
}

const ABOUT_THE_CODE = new Set(['otp_required', 'otp_invalid', 'too_many_requests'])

/** Whether a refusal is said where the code is typed; every other is about the decision itself. */
export function isAboutCode(failure: Failure): boolean {
  return isUnanswered(failure) || ABOUT_THE_CODE.has(failure.code ?? '')
}
