import { useState } from 'react'
import { useForm } from 'react-hook-form'
import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../../../api/failure.ts'
import { Button } from '../../../ui/Button.tsx'
import { Field } from '../../../ui/Field.tsx'
import { PasswordField } from '../../../ui/PasswordField.tsx'
import { useFailureText } from '../../../ui/useFailureText.ts'
import { type NewMember, register as registerMember } from '../api.ts'
import {
  checkEmail,
  checkName,
  checkPassword,
  checkPhone,
  checkRepeat,
  checkUsername,
  plainPhone,
  type Rule,
} from '../registerRules.ts'
import { useCaptcha } from '../useCaptcha.ts'
import { CaptchaNote } from './CaptchaNote.tsx'
import { StrengthMeter } from './StrengthMeter.tsx'
import { TermsCheck } from './TermsCheck.tsx'

export interface RegisterValues {
  username: string
  email: string
  password: string
  password2: string
  first_name: string
  last_name: string
  phone_number: string
  terms: boolean
}

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

export function RegisterForm({ refCode }: { refCode: string }) {
  const { t } = useTranslation(['auth', 'ui'])
  const sayFailure = useFailureText()
  const captcha = useCaptcha()
  const [busy, setBusy] = useState(false)
  const form = useForm<RegisterValues>({ defaultValues: EMPTY, mode: 'onTouched' })
  const { errors } = form.formState
  const watched = form.watch()

  /** A rule's name as the message the form library wants: `true` for none. */
  const say = (rule: Rule | null) => (rule === null ? true : t(`auth:rule.${rule}`))

  const refuse = (failure: Failure) => {
    captcha.renew()
    const fields = (failure.fields ?? []).filter((field) => isField(field.path))
    const byCode = FIELD_OF_CODE[failure.code ?? '']
    for (const field of fields) form.setError(field.path as keyof RegisterValues, { message: field.detail })
    if (fields.length === 0 && byCode !== undefined)
      form.setError(byCode, { message: sayFailure(failure) }, { shouldFocus: true })
    if (fields[0] !== undefined) form.setFocus(fields[0].path as keyof RegisterValues)
    if (fields.length === 0 && byCode === undefined) toast.error(sayFailure(failure))
  }

  const submit = form.handleSubmit(async (values) => {
    setBusy(true)
    const payload = await captcha.take()
    if (payload === null) toast.error(t('auth:captcha.failed'))
    else {
      const failure = await registerMember(refCode, memberOf(values), payload)
      if (failure !== null) refuse(failure)
    }
    setBusy(false)
  })

  return (
    <form className="auth-form" noValidate onSubmit={submit}>
      <Field
        label={t('auth:username')}
        autoComplete="username"
        autoCapitalize="off"
        spellCheck={false}
        maxLength={30}
        error={errors.username?.message}
        {...form.register('username', { validate: (value) => say(checkUsername(value)) })}
      />
      <Field
        label={t('auth:email')}
        type="email"
        inputMode="email"
        autoComplete="email"
        maxLength={254}
        error={errors.email?.message}
        {...form.register('email', { validate: (value) => say(checkEmail(value)) })}
      />
      <PasswordField
        label={t('auth:password')}
        autoComplete="new-password"
        error={errors.password?.message}
        hint={
          <StrengthMeter
            password={watched.password}
            known={[watched.username, watched.email.split('@')[0] ?? '']}
          />
        }
        {...form.register('password', {
          validate: (value) => say(checkPassword(value)),
          deps: ['password2'],
        })}
      />
      <PasswordField
        label={t('auth:password2')}
        autoComplete="new-password"
        error={errors.password2?.message}
        {...form.register('password2', { validate: (value, all) => say(checkRepeat(value, all.password)) })}
      />
      <div className="auth-pair">
        <Field
          label={t('auth:firstName')}
          optional
          autoComplete="given-name"
          maxLength={60}
          error={errors.first_name?.message}
          {...form.register('first_name', { validate: (value) => say(checkName(value)) })}
        />
        <Field
          label={t('auth:lastName')}
          optional
          autoComplete="family-name"
          maxLength={60}
          error={errors.last_name?.message}
          {...form.register('last_name', { validate: (value) => say(checkName(value)) })}
        />
      </div>
      <Field
        label={t('auth:phone')}
        optional
        type="tel"
        inputMode="tel"
        autoComplete="tel"
        error={errors.phone_number?.message}
        {...form.register('phone_number', { validate: (value) => say(checkPhone(value)) })}
      />
      <TermsCheck
        error={errors.terms?.message}
        field={form.register('terms', { validate: (value) => value || t('auth:rule.terms') })}
      />
      <Button type="submit" kind="primary" size="large" wide busy={busy}>
        {t('auth:register.submit')}
      </Button>
      <CaptchaNote state={captcha.state} onRetry={captcha.renew} />
    </form>
  )
}
