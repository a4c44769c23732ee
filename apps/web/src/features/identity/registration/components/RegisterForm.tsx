import { spelt } from '@aval/contract/spelt'
import { plainPhone, plainTyped } from '@aval/contract/typed'
import { useDebouncedValue } from '@mantine/hooks'
import { useEffect, useId, useState } from 'react'
import { FormProvider, useForm, useFormContext } from 'react-hook-form'
import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../../../../api/failure.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { Field, FieldError } from '../../../../ui/Field.tsx'
import { IconCheck, IconShieldCheck } from '../../../../ui/icons.ts'
import { showRefusedFields } from '../../../../ui/refusedFields.ts'
import { useFailureText } from '../../../../ui/useFailureText.ts'
import { usePressFirst } from '../../../../ui/usePressFirst.ts'
import { useSingleFlight } from '../../../../ui/useSingleFlight.ts'
import { NewPasswordFields } from '../../new-password/components/NewPasswordFields.tsx'
import { PrivacyTerms } from '../../privacy/components/PrivacyTerms.tsx'
import { availabilityOf, type NewMember, register as registerMember } from '../api.ts'
import { type CaptchaState, useCaptcha } from '../captcha.ts'
import { checkEmail, checkName, checkPhone, checkUsername, type Rule } from '../registerRules.ts'

const EMPTY = {
  username: '',
  email: '',
  password: '',
  password2: '',
  first_name: '',
  last_name: '',
  phone_number: '',
  terms: false,
}
type RegisterValues = typeof EMPTY

/** Which field a refusal belongs to when the server names only its code. */
const FIELD_OF_CODE: Partial<Record<string, keyof RegisterValues>> = {
  username_taken: 'username',
  username_invalid: 'username',
  username_reserved: 'username',
  email_taken: 'email',
  email_invalid: 'email',
  password_too_short: 'password',
  password_too_long: 'password',
  passwords_differ: 'password2',
  phone_invalid: 'phone_number',
}

function memberOf(values: RegisterValues): NewMember {
  const member: NewMember = {
    username: plainTyped(values.username),
    email: plainTyped(values.email),
    password: values.password,
    password2: values.password2,
  }
  const phone = plainPhone(values.phone_number)
  const [first, last] = [spelt(values.first_name), spelt(values.last_name)]
  if (first !== '') member.first_name = first
  if (last !== '') member.last_name = last
  if (phone !== '') member.phone_number = phone
  return member
}

function useRegistration(refCode: string) {
  const { t } = useTranslation('identity')
  const sayFailure = useFailureText()
  const captcha = useCaptcha()
  const [busy, setBusy] = useState(false)
  const form = useForm<RegisterValues>({ defaultValues: EMPTY, mode: 'onTouched' })

  const refuse = (failure: Failure) => {
    captcha.renew()
    const byCode = FIELD_OF_CODE[failure.code ?? '']
    if (showRefusedFields(form, failure)) return
    if (byCode === undefined) toast.error(sayFailure(failure))
    else form.setError(byCode, { message: sayFailure(failure) }, { shouldFocus: true })
  }

  const send = useSingleFlight(async (values: RegisterValues) => {
    setBusy(true)
    const payload = await captcha.take()
    if (payload === null) toast.error(t('captcha.failed'))
    else {
      const failure = await registerMember(refCode, memberOf(values), payload)
      // Busy until the next page is there.
      if (failure === null) return
      refuse(failure)
    }
    setBusy(false)
  })
  return { form, captcha, busy, submit: form.handleSubmit(send) }
}

export function RegisterForm({ refCode }: { refCode: string }) {
  const { t } = useTranslation('identity')
  const { form, captcha, busy, submit } = useRegistration(refCode)
  return (
    <FormProvider {...form}>
      <form className="stack-16 auth-form" noValidate onSubmit={submit} {...usePressFirst()}>
        <UsernameField />
        <EmailField />
        <NewPasswordFields
          labels={{ password: t('password'), repeat: t('password2') }}
          known={[form.watch('username'), form.watch('email').split('@')[0] ?? '']}
        />
        <PersonFields />
        <TermsCheck />
        <Button type="submit" kind="primary" size="large" wide busy={busy}>
          {t('register.submit')}
        </Button>
        <CaptchaNote state={captcha.state} onRetry={captcha.renew} />
      </form>
    </FormProvider>
  )
}

const POINTS = ['nothingGuaranteed', 'backed', 'reversed', 'locked', 'network'] as const

