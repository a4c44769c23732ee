import { type CurrentUser, LOCALES } from '@aval/contract'
import { useQueryState } from 'nuqs'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Address } from '../../../../ui/Address.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { CopyButton } from '../../../../ui/CopyButton.tsx'
import { Field, FieldError } from '../../../../ui/Field.tsx'
import { SelectField } from '../../../../ui/SelectField.tsx'
import { checkName, checkPhone } from '../../registration/registerRules.ts'
import { checkEmail, checkWallet, type Rule } from '../change.ts'
import type { ProfileForm } from '../useProfileForm.ts'

interface FieldsProps {
  whole: ProfileForm
  user: CurrentUser
}

/** A rule's name as the message that the form library wants: `true` for none. */
function useRuleText(): (rule: Rule | null) => string | true {
  const { t } = useTranslation('identity/profile')
  return (rule) => (rule === null ? true : t(`rule.${rule}`))
}

export function PersonFields({ whole: { form }, user }: FieldsProps) {
  const { t } = useTranslation('identity/profile')
  const say = useRuleText()
  const { errors } = form.formState
  return (
    <fieldset className="profile-part">
      <legend>{t('person')}</legend>
      <Field
        label={t('username')}
        value={user.username}
        readOnly
        hint={t('usernameHint')}
        autoComplete="username"
      />
      <div className="profile-pair">
        <Field
          label={t('firstName')}
          autoComplete="given-name"
          maxLength={60}
          error={errors.first_name?.message}
          {...form.register('first_name', { validate: (typed) => say(checkName(typed)) })}
        />
        <Field
          label={t('lastName')}
          autoComplete="family-name"
          maxLength={60}
          error={errors.last_name?.message}
          {...form.register('last_name', { validate: (typed) => say(checkName(typed)) })}
        />
      </div>
      <div className="profile-pair">
        <Field
          label={t('phone')}
          type="tel"
          inputMode="tel"
          autoComplete="tel"
          maxLength={30}
          error={errors.phone_number?.message}
          {...form.register('phone_number', { validate: (typed) => say(checkPhone(typed)) })}
        />
        <SelectField label={t('language')} hint={t('languageHint')} {...form.register('locale')}>
          {LOCALES.map((locale) => (
            <option key={locale} value={locale} lang={locale}>
              {t(`locale.${locale}`)}
            </option>
          ))}
        </SelectField>
      </div>
    </fieldset>
  )
}

export function ReachFields({ whole, user }: FieldsProps) {
  const { t } = useTranslation('identity/profile')
  const say = useRuleText()
  const { form } = whole
  return (
    <fieldset className="profile-part">
      <legend>{t('reach')}</legend>
      <p className="muted small">{t('reachText')}</p>
      <Field
        label={t('email')}
        type="email"
        inputMode="email"
        autoComplete="email"
        maxLength={254}
        error={form.formState.errors.email?.message}
        {...form.register('email', { validate: (typed) => say(checkEmail(typed)) })}
      />
      <WalletField key={user.usdt_wallet} whole={whole} user={user} />
    </fieldset>
  )
}

/** The registered address as it is compared, in groups of four; to change it is a step of its own. */
function WalletField({ whole: { form, change }, user }: FieldsProps) {
  const { t } = useTranslation('identity/profile')
  const say = useRuleText()
  const known = user.usdt_wallet
  const [then] = useQueryState('then')
  // A member who came to register a wallet begins at its field.
  const [editing, setEditing] = useState(known === '' && then === 'withdrawals')
  const error = form.formState.errors.usdt_wallet?.message
  const isNew = change.usdt_wallet !== undefined
  const { setFocus } = form
  useEffect(() => {
    if (editing) setFocus('usdt_wallet', { shouldSelect: true })
  }, [editing, setFocus])
  if (known !== '' && !editing && !isNew)
    return (
      <div className="field">
        <div className="field-label">{t('wallet')}</div>
        <div className="profile-wallet">
          <Address value={known} />
          <span className="profile-wallet-actions">
            <CopyButton text={known} label={t('copyWallet')} confirmation={t('walletCopied')} size="small" />
            <Button size="small" onClick={() => setEditing(true)}>
              {t('changeWallet')}
            </Button>
          </span>
        </div>
        <FieldError text={error} />
      </div>
    )
  const keep = () => {
    form.resetField('usdt_wallet', { defaultValue: known })
    setEditing(false)
  }
  const typed = form.watch('usdt_wallet').replace(/\s/g, '')
  return (
    <Field
      label={t('wallet')}
      autoComplete="off"
      autoCapitalize="off"
      spellCheck={false}
      maxLength={60}
      className="profile-wallet-input"
      placeholder="T…"
      error={error}
      hint={
        <span className="profile-wallet-hint">
          {typed === '' ? t('walletHint') : <Address value={typed} />}
          {known === '' ? null : (
            <button type="button" className="link-button" onClick={keep}>
              {t('keepWallet')}
            </button>
          )}
        </span>
      }
      {...form.register('usdt_wallet', { validate: (value) => say(checkWallet(value, known)) })}
    />
  )
}
