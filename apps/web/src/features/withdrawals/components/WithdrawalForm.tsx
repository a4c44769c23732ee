import type { WithdrawalTerms } from '@aval/contract'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../../../api/failure.ts'
import { language } from '../../../api/language.ts'
import { useMemberKeyQuery } from '../../../api/memberKey.ts'
import { useCurrentUserQuery } from '../../../api/user.ts'
import { Address } from '../../../ui/Address.tsx'
import { AmountField } from '../../../ui/AmountField.tsx'
import { fieldAmount, isSome, microOf, plainAmount } from '../../../ui/amount.ts'
import { Button } from '../../../ui/Button.tsx'
import { countdownText, useTimeLeft } from '../../../ui/countdown.ts'
import { Fact } from '../../../ui/Fact.tsx'
import { Field, SelectField } from '../../../ui/Field.tsx'
import { formats, shortHash } from '../../../ui/format.ts'
import {
  IconClock,
  IconCoins,
  IconFingerprint,
  IconMail,
  IconShieldCheck,
  IconWallet,
} from '../../../ui/icons.ts'
import { Link } from '../../../ui/Link.tsx'
import { Money } from '../../../ui/Money.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { ErrorState, type QueryState, Skeleton } from '../../../ui/States.tsx'
import { mostOf, quoteOf, type WithdrawalQuote } from '../quote.ts'
import { useWithdrawalForm } from '../useWithdrawalForm.ts'
import '../../../ui/summary.css'

type Form = ReturnType<typeof useWithdrawalForm>

export function WithdrawalForm() {
  const { t } = useTranslation('withdrawals')
  const whole = useWithdrawalForm()
  const { terms, values, submit, submitting, isPasskeyOnly } = whole
  const quote = terms.data === undefined ? null : quoteOf(plainAmount(values.amount, language), terms.data)
  return (
    <section className="card card-pad" aria-label={t('form.label')}>
      <form className="stack-16" noValidate onSubmit={submit}>
        <Available terms={terms} />
        {isPasskeyOnly ? <KeyWaits /> : null}
        {isPasskeyOnly ? <EmailUnproven /> : null}
        {terms.data === undefined ? null : <WithdrawalDelays terms={terms.data} />}
        <WithdrawalAmount whole={whole} terms={terms.data} />
        <WalletField whole={whole} terms={terms.data} />
        <Breakdown quote={quote} terms={terms.data} />
        {isPasskeyOnly ? (
          <Notice icon={IconFingerprint}>{t('passkey.text')}</Notice>
        ) : (
          <CodeFields whole={whole} needsOtp={terms.data?.needs_otp ?? false} />
        )}
        <Button type="submit" kind="primary" size="large" wide busy={submitting}>
          {t(isPasskeyOnly ? 'passkey.submit' : 'form.submit')}
        </Button>
      </form>
    </section>
  )
}

function WithdrawalAmount({ whole, terms }: { whole: Form; terms: WithdrawalTerms | undefined }) {
  const { t } = useTranslation('withdrawals')
  const { form, values, validateAmount } = whole
  const write = (text: string) =>
    form.setValue('amount', text, { shouldValidate: true, shouldDirty: true, shouldTouch: true })
  const most = terms === undefined ? '0' : mostOf(terms)
  return (
    <AmountField
      label={t('form.amount')}
      typed={values.amount}
      onChoose={write}
      error={form.formState.errors.amount?.message}
      hint={
        terms === undefined
          ? undefined
          : t('form.amountHint', {
              minimum: formats.money(terms.minimum),
              left: formats.money(terms.left_today),
            })
      }
      action={
        isSome(most) ? (
          <button
            type="button"
            className="link-button withdrawal-all"
            onClick={() => write(fieldAmount(most))}
          >
            {t('form.all')}
          </button>
        ) : null
      }
      {...form.register('amount', { validate: validateAmount })}
    />
  )
}

function WalletField({ whole, terms }: { whole: Form; terms: WithdrawalTerms | undefined }) {
  const { t } = useTranslation('withdrawals')
  const { form, values } = whole
  const error = form.formState.errors.wallet_address?.message
  const wallet = terms?.wallet_address ?? ''
  const missing = terms !== undefined && wallet === ''
  const register = error === undefined ? null : <Link to={WALLET_FIRST}>{t('form.registerWallet')}</Link>
  const address = values.wallet_address === '' ? null : <Address value={values.wallet_address} />
  return (
    <SelectField
      label={t('form.wallet')}
      error={error}
      hint={missing ? register : address}
      {...form.register('wallet_address', {
        validate: (chosen) => chosen !== '' || t(wallet === '' ? 'rule.walletMissing' : 'rule.walletCleared'),
      })}
    >
      <option value="">{t('form.chooseWallet')}</option>
      {wallet === '' ? null : <option value={wallet}>{`${shortHash(wallet)} · USDT TRC20`}</option>}
    </SelectField>
  )
}

