import { type CurrentUser, LOCALES } from '@aval/contract'
import { useQueryState } from 'nuqs'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useCurrentUserQuery } from '../../../../api/user.ts'
import { Address } from '../../../../ui/Address.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { CodeField } from '../../../../ui/CodeField.tsx'
import { CopyButton } from '../../../../ui/CopyButton.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { Fact } from '../../../../ui/Fact.tsx'
import { Field, FieldError } from '../../../../ui/Field.tsx'
import { IconCircleCheck, IconMail, IconWallet } from '../../../../ui/icons.ts'
import { Loaded } from '../../../../ui/Loaded.tsx'
import { Name } from '../../../../ui/Name.tsx'
import { Notice } from '../../../../ui/Notice.tsx'
import { PageHead } from '../../../../ui/PageHead.tsx'
import { SelectField } from '../../../../ui/SelectField.tsx'
import { Skeleton } from '../../../../ui/States.tsx'
import { usePageTitle } from '../../../../ui/usePageTitle.ts'
import { checkName, checkPhone } from '../../registration/registerRules.ts'
import { checkEmail, checkWallet, type ProfileChange, type Rule } from '../change.ts'
import { type Pending, type ProfileForm, useProfileForm } from '../useProfileForm.ts'
import { CoolingNotice } from './CoolingNotice.tsx'
import { PictureCard } from './PictureCard.tsx'
import './profile.css'

export function ProfilePage({ user }: { user: CurrentUser | undefined }) {
  const { t } = useTranslation('identity/profile')
  usePageTitle(t('title'))
  return (
    <div className="page-stack">
      <PageHead title={t('title')} text={t('text')} />
      <CoolingNotice />
      {user === undefined ? null : <NextStep user={user} />}
      {user === undefined ? (
        <OnItsWay />
      ) : (
        <div className="profile-columns">
          <PictureCard user={user} />
          <ProfileCard user={user} />
        </div>
      )}
    </div>
  )
}

function OnItsWay() {
  return (
    <div className="card card-pad">
      <Loaded query={useCurrentUserQuery()} hold={<Skeleton width="100%" height={420} />} holdAgain />
    </div>
  )
}

function ProfileCard({ user }: { user: CurrentUser }) {
  const { t } = useTranslation('identity/profile')
  const whole = useProfileForm(user)
  const { change, busy, pending, submit, discard } = whole
  const isNew = Object.keys(change).length > 0
  return (
    <>
      <form className="card profile-form" noValidate onSubmit={submit}>
        <PersonFields whole={whole} user={user} />
        <ReachFields whole={whole} user={user} />
        <div className="profile-foot">
          <p className="muted small">{isNew ? t('unsaved') : t('saved')}</p>
          <div className="row-8 row-end profile-foot-actions">
            {isNew ? (
              <Button kind="quiet" disabled={busy} onClick={discard}>
                {t('discard')}
              </Button>
            ) : null}
            <Button type="submit" kind="primary" busy={busy && pending === null} disabled={!isNew}>
              {t('save')}
            </Button>
          </div>
        </div>
      </form>
      {pending === null ? null : <CodeStep pending={pending} whole={whole} />}
    </>
  )
}

/** For a member who came from a withdrawal to register a wallet: what is missing, and the way back. */
function NextStep({ user }: { user: CurrentUser }) {
  const { t } = useTranslation('identity/profile')
  const [then] = useQueryState('then')
  if (then !== 'withdrawals') return null
  if (user.usdt_wallet === '') return <Notice icon={IconWallet}>{t('then.wallet')}</Notice>
  return (
    <Notice kind="ok" icon={IconCircleCheck} role="status">
      {t('then.ready')} <Link to="/withdrawals">{t('then.back')}</Link>
    </Notice>
  )
}

const DIGITS = 7

function CodeStep({ pending, whole }: { pending: Pending; whole: ProfileForm }) {
  const { t } = useTranslation('identity/profile')
  const { busy, confirm, resend, cancel } = whole
  const [code, setCode] = useState('')
  const [missing, setMissing] = useState(false)
  const field = useRef<HTMLInputElement>(null)

  // A refused code is shown selected: typing replaces it.
  useEffect(() => {
    if (pending.error !== null) field.current?.select()
  }, [pending.error])

  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (code.length === DIGITS) void confirm(code)
    else {
      setMissing(true)
      field.current?.focus()
    }
  }
  return (
    <Dialog title={t('code.title')} onClose={cancel} width={460}>
      <form className="stack-16" noValidate onSubmit={onSubmit}>
        <Notice icon={IconMail}>{pending.sentence}</Notice>
        <Novelty change={pending.change} />
        <CodeField
          ref={field}
          data-autofocus
          label={t('code.label')}
          digits={DIGITS}
          value={code}
          onChange={(typed) => {
            setCode(typed)
            setMissing(false)
          }}
          onComplete={(typed) => void confirm(typed)}
          error={missing ? t('code.missing') : (pending.error ?? undefined)}
        />
        <div className="row-12 row-apart profile-code-foot">
          <button type="button" className="link-button" disabled={busy} onClick={() => void resend()}>
            {t('code.resend')}
          </button>
          <Button type="submit" kind="primary" busy={busy}>
            {t('code.confirm')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function Novelty({ change: { email, usdt_wallet: wallet } }: { change: ProfileChange }) {
  const { t } = useTranslation('identity/profile')
  return (
    <dl className="stack-12 profile-code-change">
      {email === undefined ? null : (
        <Fact small name={t('code.newEmail')}>
          <Name text={email} />
        </Fact>
      )}
      {wallet === undefined ? null : (
        <Fact small name={t('code.newWallet')}>
          <Address value={wallet} />
        </Fact>
      )}
    </dl>
  )
}

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
    <fieldset className="stack-16 profile-part">
      <legend className="h2">{t('person')}</legend>
      <Field
        label={t('username')}
        value={user.username}
        readOnly
        hint={t('usernameHint')}
        autoComplete="username"
      />
      <div className="pair">
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
      <div className="pair">
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
    <fieldset className="stack-16 profile-part">
      <legend className="h2">{t('reach')}</legend>
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
        <div className="row-12 row-apart profile-wallet">
          <Address value={known} />
          <span className="row-8">
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
        <span className="row-16 row-apart profile-wallet-hint">
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
