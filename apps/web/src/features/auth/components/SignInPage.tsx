import { type FormEvent, useRef, useState } from 'react'
import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../../../api/failure.ts'
import { Button } from '../../../ui/Button.tsx'
import { Field } from '../../../ui/Field.tsx'
import { PasswordField } from '../../../ui/PasswordField.tsx'
import { useFailureText } from '../../../ui/useFailureText.ts'
import { usePageTitle } from '../../../ui/usePageTitle.ts'
import { signIn } from '../api.ts'
import './auth.css'

interface Errors {
  email?: string
  password?: string
}

/**
 * Two plain fields, without the form library: this page is what a newcomer downloads first. Success is not handled
 * here: the session opens, and the router leaves for the wanted page.
 */
export function SignInPage() {
  const { t } = useTranslation(['auth', 'ui'])
  const sayFailure = useFailureText()
  const [errors, setErrors] = useState<Errors>({})
  const [refusal, setRefusal] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  usePageTitle(t('auth:signIn.title'))

  const focus = (name: keyof Errors) =>
    form.current?.querySelector<HTMLInputElement>(`input[name="${name}"]`)?.focus()

  const refuse = (failure: Failure) => {
    const fields: Errors = {}
    for (const field of failure.fields ?? [])
      if (field.path === 'email' || field.path === 'password') fields[field.path] = field.detail
    setErrors(fields)
    if (fields.email !== undefined || fields.password !== undefined) return
    const text = sayFailure(failure)
    // A wrong password is said at the form; what is not the visitor's doing is said by a toast.
    if (failure.status === 401) setRefusal(text)
    else toast.error(text)
    if (failure.status === 401) focus('password')
  }

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    const email = String(data.get('email') ?? '').trim()
    const password = String(data.get('password') ?? '')
    const missing: Errors = {}
    if (email === '') missing.email = t('auth:rule.required')
    if (password === '') missing.password = t('auth:rule.required')
    setErrors(missing)
    setRefusal(null)
    if (missing.email !== undefined) return focus('email')
    if (missing.password !== undefined) return focus('password')
    setBusy(true)
    const failure = await signIn({ email, password })
    setBusy(false)
    if (failure !== null) refuse(failure)
  }

  const clear = (name: keyof Errors) => () => {
    if (errors[name] === undefined && refusal === null) return
    const { [name]: _cleared, ...others } = errors
    setErrors(others)
    setRefusal(null)
  }

  return (
    <div className="card auth-card">
      <h1>{t('auth:signIn.title')}</h1>
      <p className="auth-sub">{t('auth:signIn.text')}</p>
      <form ref={form} className="auth-form" noValidate onSubmit={submit}>
        <Field
          label={t('auth:signIn.identity')}
          name="email"
          autoComplete="username"
          inputMode="email"
          autoCapitalize="off"
          spellCheck={false}
          maxLength={254}
          error={errors.email}
          onChange={clear('email')}
        />
        <PasswordField
          label={t('auth:password')}
          name="password"
          autoComplete="current-password"
          maxLength={100}
          error={errors.password}
          onChange={clear('password')}
        />
        {refusal === null ? null : (
          <p className="notice notice-bad" role="alert">
            {refusal}
          </p>
        )}
        <Button type="submit" kind="primary" size="large" wide busy={busy}>
          {t('auth:signIn.submit')}
        </Button>
      </form>
      <p className="auth-foot">{t('auth:signIn.byInvitation')}</p>
    </div>
  )
}
