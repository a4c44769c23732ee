import type { UseFormReturn } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { Field } from '../../../ui/Field.tsx'
import { PasswordField } from '../../../ui/PasswordField.tsx'
import {
  checkEmail,
  checkName,
  checkPassword,
  checkPhone,
  checkRepeat,
  checkUsername,
  type Rule,
} from '../registerRules.ts'
import { StrengthMeter } from './StrengthMeter.tsx'

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
  const { t } = useTranslation('auth')
  return (rule) => (rule === null ? true : t(`rule.${rule}`))
}

export function AccountFields({ form }: FieldsProps) {
  const { t } = useTranslation('auth')
  const say = useRuleText()
  const { errors } = form.formState
  const { username, email, password } = form.watch()
  return (
    <>
      <Field
        label={t('username')}
        autoComplete="username"
        autoCapitalize="off"
        spellCheck={false}
        maxLength={30}
        error={errors.username?.message}
        {...form.register('username', { validate: (value) => say(checkUsername(value)) })}
      />
      <Field
        label={t('email')}
        type="email"
        inputMode="email"
        autoComplete="email"
        maxLength={254}
        error={errors.email?.message}
        {...form.register('email', { validate: (value) => say(checkEmail(value)) })}
      />
      <PasswordField
        label={t('password')}
        autoComplete="new-password"
        error={errors.password?.message}
        hint={<StrengthMeter password={password} known={[username, email.split('@')[0] ?? '']} />}
        {...form.register('password', {
          validate: (value) => say(checkPassword(value)),
          deps: ['password2'],
        })}
      />
      <PasswordField
        label={t('password2')}
        autoComplete="new-password"
        error={errors.password2?.message}
        {...form.register('password2', { validate: (value, all) => say(checkRepeat(value, all.password)) })}
      />
    </>
  )
}

export function PersonFields({ form }: FieldsProps) {
  const { t } = useTranslation('auth')
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
