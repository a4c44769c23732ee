import { type CurrentUser, LOCALES } from '@aval/contract'
import { exactFigure, REGIONS, type Region } from '@aval/contract/regions'
import { useQueryState } from 'nuqs'
import { type FormEvent, useEffect, useMemo, useRef, useState } from 'react'
import { FormProvider, useFormContext } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { language } from '../../../../api/language.ts'
import { isTimeZone } from '../../../../api/timeZone.ts'
import { useCurrentUserQuery } from '../../../../api/user.ts'
import { Address } from '../../../../ui/Address.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { CodeField } from '../../../../ui/CodeField.tsx'
import { CodeMail } from '../../../../ui/CodeMail.tsx'
import { CopyButton } from '../../../../ui/CopyButton.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { Fact } from '../../../../ui/Fact.tsx'
import { Field, FieldError, type FieldProps, SelectField } from '../../../../ui/Field.tsx'
import { IconCircleCheck, IconMail, IconWallet } from '../../../../ui/icons.ts'
import { Link } from '../../../../ui/Link.tsx'
import { Name } from '../../../../ui/Name.tsx'
import { Notice } from '../../../../ui/Notice.tsx'
import { PageHead } from '../../../../ui/PageHead.tsx'
import { Loaded, Skeleton } from '../../../../ui/States.tsx'
import { usePressFirst } from '../../../../ui/usePressFirst.ts'
import { APP_DIGITS } from '../../codes.ts'
import { checkName, checkPhone } from '../../registration/registerRules.ts'
import { checkEmail, checkWallet, type ProfileChange, type ProfileValues, type Rule } from '../change.ts'
import { type Pending, type ProfileForm, useProfileForm } from '../useProfileForm.ts'
import { CoolingNotice } from './CoolingNotice.tsx'
import { EmailProof } from './EmailProof.tsx'
import { PictureCard } from './PictureCard.tsx'
import './profile.css'

