/** An operator makes a passkey, and gets the line that registers it on the signer's machine. */
import { type FormEvent, useState } from 'react'
import type { Operator } from './answers.rules.ts'
import { Failure, Field } from './parts.tsx'
import { type NoKey, shortForm } from './passkey.rules.ts'
import { type Created, create, PasskeyFailed } from './passkey.ts'
import { useTexts } from './texts.ts'

interface EnrolProps {
  readonly operators: readonly Operator[]
  readonly operator: string | null
  readonly noKey: NoKey | null
}

const isNumber = (text: string) => /^[1-9]\d{0,14}$/.test(text)
const isName = (text: string) => /^.{2,60}$/u.test(text.trim())

export function Enrol({ operators, operator, noKey }: EnrolProps) {
  const { say } = useTexts()
  const known = operators.find(({ id }) => id === operator)
  const [member, setMember] = useState(operator ?? '')
  const [name, setName] = useState(known === undefined ? '' : known.name || known.username)
  const [created, setCreated] = useState<Created | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [isTried, setTried] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    setFailure(null)
    if (!isNumber(member) || !isName(name)) return
    try {
      setCreated(await create(member, name.trim()))
    } catch (error) {
      setFailure(error instanceof PasskeyFailed ? error.message : 'passkey_failed')
    }
  }
  return (
    <section className="card card-pad stack-16 enrol">
      <h1>{say('enrol.title')}</h1>
      <p className="muted">{say('enrol.text')}</p>
      {created === null ? (
        <form className="stack-16" onSubmit={(event) => void submit(event)} noValidate>
          <div className="pair">
            <TextField
              label={say('enrol.member')}
              value={member}
              onChange={setMember}
              numeric
              error={isTried && !isNumber(member) ? say('enrol.numberBad') : null}
            />
            <TextField
              label={say('enrol.name')}
              value={name}
              onChange={setName}
              error={isTried && !isName(name) ? say('enrol.nameBad') : null}
            />
          </div>
          <Failure code={failure} />
          <div className="row-8">
            <button type="submit" className="button button-primary" disabled={noKey !== null}>
              {say('enrol.create')}
            </button>
          </div>
        </form>
      ) : (
        <Made created={created} onAnother={() => setCreated(null)} />
      )}
    </section>
  )
}

interface TextFieldProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly numeric?: boolean
  readonly error: string | null
}

function TextField({ label, value, onChange, numeric = false, error }: TextFieldProps) {
  return (
    <Field label={label} error={error}>
      {(control) => (
        <input
          {...control}
          inputMode={numeric ? 'numeric' : 'text'}
          autoComplete="off"
          spellCheck={false}
          aria-invalid={error !== null}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}

function Made({ created, onAnother }: { created: Created; onAnother: () => void }) {
  const { say } = useTexts()
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(created.line)
    setCopied(true)
  }
  return (
    <div className="stack-14" role="status">
      <div className="notice notice-ok">{say('enrol.made')}</div>
      <p>{say('enrol.give')}</p>
      <dl className="stack-12">
        <div className="box stack-6">
          <dt className="muted small">{say('enrol.fingerprint')}</dt>
          <dd>
            <code className="hash hash-large">{shortForm(created.hash)}</code>
          </dd>
        </div>
        <div className="box stack-6">
          <dt className="muted small">{say('enrol.line')}</dt>
          <dd>
            <code className="hash">{created.line}</code>
          </dd>
        </div>
      </dl>
      <div className="row-8">
        <button type="button" className="button button-primary" onClick={() => void copy()}>
          {say(isCopied ? 'enrol.copied' : 'enrol.copy')}
        </button>
        <button type="button" className="button button-quiet" onClick={onAnother}>
          {say('enrol.another')}
        </button>
      </div>
    </div>
  )
}
