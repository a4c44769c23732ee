import { useId, useRef, useState } from 'react'
import { type UseFormRegisterReturn, useForm } from 'react-hook-form'
import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../../../../api/failure.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { FieldError } from '../../../../ui/Field.tsx'
import { IconShieldCheck } from '../../../../ui/icons.ts'
import { useFailureText } from '../../../../ui/useFailureText.ts'
import { type NewMember, register as registerMember } from '../api.ts'
import { plainPhone } from '../registerRules.ts'
import { type CaptchaState, useCaptcha } from '../useCaptcha.ts'
import { AccountFields, PersonFields, type RegisterValues } from './RegisterFields.tsx'

const EMPTY: RegisterValues = {
  username: '',
  email: '',
  password: '',
  password2: '',
  first_name: '',
  last_name: '',
  phone_number: '',
  terms: false,
}

/** Which field a refusal belongs to when the server names only its code. */
const FIELD_OF_CODE: Partial<Record<string, keyof RegisterValues>> = {
  username_taken: 'username',
  username_invalid: 'username',
  email_taken: 'email',
  email_invalid: 'email',
  password_too_short: 'password',
  password_too_long: 'password',
  passwords_differ: 'password2',
  phone_invalid: 'phone_number',
}

const isField = (path: string): path is keyof RegisterValues => path in EMPTY

function memberOf(values: RegisterValues): NewMember {
  const member: NewMember = {
    username: values.username.trim(),
    email: values.email.trim(),
    password: values.password,
    password2: values.password2,
  }
  const phone = plainPhone(values.phone_number)
  if (values.first_name.trim() !== '') member.first_name = values.first_name.trim()
  if (values.last_name.trim() !== '') member.last_name = values.last_name.trim()
  if (phone !== '') member.phone_number = phone
  return member
}

function useRegistration(refCode: string) {
  const { t } = useTranslation('identity')
  const sayFailure = useFailureText()
  const captcha = useCaptcha()
  const [busy, setBusy] = useState(false)
  // A second press can come before the first one is shown as busy.
  const running = useRef(false)
  const form = useForm<RegisterValues>({ defaultValues: EMPTY, mode: 'onTouched' })

  const refuse = (failure: Failure) => {
    captcha.renew()
    const fields = (failure.fields ?? []).filter((field) => isField(field.path))
    const byCode = FIELD_OF_CODE[failure.code ?? '']
    for (const field of fields) form.setError(field.path as keyof RegisterValues, { message: field.detail })
    if (fields[0] !== undefined) form.setFocus(fields[0].path as keyof RegisterValues)
    else if (byCode !== undefined)
      form.setError(byCode, { message: sayFailure(failure) }, { shouldFocus: true })
    else toast.error(sayFailure(failure))
  }

  const submit = form.handleSubmit(async (values) => {
    if (running.current) return
    running.current = true
    setBusy(true)
    const payload = await captcha.take()
    if (payload === null) toast.error(t('captcha.failed'))
    else {
      const failure = await registerMember(refCode, memberOf(values), payload)
      if (failure !== null) refuse(failure)
    }
    running.current = false
    setBusy(false)
  })
  return { form, captcha, busy, submit }
}

export function RegisterForm({ refCode }: { refCode: string }) {
  const { t } = useTranslation('identity')
  const { form, captcha, busy, submit } = useRegistration(refCode)
  return (
    <form className="auth-form" noValidate onSubmit={submit}>
      <AccountFields form={form} />
      <PersonFields form={form} />
      <TermsCheck
        error={form.formState.errors.terms?.message}
        field={form.register('terms', { validate: (value) => value || t('rule.terms') })}
      />
      <Button type="submit" kind="primary" size="large" wide busy={busy}>
        {t('register.submit')}
      </Button>
      <CaptchaNote state={captcha.state} onRetry={captcha.renew} />
    </form>
  )
}

const POINTS = ['nothingGuaranteed', 'backed', 'locked', 'network', 'data'] as const

interface TermsCheckProps {
  field: UseFormRegisterReturn<'terms'>
  error: string | undefined
}

function TermsCheck({ field, error }: TermsCheckProps) {
  const { t } = useTranslation('identity')
  const [reading, setReading] = useState(false)
  const id = useId()
  return (
    <div className="terms">
      <div className="check">
        <input
          {...field}
          id={id}
          type="checkbox"
          aria-invalid={error !== undefined || undefined}
          aria-describedby={`${id}-note`}
        />
        <div>
          <label htmlFor={id}>{t('terms.accept')}</label>{' '}
          <button type="button" className="link-button" onClick={() => setReading(true)}>
            {t('terms.read')}
          </button>
          <p id={`${id}-note`} className="muted small">
            {t('terms.risk')}
          </p>
        </div>
      </div>
      <FieldError text={error} />
      {reading ? (
        <Dialog title={t('terms.title')} width={520} onClose={() => setReading(false)}>
          <div className="terms-body">
            {POINTS.map((point) => (
              <section key={point}>
                <h3>{t(`terms.${point}.title`)}</h3>
                <p>{t(`terms.${point}.text`)}</p>
              </section>
            ))}
            <Button onClick={() => setReading(false)}>{t('terms.understood')}</Button>
          </div>
        </Dialog>
      ) : null}
    </div>
  )
}

/** Says quietly that the browser is proving it is no robot. Nothing to do for the visitor unless it fails. */
function CaptchaNote({ state, onRetry }: { state: CaptchaState; onRetry: () => void }) {
  const { t } = useTranslation('identity')
  return (
    <div className="captcha" role="status">
      {state === 'working' ? <span className="spinner" aria-hidden="true" /> : null}
      {state === 'solved' ? <IconShieldCheck size={16} stroke={1.7} aria-hidden="true" /> : null}
      <span>{t(`captcha.${state}`)}</span>
      {state === 'failed' ? (
        <button type="button" className="link-button" onClick={onRetry}>
          {t('captcha.retry')}
        </button>
      ) : null}
    </div>
  )
}
