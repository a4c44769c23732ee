import { useDebouncedValue } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { Field } from '../../../../ui/Field.tsx'
import { IconCheck } from '../../../../ui/icons.ts'
import { NewPasswordFields, usePasswordRuleText } from '../../../../ui/NewPasswordFields.tsx'
import { checkPassword, checkRepeat } from '../../../../ui/newPassword.ts'
import { availabilityOf } from '../api.ts'
import { checkEmail, checkName, checkPhone, checkUsername, type Rule } from '../registerRules.ts'

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

interface FieldsProps {
  form: UseFormReturn<RegisterValues>
}

/** A rule's name as the message that the form library wants: `true` for none. */
function useRuleText(): (rule: Rule | null) => string | true {
  const { t } = useTranslation('identity')
  return (rule) => (rule === null ? true : t(`rule.${rule}`))
}

export function AccountFields({ form }: FieldsProps) {
  const { t } = useTranslation('identity')
  const sayPassword = usePasswordRuleText()
  const { errors } = form.formState
  const { username, email, password, password2 } = form.watch()
  return (
    <>
      <NameField form={form} />
      <EmailField form={form} />
      <NewPasswordFields
        labels={{ password: t('password'), repeat: t('password2') }}
        typed={{ password, repeat: password2 }}
        errors={{ password: errors.password?.message, repeat: errors.password2?.message }}
        known={[username, email.split('@')[0] ?? '']}
        password={form.register('password', {
          validate: (value) => sayPassword(checkPassword(value)),
          // Said anew where it was typed before, and not before it was typed.
          onChange: () => form.getValues('password2') !== '' && form.trigger('password2'),
        })}
        repeat={form.register('password2', {
          validate: (value, all) => sayPassword(checkRepeat(value, all.password)),
        })}
      />
    </>
  )
}

function NameField({ form }: FieldsProps) {
  const { t } = useTranslation('identity')
  const say = useRuleText()
  const username = form.watch('username')
  const availability = useAvailability('username', username, checkUsername(username) === null)
  const taken = availability === 'taken' ? t('taken.username') : undefined
  return (
    <Field
      label={t('username')}
      autoComplete="username"
      autoCapitalize="off"
      spellCheck={false}
      maxLength={30}
      error={form.formState.errors.username?.message ?? taken}
      hint={<AvailabilityHint availability={availability} otherwise={t('available.username')} />}
      {...form.register('username', {
        validate: (value) => {
          const verdict = say(checkUsername(value))
          return verdict === true && taken !== undefined && value === username ? taken : verdict
        },
      })}
    />
  )
}

function EmailField({ form }: FieldsProps) {
  const { t } = useTranslation('identity')
  const say = useRuleText()
  const email = form.watch('email')
  const availability = useAvailability('email', email, checkEmail(email) === null)
  const taken = availability === 'taken' ? t('taken.email') : undefined
  return (
    <Field
      label={t('email')}
      type="email"
      inputMode="email"
      autoComplete="email"
      maxLength={254}
      error={form.formState.errors.email?.message ?? taken}
      hint={<AvailabilityHint availability={availability} otherwise={t('available.email')} />}
      {...form.register('email', {
        validate: (value) => {
          const verdict = say(checkEmail(value))
          return verdict === true && taken !== undefined && value === email ? taken : verdict
        },
      })}
    />
  )
}

/** What is free is said aloud; what is taken is an error of the field. */
function AvailabilityHint({ availability, otherwise }: { availability: Availability; otherwise: string }) {
  const { t } = useTranslation('identity')
  return (
    <span role="status">
      {availability === 'free' ? (
        <span className="auth-free">
          <IconCheck size={14} stroke={2.2} aria-hidden="true" />
          {t('available.free')}
        </span>
      ) : (
        (availability === 'checking' && t('available.checking')) || otherwise
      )}
    </span>
  )
}

export function PersonFields({ form }: FieldsProps) {
  const { t } = useTranslation('identity')
  const say = useRuleText()
  const { errors } = form.formState
  return (
    <>
      <div className="auth-pair">
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
type Availability = 'unknown' | 'checking' | 'free' | 'taken'

/** Long enough for the next letter. */
const PAUSE = 450

/** Whether what is being typed is free, asked once it rests. Each value is asked about once. */
function useAvailability(kind: 'username' | 'email', typed: string, isValid: boolean): Availability {
  const value = typed.trim()
  const [rested] = useDebouncedValue(value, PAUSE)
  const [known, setKnown] = useState<Readonly<Record<string, Availability>>>({})
  const isDue = isValid && rested === value && known[value] === undefined

  useEffect(() => {
    if (!isDue) return
    setKnown((before) => ({ ...before, [value]: 'checking' }))
    availabilityOf(kind, value).then((answer) => {
      const availability = 'data' in answer ? answer.data?.[kind] : null
      const answered = availability === 'free' || availability === 'taken' ? availability : 'unknown'
      setKnown((before) => ({ ...before, [value]: answered }))
    })
  }, [isDue, kind, value])

  return isValid ? (known[value] ?? 'unknown') : 'unknown'
}
