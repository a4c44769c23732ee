/** By passkey or by code: the button that approves, with what it needs. */
import { type FormEvent, useState } from 'react'
import { Field } from './parts.tsx'
import type { NoKey } from './passkey.rules.ts'
import { useTexts } from './texts.ts'
import type { Approving } from './useApproving.ts'

interface ProofsProps {
  readonly operator: string | null
  readonly noKey: NoKey | null
  /** What is shown cannot be signed. */
  readonly barred: boolean
  readonly approving: Approving
  readonly onBack: () => void
}

/** By passkey where there can be one; by code where the operator says so, or where there is no other way. */
export function Proofs({ noKey, operator, barred, approving, onBack }: ProofsProps) {
  const { say } = useTexts()
  const [wantsCode, setWantsCode] = useState(noKey !== null)
  const [code, setCode] = useState('')
  const byCode = wantsCode || noKey !== null
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void approving.approve(byCode ? code : null)
  }
  const cannot = barred || (byCode && (operator === null || !/^\d{6}$/.test(code)))
  return (
    <form className="stack-12 proofs" onSubmit={submit} noValidate>
      {byCode ? (
        <Field
          label={say('codeLabel')}
          className="code-field"
          hint={say(operator === null ? 'codeNobody' : 'codeHint')}
        >
          {(control) => (
            <input
              {...control}
              inputMode="numeric"
              autoComplete="one-time-code"
              spellCheck={false}
              placeholder="······"
              value={code}
              onChange={(event) => setCode(event.target.value.replace(/\D/g, '').slice(0, 6))}
            />
          )}
        </Field>
      ) : null}
      <div className="row-8">
        <button
          type="submit"
          className="button button-primary button-large"
          aria-busy={approving.busy}
          disabled={approving.busy || cannot}
        >
          {approving.busy ? <span className="spinner" aria-hidden="true" /> : null}
          <span>{say(approving.busy ? 'sending' : byCode ? 'approve' : 'approveByKey')}</span>
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
