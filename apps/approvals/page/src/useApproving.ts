/** Signing a list, and handing it in. */
import { type ApprovalRequest, challengeOf, type Purpose } from '@aval/approvals'
import { useState } from 'react'
import type { Settings } from './answers.rules.ts'
import { postApproval, Refused } from './api.ts'
import { newNonce, PasskeyFailed, sign } from './passkey.ts'

export interface Submitted {
  readonly id: string
  /** By this device's clock. */
  readonly expiresAt: number
  readonly purpose: Purpose
  /** Micro-USDT of withdrawals. */
  readonly amount: bigint
  readonly count: number
}

/** What is to be signed, and its rows as they travel. */
export interface Asked {
  readonly purpose: Purpose
  readonly list: Pick<ApprovalRequest, 'count' | 'root'>
  readonly lifetimeMs: number
  readonly rows: readonly object[]
  /** Micro-USDT of withdrawals. */
  readonly amount: bigint
}

export interface Handing {
  readonly operator: string | null
  readonly onOperator: (operator: string) => void
  /** The passkey is another operator's than the one who chose. */
  readonly onOtherKey: (operator: string) => void
  readonly settings: Settings
  /** Milliseconds that the server's clock is ahead of this device's. */
  readonly ahead: number
  readonly onSubmitted: (submitted: Submitted) => void
}

/** Valid from this moment on. */
const requestOf = ({ purpose, list, lifetimeMs }: Asked, { settings, ahead }: Handing): ApprovalRequest => ({
  network: settings.network,
  purpose,
  expiresAt: Date.now() + ahead + lifetimeMs,
  nonce: newNonce(),
  ...list,
})

/** One approval on its way: asks for the proof over what `ask` gives, and hands both in. */
export function useApproving(handing: Handing, ask: () => Asked) {
  const { operator, onOperator, onOtherKey, ahead, onSubmitted } = handing
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const handIn = async (code: string | null) => {
    const asked = ask()
    const request = requestOf(asked, handing)
    const given =
      code === null
        ? await sign(challengeOf(request))
        : { operator: operator ?? '', proof: { kind: 'code', code } }
    // What that operator may approve differs: nothing is handed in that was chosen as somebody else.
    if (operator !== null && given.operator !== operator) return onOtherKey(given.operator)
    onOperator(given.operator)
    const { expiresAt, nonce, root, purpose } = request
    const { amount, rows } = asked
    const id = await postApproval(
      { operator: given.operator, expires_at: expiresAt, nonce, root, proof: given.proof, rows },
      purpose === 'decisions' ? 'decisions' : 'approvals',
    )
    onSubmitted({ id, expiresAt: expiresAt - ahead, purpose, amount, count: rows.length })
  }
  const approve = async (code: string | null) => {
    if (busy) return
    setBusy(true)
    setFailure(null)
    try {
      await handIn(code)
    } catch (error) {
      setFailure(error instanceof Refused || error instanceof PasskeyFailed ? error.message : 'unexpected')
    } finally {
      setBusy(false)
    }
  }
  return { approve, busy, failure }
}

export type Approving = ReturnType<typeof useApproving>