function CodeFields({ whole, needsOtp }: { whole: Form; needsOtp: boolean }) {
  const { t } = useTranslation('withdrawals')
  const { form, askForCode, making, codeState } = whole
  const about = useId()
  const isNew = codeState === 'none' || codeState === 'first'
  return (
    <>
      <div className="stack-8">
        <Button
          icon={<IconMail size={18} stroke={1.6} />}
          size="large"
          wide
          busy={making}
          aria-describedby={about}
          onClick={askForCode}
        >
          {t(isNew ? 'form.generate' : 'form.generateAgain')}
        </Button>
        <p id={about} className={codeState === 'stale' ? 'field-error small' : 'muted small'} role="status">
          {t(`form.code_${codeState}`)}
        </p>
      </div>
      <Field
        label={t('form.code')}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={20}
        placeholder="0000000"
        className="withdrawal-digits"
        error={form.formState.errors.used_code?.message}
        {...form.register('used_code', {
          validate: (typed) => /\d/.test(typed) || t('rule.codeRequired'),
        })}
      />
      {needsOtp ? (
        <Field
          label={t('form.otp')}
          inputMode="numeric"
          autoComplete="off"
          maxLength={20}
          placeholder="000000"
          className="withdrawal-digits"
          hint={t('form.otpHint')}
          error={form.formState.errors.otp?.message}
          {...form.register('otp', { validate: (typed) => typed.trim() !== '' || t('rule.otpRequired') })}
        />
      ) : null}
    </>
  )
}

function Available({ terms }: { terms: QueryState<WithdrawalTerms> }) {
  const { t } = useTranslation('withdrawals')
  const { data } = terms
  if (data === undefined && terms.error !== undefined && !terms.isFetching)
    return <ErrorState failure={terms.error as Failure} onRetry={terms.refetch} />
  const unlocks = data?.principal_unlocks_at ?? null
  return (
    <div className="withdrawal-available">
      <p className="muted">{t('available.title')}</p>
      <p className="figure">
        {data === undefined ? <Skeleton width={160} height={34} /> : <Money amount={data.available} />}
      </p>
      {data === undefined ? null : (
        <p className="muted small">
          {isSome(data.unlocked_principal)
            ? t('available.parts', {
                balance: formats.money(data.balance),
                principal: formats.money(data.unlocked_principal),
              })
            : unlocks === null
              ? t('available.balanceOnly')
              : t('available.locked', { date: formats.longDate(unlocks) })}
        </p>
      )}
    </div>
  )
}

/** Amount, fee, what arrives, and where it is taken from: before anything is confirmed. */
function Breakdown({ quote, terms }: { quote: WithdrawalQuote | null; terms: WithdrawalTerms | undefined }) {
  const { t } = useTranslation('withdrawals')
  return (
    <div className="summary panel withdrawal-quote">
      <dl aria-live="polite" data-empty={quote === null}>
        <Fact name={t('quote.amount')}>{formats.money(quote?.amount ?? 0)}</Fact>
        <Fact name={t('quote.fee')}>{formats.money(`-${quote?.fee ?? terms?.fee ?? 0}`)}</Fact>
        <Fact className="summary-total" name={t('quote.arrives')}>
          {formats.exact(quote?.arrives ?? 0)} <span>USDT</span>
        </Fact>
      </dl>
      {quote !== null && isSome(quote.fromPrincipal) ? (
        <p className="summary-note muted small">
          {t('quote.source', {
            balance: formats.money(quote.fromBalance),
            principal: formats.money(quote.fromPrincipal),
          })}
        </p>
      ) : null}
    </div>
  )
}

/** The profile, which knows by this that a withdrawal waits for the wallet, and leads back. */
const WALLET_FIRST = '/profile?then=withdrawals'

/** What keeps money from leaving just now, shown before the form is filled in, and what to do about it. */
function WithdrawalDelays({ terms }: { terms: WithdrawalTerms }) {
  const { t } = useTranslation('withdrawals')
  return (
    <>
      {terms.paused ? (
        <Notice kind="wait" icon={IconShieldCheck} role="status">
          {t('delays.paused')}
        </Notice>
      ) : terms.cools_until === null ? null : (
        <Cooling until={terms.cools_until} />
      )}
      {terms.wallet_address === '' ? (
        <Notice icon={IconWallet}>
          {t('delays.wallet')} <Link to={WALLET_FIRST}>{t('delays.toProfile')}</Link>
        </Notice>
      ) : null}
      {microOf(terms.available) < microOf(terms.minimum) ? (
        <Notice icon={IconCoins}>
          {t('delays.little', { minimum: formats.money(terms.minimum) })}{' '}
          <Link to="/payments">{t('delays.toPayments')}</Link>
        </Notice>
      ) : null}
    </>
  )
}

/** Another passkey is to move the money: until that is decided none does. */
function KeyWaits() {
  const { t } = useTranslation('withdrawals')
  const { data } = useMemberKeyQuery()
  if (data === undefined || data.waiting === null) return null
  return (
    <Notice kind="wait" icon={IconClock} role="status">
      {t('passkey.waits')} <Link to="/security">{t('passkey.toSecurity')}</Link>
    </Notice>
  )
}

/** A passkey says nothing of the mailbox; a code would prove it by being used. */
function EmailUnproven() {
  const { t } = useTranslation('withdrawals')
  const { data: user } = useCurrentUserQuery()
  if (user?.email_proven !== false) return null
  return (
    <Notice kind="wait" icon={IconMail} role="status">
      {t('delays.email')} <Link to="/profile">{t('delays.toConfirm')}</Link>
    </Notice>
  )
}

function Cooling({ until }: { until: string }) {
  const { t } = useTranslation('withdrawals')
  const left = useTimeLeft(Date.parse(until))
  if (left <= 0) return null
  return (
    <Notice kind="wait" icon={IconClock}>
      {t('delays.cooling')} <time role="timer">{countdownText(left)}</time>
    </Notice>
  )
}
