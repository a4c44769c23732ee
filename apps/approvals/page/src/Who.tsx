/** Who is at the page. */
import { useState } from 'react'
import type { Operator } from './answers.rules.ts'
import { Failure, Field } from './parts.tsx'
import type { NoKey } from './passkey.rules.ts'
import { PasskeyFailed, whoseKey } from './passkey.ts'
import { ENROL } from './place.ts'
import { useTexts } from './texts.ts'

interface WhoProps {
  readonly operators: readonly Operator[]
  readonly operator: string | null
  readonly onOperator: (operator: string | null) => void
  readonly noKey: NoKey | null
  readonly enrolling: boolean
}

/** Says whose approvals these are; that alone approves nothing. */
export function Who({ operators, operator, onOperator, noKey, enrolling }: WhoProps) {
  const { say } = useTexts()
  const [failure, setFailure] = useState<string | null>(null)
  const ask = async () => {
    setFailure(null)
    try {
      onOperator(await whoseKey())
    } catch (error) {
      setFailure(error instanceof PasskeyFailed ? error.message : 'passkey_failed')
    }
  }
  return (
    <div className="stack-8">
      <div className="who">
        <Field label={say('who')}>
          {(control) => (
            <select
              {...control}
              value={operator ?? ''}
              onChange={(event) => onOperator(event.target.value || null)}
            >
              <option value="">{say('whoNobody')}</option>
              {operators.map(({ id: number, username, name }) => (
                <option key={number} value={number} translate="no">
                  {name === '' ? username : `${username} · ${name}`}
                </option>
              ))}
            </select>
          )}
        </Field>
        {noKey === null ? (
          <button type="button" className="button button-secondary" onClick={() => void ask()}>
            {say('whoByKey')}
          </button>
        ) : null}
        <a className="button button-quiet who-place" href={enrolling ? '#' : ENROL}>
          {say(enrolling ? 'toList' : 'toEnrol')}
        </a>
      </div>
      <Failure code={failure} />
    </div>
  )
}
