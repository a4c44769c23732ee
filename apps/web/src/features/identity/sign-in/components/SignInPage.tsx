import { plainTyped } from '@aval/contract/typed'
import { type FormEvent, useRef, useState } from 'react'
import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'
import type { Failure } from '../../../../api/failure.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Field } from '../../../../ui/Field.tsx'
import { Link } from '../../../../ui/Link.tsx'
import { Notice } from '../../../../ui/Notice.tsx'
import { PasswordField } from '../../../../ui/PasswordField.tsx'
import { useFailureText } from '../../../../ui/useFailureText.ts'
import { usePageTitle } from '../../../../ui/usePageTitle.ts'
import { signIn } from '../api.ts'
import { usePasskeySignIn } from '../usePasskeySignIn.ts'
import { PasskeyButton } from './PasskeyButton.tsx'
import '../../auth.css'

const FIELDS = ['email', 'password'] as const
type FieldName = (typeof FIELDS)[number]
type Errors = Partial<Record<FieldName, string>>

const firstOf = (errors: Errors) => FIELDS.find((name) => errors[name] !== undefined) ?? null

/** Signs in with what the form holds; success is not handled here: the session opens, and the router leaves. */
function useSignIn() {
  const { t } = useTranslation('identity')
  const sayFailure = useFailureText()
  const navigate = useNavigate()
  const { search } = useLocation()
  const [errors, setErrors] = useState<Errors>({})
  const [refusal, setRefusal] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const [working, setWorking] = useState(false)
  // A second press can come before the first one is shown as busy.
  const running = useRef(false)

  /** @returns the field to go back to */
  const refuse = (failure: Failure): FieldName | null => {
    const refused: Errors = {}
    for (const { path, detail } of failure.fields ?? [])
      for (const name of FIELDS) if (path === name) refused[name] = detail
    setErrors(refused)
    const first = firstOf(refused)
    if (first !== null) return first
    // A wrong password, or one too many, is said at the form; what is not the visitor's doing is said by a toast.
    if (failure.status === 401 || failure.status === 429) setRefusal(sayFailure(failure))
    else toast.error(sayFailure(failure))
    return failure.status === 401 ? 'password' : null
  }

  const submit = async (typed: Record<FieldName, string>): Promise<FieldName | null> => {
    const missing: Errors = {}
    for (const name of FIELDS) if (typed[name] === '') missing[name] = t('rule.required')
    setErrors(missing)
    setRefusal(null)
    if (firstOf(missing) !== null || running.current) return firstOf(missing)
    running.current = true
    setBusy(true)
    const outcome = await signIn(typed, () => setWorking(true))
    setWorking(false)
    if (outcome.state === 'failed') {
      running.current = false
      setBusy(false)
      return refuse(outcome.failure)
    }
    // Busy until the next page is there: on a slow line the form stays for a while.
    // The address says where to go afterwards, and keeps saying it.
    const { token, passkey } = outcome.state === 'code' ? outcome : { token: null, passkey: false }
    if (token !== null) navigate(`/auth/otp${search}`, { state: { token, passkey } })
    return null
  }

  const clear = (name: FieldName) => {
    setErrors(({ [name]: _cleared, ...others }) => others)
    setRefusal(null)
  }
  return { errors, refusal, setRefusal, busy, working, submit, clear }
}

/** Who has just chosen a new password does not type the e-mail again. */
function useIdentity(): string {
  const state: unknown = useLocation().state
  if (typeof state !== 'object' || state === null || !('identity' in state)) return ''
  return typeof state.identity === 'string' ? state.identity : ''
}

/** What was refused; or that the browser works for a moment before the server listens. */
function Said({ refusal, working }: { refusal: string | null; working: boolean }) {
  const { t } = useTranslation('identity')
  if (working) return <Notice role="status">{t('signIn.moment')}</Notice>
  if (refusal === null) return null
  return (
    <Notice kind="bad" role="alert">
      {refusal}
    </Notice>
  )
}

/** On plain HTTP everybody on the way reads along, and no cookie holds the session. */
function Unprotected() {
  const { t } = useTranslation('identity')
  if (window.isSecureContext) return null
  return <Notice kind="wait">{t('signIn.unprotected')}</Notice>
}

/** Two plain fields, without the form library: this page is what a newcomer downloads first. */
export function SignInPage() {
  const { t } = useTranslation('identity')
  const { errors, refusal, setRefusal, busy, working, submit, clear } = useSignIn()
  const passkey = usePasskeySignIn(setRefusal)
  const [identity, setIdentity] = useState(useIdentity())
  usePageTitle(t('signIn.title'))

  const onSubmit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const data = new FormData(form)
    const textOf = (name: FieldName) => String(data.get(name) ?? '')
    const goTo = await submit({ email: plainTyped(textOf('email')), password: textOf('password') })
    if (goTo !== null) form.querySelector<HTMLInputElement>(`input[name="${goTo}"]`)?.focus()
  }

  return (
    <div className="card auth-card">
      <h1>{t('signIn.title')}</h1>
      <p className="muted auth-sub">{t('signIn.text')}</p>
      <form className="stack-16 auth-form" noValidate onSubmit={onSubmit}>
        <Unprotected />
        <Field
          label={t('signIn.identity')}
          name="email"
          autoComplete="username webauthn"
          inputMode="email"
          autoCapitalize="off"
          spellCheck={false}
          maxLength={254}
          error={errors.email}
          value={identity}
          onChange={(event) => {
            setIdentity(event.currentTarget.value)
            clear('email')
          }}
        />
        <PasswordField
          label={t('password')}
          name="password"
          autoComplete="current-password"
          maxLength={1024}
          error={errors.password}
          onChange={() => clear('password')}
        />
        <Said refusal={refusal} working={working} />
        <Button type="submit" kind="primary" size="large" wide busy={busy}>
          {t('signIn.submit')}
        </Button>
        {passkey.offered ? (
          <PasskeyButton text={t('signIn.passkey')} busy={passkey.busy} onPress={passkey.press} />
        ) : null}
        <Link to="/auth/forgot-password" state={{ identity }} className="small auth-forgot">
          {t('forgot.link')}
        </Link>
      </form>
      <p className="muted small auth-foot">{t('signIn.byInvitation')}</p>
    </div>
  )
}
