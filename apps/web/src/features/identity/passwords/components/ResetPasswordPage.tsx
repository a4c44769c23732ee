import { useState } from 'react'
import { Controller, useForm } from 'react-hook-form'
import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useNavigate } from 'react-router'
import type { Failure } from '../../../../api/failure.ts'
import { Button } from '../../../../ui/Button.tsx'
import { CodeField } from '../../../../ui/CodeField.tsx'
import { countdownText, useTimeLeft } from '../../../../ui/countdown.ts'
import { Field } from '../../../../ui/Field.tsx'
import { IconMail } from '../../../../ui/icons.ts'
import { NewPasswordFields, usePasswordRuleText } from '../../../../ui/NewPasswordFields.tsx'
import { Notice } from '../../../../ui/Notice.tsx'
import { checkPassword, checkRepeat } from '../../../../ui/newPassword.ts'
import { useFailureText } from '../../../../ui/useFailureText.ts'
import { usePageTitle } from '../../../../ui/usePageTitle.ts'
import { checkEmail } from '../../registration/registerRules.ts'
import { askForReset, type NewPassword, resetPassword } from '../api.ts'
import { RESEND_AFTER, sentFrom, typedEmail } from '../reset.ts'
import '../../auth.css'

const DIGITS = 7
type Whole = ReturnType<typeof useReset>

/** The code from the e-mail, and a new password. Also where the link of that e-mail leads. */
export function ResetPasswordPage() {
  const { t } = useTranslation('identity')
  const whole = useReset()
  const { submit, busy, sent } = whole
  usePageTitle(t('reset.title'))
  return (
    <div className="card auth-card">
      <h1>{t('reset.title')}</h1>
      <p className="muted auth-sub">{t('reset.text')}</p>
      <form className="stack-16 auth-form" noValidate onSubmit={submit}>
        {sent === null ? null : (
          <Notice icon={IconMail} role="status">
            {sent.sentence}
          </Notice>
        )}
        <ResetFields whole={whole} />
        <p className="muted small">{t('reset.sessions')}</p>
        <Button type="submit" kind="primary" size="large" wide busy={busy}>
          {t('reset.submit')}
        </Button>
      </form>
      <p className="row-16 row-apart muted small auth-foot auth-ways">
        <Link to="/auth/login/">{t('forgot.back')}</Link>
        <Resend whole={whole} />
      </p>
    </div>
  )
}

function ResetFields({ whole: { form } }: { whole: Whole }) {
  const { t } = useTranslation('identity')
  const sayPassword = usePasswordRuleText()
  const { errors } = form.formState
  const { email, password, password2 } = form.watch()
  return (
    <>
      <Field
        label={t('email')}
        type="email"
        inputMode="email"
        autoComplete="username"
        maxLength={254}
        error={errors.email?.message}
        {...form.register('email', {
          validate: (value) => {
            const rule = checkEmail(value)
            return rule === null ? true : t(`rule.${rule}`)
          },
        })}
      />
      <Controller
        control={form.control}
        name="otp"
        rules={{ validate: (value) => (value.length === DIGITS ? true : t('reset.codeMissing')) }}
        render={({ field, fieldState }) => (
          <CodeField
            ref={field.ref}
            name={field.name}
            label={t('reset.code')}
            digits={DIGITS}
            value={field.value}
            onChange={field.onChange}
            onBlur={field.onBlur}
            error={fieldState.error?.message}
          />
        )}
      />
      <NewPasswordFields
        labels={{ password: t('reset.password'), repeat: t('reset.password2') }}
        typed={{ password, repeat: password2 }}
        errors={{ password: errors.password?.message, repeat: errors.password2?.message }}
        known={[email.split('@')[0] ?? '']}
        password={form.register('password', {
          validate: (value) => sayPassword(checkPassword(value)),
          // Said again where it was typed before, and not before it was typed.
          onChange: () => form.getValues('password2') !== '' && form.trigger('password2'),
        })}
        repeat={form.register('password2', {
          validate: (value, all) => sayPassword(checkRepeat(value, all.password)),
        })}
      />
    </>
  )
}

function Resend({ whole: { sent, resend, asking } }: { whole: Whole }) {
  const { t } = useTranslation('identity')
  const left = useTimeLeft((sent?.at ?? 0) + RESEND_AFTER)
  if (left > 0) return <span role="timer">{t('reset.wait', { left: countdownText(left) })}</span>
  return (
    <button type="button" className="link-button" disabled={asking} onClick={() => void resend()}>
      {t('reset.resend')}
    </button>
  )
}

const FIELDS: readonly string[] = ['email', 'otp', 'password', 'password2'] satisfies (keyof NewPassword)[]

/** The form of a new password, and asking for another code. Whatever is refused, what was typed stays. */
function useReset() {
  const { t } = useTranslation('identity')
  const sayFailure = useFailureText()
  const navigate = useNavigate()
  const location = useLocation()
  const [sent, setSent] = useState(() => sentFrom(location))
  const [asking, setAsking] = useState(false)
  const form = useForm<NewPassword>({
    defaultValues: { email: typedEmail(location), otp: '', password: '', password2: '' },
    mode: 'onTouched',
  })

  const refuse = (failure: Failure) => {
    const fields = (failure.fields ?? []).filter(({ path }) => FIELDS.includes(path))
    for (const field of fields) form.setError(field.path as keyof NewPassword, { message: field.detail })
    const first = fields[0]?.path as keyof NewPassword | undefined
    if (first === undefined) toast.error(sayFailure(failure))
    else form.setFocus(first, { shouldSelect: first === 'otp' })
  }

  const submit = form.handleSubmit(async (values) => {
    const email = values.email.trim()
    const answer = await resetPassword({ ...values, email })
    if ('error' in answer) return refuse(answer.error)
    toast.success(answer.data)
    navigate('/auth/login/', { replace: true, state: { identity: email } })
  })

  const resend = async () => {
    const email = form.getValues('email')
    const rule = checkEmail(email)
    if (rule !== null) {
      form.setError('email', { message: t(`rule.${rule}`) }, { shouldFocus: true })
      return
    }
    setAsking(true)
    const answer = await askForReset(email.trim())
    setAsking(false)
    if ('error' in answer) return refuse(answer.error)
    setSent({ sentence: answer.data, at: Date.now() })
    form.resetField('otp')
    form.setFocus('otp')
  }

  return { form, submit, busy: form.formState.isSubmitting, sent, resend, asking }
}
