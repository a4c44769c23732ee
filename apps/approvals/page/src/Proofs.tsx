/** The two ways of signing a list, and handing it in. */
import { type ApprovalRequest, challengeOf, type Purpose } from '@aval/approvals'
import { type FormEvent, useId, useState } from 'react'
import { postApproval, Refused } from './api.ts'
import type { NoKey } from './passkey.rules.ts'
import { PasskeyFailed, sign } from './passkey.ts'
import { useTexts } from './texts.ts'

export interface Submitted {
  readonly id: string
  readonly expiresAt: number
  readonly purpose: Purpose
  /** Micro-USDT of withdrawals. */
  readonly amount: bigint
  readonly count: number
}

/** What is signed, and its rows as they travel. */
export interface Asked {
  readonly request: ApprovalRequest
  readonly rows: readonly object[]
}

export interface Handing {
  readonly operator: string | null
  readonly onOperator: (operator: string) => void
  /** The passkey is another operator's than the one who chose. */
  readonly onOtherKey: (operator: string) => void
}

/** One approval on its way: asks for the proof over the request, and hands both in. */
export function useApproving(
  { operator, onOperator, onOtherKey }: Handing,
  ask: () => Asked,
  onSubmitted: (id: string, request: ApprovalRequest) => void,
) {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const approve = async (code: string | null) => {
    if (busy) return
    setBusy(true)
    setFailure(null)
    try {
      const { request, rows } = ask()
      const given =
        code === null
          ? await sign(challengeOf(request))
          : { operator: operator ?? '', proof: { kind: 'code', code } }
      // What that operator may approve differs: nothing is handed in that was chosen as somebody else.
      if (operator !== null && given.operator !== operator) return onOtherKey(given.operator)
      onOperator(given.operator)
      const { expiresAt, nonce, root, purpose } = request
      const shared = {
        operator: given.operator,
        expires_at: expiresAt,
        nonce,
        root,
        proof: given.proof,
        rows,
      }
      onSubmitted(await postApproval(shared, purpose === 'decisions' ? 'decisions' : 'approvals'), request)
    } catch (error) {
      setFailure(error instanceof Refused || error instanceof PasskeyFailed ? error.message : 'unexpected')
    } finally {
      setBusy(false)
    }
  }
  return { approve, busy, failure }
}

interface ProofsProps {
  readonly operator: string | null
  readonly noKey: NoKey | null
  /** What is shown cannot be signed. */
  readonly barred: boolean
  readonly approving: ReturnType<typeof useApproving>
  readonly onBack: () => void
}

/** By passkey where there can be one; by code where the operator says so, or where there is no other way. */
export function Proofs({ noKey, operator, barred, approving, onBack }: ProofsProps) {
  const { say } = useTexts()
  const [wantsCode, setWantsCode] = useState(noKey !== null)
  const [code, setCode] = useState('')
  const id = useId()
  const byCode = wantsCode || noKey !== null
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void approving.approve(byCode ? code : null)
  }
  const cannot = barred || (byCode && (operator === null || !/^\d{6}$/.test(code)))
  return (
    <form className="stack-12 proofs" onSubmit={submit} noValidate>
      {byCode ? (
        <div className="field code-field">
          <label className="field-label" htmlFor={id}>
            {say('codeLabel')}
          </label>
          <div className="field-box">
            <input
              id={id}
              inputMode="numeric"
              autoComplete="one-time-code"
              spellCheck={false}
              placeholder="······"
              aria-describedby={`${id}hint`}
              value={code}
              onChange={(event) => setCode(event.target.value.replace(/\D/g, '').slice(0, 6))}
            />
          </div>
          <p id={`${id}hint`} className="muted small">
            {say(operator === null ? 'codeNobody' : 'codeHint')}
          </p>
        </div>
      ) : null}
      <div className="row-8">
        <button
          type="submit"
          className="button button-primary button-large"
          aria-busy={approving.busy}
          disabled={approving.busy || cannot}
        >
          {approving.busy ? <span className="spinner" aria-hidden="true" /> : null}
          {say(approving.busy ? 'sending' : byCode ? 'approve' : 'approveByKey')}
        </button>
        {noKey === null ? (
          <button type="button" className="button button-quiet" onClick={() => setWantsCode(!byCode)}>
            {say(byCode ? 'byKey' : 'byCode')}
          </button>
        ) : null}
        <button type="button" className="button button-secondary" onClick={onBack} disabled={approving.busy}>
          {say('back')}
        </button>
      </div>
    </form>
  )
}