export function ProfilePage({ user }: { user: CurrentUser | undefined }) {
  const { t } = useTranslation('identity/profile')
  return (
    <div className="page-stack">
      <PageHead title={t('title')} text={t('text')} />
      <CoolingNotice />
      {user === undefined ? null : <EmailProof user={user} />}
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

const FIELDS = ['username', 'first', 'last', 'phone', 'language', 'zone', 'email', 'wallet']

function OnItsWay() {
  const hold = (
    <div className="profile-columns" aria-busy="true">
      <div className="card card-pad profile-picture">
        <span className="skeleton profile-photo" aria-hidden="true" />
        <Skeleton width={120} height={24} />
      </div>
      <div className="card card-pad">
        <div className="pair profile-hold">
          {FIELDS.map((field) => (
            <div key={field} className="stack-8">
              <Skeleton width={96} height={18} />
              <Skeleton width="100%" height={44} />
            </div>
          ))}
        </div>
      </div>
    </div>
  )
  return <Loaded query={useCurrentUserQuery()} hold={hold} card holdAgain />
}

function ProfileCard({ user }: { user: CurrentUser }) {
  const { t } = useTranslation('identity/profile')
  const whole = useProfileForm(user)
  const { form, change, busy, pending, submit, discard } = whole
  const isNew = Object.keys(change).length > 0
  return (
    <>
      <form className="card profile-form" noValidate onSubmit={submit} {...usePressFirst()}>
        <FormProvider {...form}>
          <PersonFields user={user} />
          <ReachFields user={user} isNewWallet={change.usdt_wallet !== undefined} />
        </FormProvider>
        <div className="card-head profile-foot">
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
      {pending === null ? null : <CodeStep pending={pending} whole={whole} withOtp={user.two_factor} />}
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
      <span>{t('then.ready')}</span> <Link to="/withdrawals">{t('then.back')}</Link>
    </Notice>
  )
}

const DIGITS = 7

/** Both codes as they are typed. One that was refused is shown selected: typing replaces it. */
function useCodes(pending: Pending, withOtp: boolean, confirm: ProfileForm['confirm']) {
  const [typed, setTyped] = useState({ code: '', otp: '' })
  const [missing, setMissing] = useState<'code' | 'otp' | null>(null)
  const code = useRef<HTMLInputElement>(null)
  const otp = useRef<HTMLInputElement>(null)

  useEffect(() => {
    if (pending.error !== null) code.current?.select()
    else if (pending.otpError !== null) otp.current?.select()
  }, [pending.error, pending.otpError])

  const submit = (event: FormEvent) => {
    event.preventDefault()
    const isCodeMissing = typed.code.length !== DIGITS
    if (!isCodeMissing && (!withOtp || typed.otp.length === APP_DIGITS))
      return void confirm(typed.code, typed.otp)
    setMissing(isCodeMissing ? 'code' : 'otp')
    const field = isCodeMissing ? code : otp
    field.current?.focus()
  }
  const type = (name: 'code' | 'otp') => (text: string) => {
    setTyped((before) => ({ ...before, [name]: text }))
    setMissing(null)
  }
  /** The one that completes both sends them; the first of two leads to the other. */
  const complete = (name: 'code' | 'otp') => (text: string) => {
    const whole = { ...typed, [name]: text }
    if (whole.code.length !== DIGITS) code.current?.focus()
    else if (withOtp && whole.otp.length !== APP_DIGITS) otp.current?.focus()
    else void confirm(whole.code, whole.otp)
  }
  return { typed, missing, fields: { code, otp }, submit, type, complete }
}

function CodeStep({ pending, whole, withOtp }: { pending: Pending; whole: ProfileForm; withOtp: boolean }) {
  const { t } = useTranslation('identity/profile')
  const { busy, confirm, resend, cancel } = whole
  const { typed, missing, fields, submit, type, complete } = useCodes(pending, withOtp, confirm)
  return (
    <Dialog title={t('code.title')} onClose={cancel} width={460}>
      <form className="stack-16" noValidate onSubmit={submit}>
        <Notice icon={IconMail}>{pending.sentence}</Notice>
        <Novelty change={pending.change} />
        <CodeField
          ref={fields.code}
          data-autofocus
          label={t('code.label')}
          digits={DIGITS}
          value={typed.code}
          onChange={type('code')}
          onComplete={complete('code')}
          error={missing === 'code' ? t('code.missing') : (pending.error ?? undefined)}
        />
        <CodeMail say={(count) => t('code.mailWaits', { count })} />
        {withOtp ? (
          <CodeField
            ref={fields.otp}
            label={t('code.otp')}
            digits={APP_DIGITS}
            value={typed.otp}
            onChange={type('otp')}
            onComplete={complete('otp')}
            error={missing === 'otp' ? t('code.otpMissing') : (pending.otpError ?? undefined)}
          />
        ) : null}
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

interface ProfileFieldProps extends FieldProps {
  name: 'first_name' | 'last_name' | 'phone_number' | 'email' | 'usdt_wallet'
  rule: (typed: string) => Rule | null
}

function ProfileField({ name, rule, ...field }: ProfileFieldProps) {
  const { t } = useTranslation('identity/profile')
  const { register, formState } = useFormContext<ProfileValues>()
  const validate = (typed: string) => {
    const broken = rule(typed)
    return broken === null || t(`rule.${broken}`)
  }
  return <Field {...field} error={formState.errors[name]?.message} {...register(name, { validate })} />
}

function PersonFields({ user }: { user: CurrentUser }) {
  const { t } = useTranslation('identity/profile')
  const { register } = useFormContext<ProfileValues>()
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
        <ProfileField
          name="first_name"
          label={t('firstName')}
          autoComplete="given-name"
          maxLength={60}
          rule={checkName}
        />
        <ProfileField
          name="last_name"
          label={t('lastName')}
          autoComplete="family-name"
          maxLength={60}
          rule={checkName}
        />
        <ProfileField
          name="phone_number"
          label={t('phone')}
          type="tel"
          inputMode="tel"
          autoComplete="tel"
          maxLength={30}
          rule={checkPhone}
        />
        <SelectField label={t('language')} hint={t('languageHint')} {...register('locale')}>
          {LOCALES.map((locale) => (
            <option key={locale} value={locale} lang={locale}>
              {t(`locale.${locale}`)}
            </option>
          ))}
        </SelectField>
        <TimeZoneField user={user} />
        <RegionField user={user} />
      </div>
    </fieldset>
  )
}

/** `UTC−05:00`, now. */
const offsetOf = (zone: string) =>
  new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' })
    .formatToParts(new Date())
    .find(({ type }) => type === 'timeZoneName')
    ?.value.replace('GMT', 'UTC')

/** All that the browser knows, by their names, which typing finds; the saved one too, where it does not. */
function TimeZoneField({ user }: { user: CurrentUser }) {
  const { t } = useTranslation('identity/profile')
  const { register, watch } = useFormContext<ProfileValues>()
  const saved = user.time_zone ?? ''
  const zones = useMemo(
    () =>
      [...new Set([...(saved === '' ? [] : [saved]), 'UTC', ...Intl.supportedValuesOf('timeZone')])].sort(),
    [saved],
  )
  const chosen = watch('time_zone')
  const now = isTimeZone(chosen) ? offsetOf(chosen) : null
  return (
    <SelectField
      label={t('timeZone')}
      hint={now === null ? t('timeZoneHint') : `${t('timeZoneHint')} ${t('timeZoneNow', { now })}`}
      {...register('time_zone')}
      value={chosen}
    >
      {saved === '' ? <option value="">{t('timeZoneNone')}</option> : null}
      {zones.map((zone) => (
        <option key={zone} value={zone}>
          {zone.replaceAll('_', ' ')}
        </option>
      ))}
    </SelectField>
  )
}

const COUNTRY_NAMES = new Intl.DisplayNames(language, { type: 'region' })

/** `Colombia · 1.234,50`, `México · 1,234.50`: whose figures look alike, and whose do not, is seen. */
function regionChoices(): { region: Region; text: string }[] {
  return REGIONS.map((region) => ({
    region,
    text: `${COUNTRY_NAMES.of(region.slice(-2))} · ${exactFigure(region)('1234.50')}`,
  })).sort((one, other) => one.text.localeCompare(other.text, language))
}

function RegionField({ user }: { user: CurrentUser }) {
  const { t } = useTranslation('identity/profile')
  const { register, watch } = useFormContext<ProfileValues>()
  const choices = useMemo(regionChoices, [])
  return (
    <SelectField label={t('region')} hint={t('regionHint')} {...register('region')} value={watch('region')}>
      {user.region === null ? <option value="">{t('timeZoneNone')}</option> : null}
      {choices.map(({ region, text }) => (
        <option key={region} value={region}>
          {text}
        </option>
      ))}
    </SelectField>
  )
}

interface WalletFieldProps {
  user: CurrentUser
  /** Another one than the registered has been typed. */
  isNewWallet: boolean
}

function ReachFields({ user, isNewWallet }: WalletFieldProps) {
  const { t } = useTranslation('identity/profile')
  return (
    <fieldset className="stack-16 profile-part">
      <legend className="h2">{t('reach')}</legend>
      <p className="muted small">{t(user.passkey_only ? 'passkey.reachText' : 'reachText')}</p>
      <ProfileField
        name="email"
        label={t('email')}
        type="email"
        inputMode="email"
        autoComplete="email"
        maxLength={254}
        rule={checkEmail}
      />
      <WalletField key={user.usdt_wallet} user={user} isNewWallet={isNewWallet} />
    </fieldset>
  )
}

/** The registered address as it is compared, in groups of four; to change it is a step of its own. */
function WalletField({ user, isNewWallet }: WalletFieldProps) {
  const { t } = useTranslation('identity/profile')
  const form = useFormContext<ProfileValues>()
  const { setFocus } = form
  const known = user.usdt_wallet
  const [then] = useQueryState('then')
  // A member who came to register a wallet begins at its field.
  const [editing, setEditing] = useState(known === '' && then === 'withdrawals')
  useEffect(() => {
    if (editing) setFocus('usdt_wallet', { shouldSelect: true })
  }, [editing, setFocus])
  if (known !== '' && !editing && !isNewWallet)
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
        <FieldError text={form.formState.errors.usdt_wallet?.message} />
      </div>
    )
  const keep = () => {
    form.resetField('usdt_wallet', { defaultValue: known })
    setEditing(false)
  }
  const typed = form.watch('usdt_wallet').replace(/\s/g, '')
  return (
    <ProfileField
      name="usdt_wallet"
      label={t('wallet')}
      autoComplete="off"
      autoCapitalize="off"
      spellCheck={false}
      maxLength={60}
      className="profile-wallet-input"
      placeholder="T…"
      rule={(value) => checkWallet(value, known)}
      hint={
        <span className="row-16 row-apart profile-wallet-hint">
          <span>{typed === '' ? t('walletHint') : <Address value={typed} />}</span>
          {known === '' ? null : (
            <button type="button" className="link-button" onClick={keep}>
              {t('keepWallet')}
            </button>
          )}
        </span>
      }
    />
  )
}