function TermsCheck() {
  const { t } = useTranslation('identity')
  const { register, formState } = useFormContext<RegisterValues>()
  const error = formState.errors.terms?.message
  const [reading, setReading] = useState(false)
  const id = useId()
  return (
    <div className="stack-8">
      <div className="check">
        <input
          {...register('terms', { validate: (value) => value || t('rule.terms') })}
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
        <Dialog title={t('terms.title')} width={600} onClose={() => setReading(false)}>
          <div className="stack-14 terms">
            {POINTS.map((point) => (
              <section key={point}>
                <h3>{t(`terms.${point}.title`)}</h3>
                <p className="muted">{t(`terms.${point}.text`)}</p>
              </section>
            ))}
            <PrivacyTerms />
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
    <div className="row-8 muted small captcha" role="status">
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

/** A rule's name as the message that the form library wants: `true` for none. */
function useRuleText(): (rule: Rule | null) => string | true {
  const { t } = useTranslation('identity')
  return (rule) => (rule === null ? true : t(`rule.${rule}`))
}

/** Whether it is free is asked while one types. */
function UsernameField() {
  const { t } = useTranslation('identity')
  const say = useRuleText()
  const { register, watch, formState } = useFormContext<RegisterValues>()
  const typed = watch('username')
  const availability = useAvailability(typed, checkUsername(typed) === null)
  const refused =
    availability === 'taken' || availability === 'reserved' ? t(`refused.${availability}`) : undefined
  return (
    <Field
      label={t('username')}
      autoComplete="username"
      autoCapitalize="off"
      spellCheck={false}
      maxLength={30}
      error={formState.errors.username?.message ?? refused}
      hint={<AvailabilityHint availability={availability} otherwise={t('available.username')} />}
      {...register('username', {
        validate: (value) => {
          const verdict = say(checkUsername(value))
          return verdict === true && refused !== undefined && value === typed ? refused : verdict
        },
      })}
    />
  )
}

function EmailField() {
  const { t } = useTranslation('identity')
  const say = useRuleText()
  const { register, formState } = useFormContext<RegisterValues>()
  return (
    <Field
      label={t('email')}
      type="email"
      inputMode="email"
      autoComplete="email"
      maxLength={254}
      error={formState.errors.email?.message}
      hint={t('emailHint')}
      {...register('email', { validate: (value) => say(checkEmail(value)) })}
    />
  )
}

function AvailabilityHint({ availability, otherwise }: { availability: Availability; otherwise: string }) {
  const { t } = useTranslation('identity')
  return (
    <span role="status">
      {availability === 'free' ? (
        <span className="auth-free">
          <IconCheck size={14} stroke={2.2} aria-hidden="true" />
          <span>{t('available.free')}</span>
        </span>
      ) : (
        (availability === 'checking' && t('available.checking')) || otherwise
      )}
    </span>
  )
}

function PersonFields() {
  const { t } = useTranslation('identity')
  const say = useRuleText()
  const form = useFormContext<RegisterValues>()
  const { errors } = form.formState
  return (
    <>
      <div className="pair auth-pair">
        <Field
          label={t('firstName')}
          optional
          autoComplete="given-name"
          maxLength={60}
          error={errors.first_name?.message}
          {...form.register('first_name', { validate: (value) => say(checkName(value)) })}
        />
        <Field
          label={t('lastName')}
          optional
          autoComplete="family-name"
          maxLength={60}
          error={errors.last_name?.message}
          {...form.register('last_name', { validate: (value) => say(checkName(value)) })}
        />
      </div>
      <Field
        label={t('phone')}
        optional
        type="tel"
        inputMode="tel"
        autoComplete="tel"
        error={errors.phone_number?.message}
        {...form.register('phone_number', { validate: (value) => say(checkPhone(value)) })}
      />
    </>
  )
}

/** `unknown`: not asked yet, or nobody could say; then registering itself will. */
type Availability = 'unknown' | 'checking' | 'free' | 'taken' | 'reserved'

/** Long enough for the next letter. */
const PAUSE = 450

/** Whether what is being typed is free, asked once it rests. Each value is asked about once. */
function useAvailability(typed: string, isValid: boolean): Availability {
  const value = plainTyped(typed)
  const [rested] = useDebouncedValue(value, PAUSE)
  const [known, setKnown] = useState<Readonly<Record<string, Availability>>>({})
  const isDue = isValid && rested === value && known[value] === undefined

  useEffect(() => {
    if (!isDue) return
    setKnown((before) => ({ ...before, [value]: 'checking' }))
    availabilityOf(value).then((answer) => {
      const standing = 'data' in answer ? answer.data?.username : null
      const availability = standing == null || standing === 'invalid' ? 'unknown' : standing
      setKnown((before) => ({ ...before, [value]: availability }))
    })
  }, [isDue, value])

  return isValid ? (known[value] ?? 'unknown') : 'unknown'
}
