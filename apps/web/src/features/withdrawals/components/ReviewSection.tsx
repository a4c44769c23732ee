import type { WithdrawalTerms } from '@aval/contract'
import { WITHDRAWAL_HOURS } from '@aval/contract/deadlines'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Address } from '../../../ui/Address.tsx'
import { isSome, plainAmount } from '../../../ui/amount.ts'
import { Button } from '../../../ui/Button.tsx'
import { Fact } from '../../../ui/Fact.tsx'
import { SelectField } from '../../../ui/Field.tsx'
import { formats, shortHash } from '../../../ui/format.ts'
import { IconFingerprint, IconMail } from '../../../ui/icons.ts'
import { Link } from '../../../ui/Link.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { quoteOf, type WithdrawalQuote } from '../quote.ts'
import { REVIEW_BUTTON, type WithdrawalFormState } from '../useWithdrawalForm.ts'
import { FirstWallet } from './FirstWallet.tsx'
import { FormSection } from './FormSection.tsx'
import { TermsFailure } from './TermsFailure.tsx'
import '../../../ui/summary.css'

export function ReviewSection({ whole }: { whole: WithdrawalFormState }) {
  const { terms, values, isPasskeyOnly } = whole
  const about = useId()
  const quote = terms.data === undefined ? null : quoteOf(plainAmount(values.amount), terms.data)
  return (
    <FormSection section="review" number={2} summary={useSummary(whole, quote)} whole={whole}>
      {whole.firstWallet === null ? (
        <WalletField whole={whole} terms={terms.data} />
      ) : (
        <FirstWallet wallet={whole.firstWallet} />
      )}
      <TermsFailure terms={terms}>
        <Breakdown id={about} quote={quote} terms={terms.data} />
      </TermsFailure>
      {whole.firstWallet !== null ? null : isPasskeyOnly ? (
        <ByPasskey whole={whole} about={about} />
      ) : (
        <AskForCode whole={whole} about={about} />
      )}
    </FormSection>
  )
}

function useSummary({ values }: WithdrawalFormState, quote: WithdrawalQuote | null): string | null {
  const { t } = useTranslation('withdrawals')
  if (quote === null || values.wallet_address === '') return null
  return t('sections.reviewed', {
    arrives: formats.exact(quote.arrives),
    wallet: shortHash(values.wallet_address),
  })
}

interface PartProps {
  whole: WithdrawalFormState
  /** The element that says what becomes of the amount. */
  about: string
}

/** Asks for the code, or goes on with the one that was asked for. */
function AskForCode({ whole, about }: PartProps) {
  const { t } = useTranslation('withdrawals')
  const { open, making, codeState, haveCode, askForCode } = whole
  const isWaiting = whole.waiting && whole.terms.isFetching
  const hint = useId()
  const isSent = codeState === 'sent'
  return (
    <div className="stack-8">
      <Button
        type="submit"
        id={REVIEW_BUTTON}
        kind="primary"
        icon={isSent ? undefined : <IconMail size={18} stroke={1.6} />}
        size="large"
        wide
        busy={making || isWaiting}
        aria-describedby={`${hint} ${about}`}
      >
        {t(isSent ? 'form.continue' : codeState === 'stale' ? 'form.generateAgain' : 'form.generate')}
      </Button>
      <p id={hint} className={codeState === 'stale' ? 'field-error small' : 'muted small'} role="status">
        {open === 'review' ? t(`form.code_${codeState}`) : null}
      </p>
      <button
        type="button"
        className="link-button small withdrawal-link"
        disabled={making}
        onClick={() => (isSent ? void askForCode() : haveCode())}
      >
        {t(isSent ? 'form.generateAgain' : 'form.haveCode')}
      </button>
    </div>
  )
}

/** What is shown is what the passkey signs: its own window is the last section. */
function ByPasskey({ whole, about }: PartProps) {
  const { t } = useTranslation('withdrawals')
  return (
    <>
      <Notice icon={IconFingerprint}>{t('passkey.text')}</Notice>
      <Button
        type="submit"
        id={REVIEW_BUTTON}
        kind="primary"
        size="large"
        wide
        busy={whole.submitting || (whole.waiting && whole.terms.isFetching)}
        aria-describedby={about}
      >
        {t('passkey.submit')}
      </Button>
    </>
  )
}

/** The profile, which knows by this that a withdrawal waits for the wallet, and leads back. */
const WALLET_FIRST = '/profile?then=withdrawals'

function WalletField({ whole, terms }: { whole: WithdrawalFormState; terms: WithdrawalTerms | undefined }) {
  const { t } = useTranslation('withdrawals')
  const { form, values } = whole
  const error = form.formState.errors.wallet_address?.message
  const wallet = terms?.wallet_address ?? ''
  const address = values.wallet_address === '' ? null : <Address value={values.wallet_address} />
  return (
    <SelectField
      label={t('form.wallet')}
      error={error}
      hint={
        error === undefined || wallet === '' ? (
          address
        ) : (
          <Link to={WALLET_FIRST}>{t('form.registerWallet')}</Link>
        )
      }
      {...form.register('wallet_address', {
        validate: (chosen) => chosen !== '' || t(wallet === '' ? 'rule.walletMissing' : 'rule.walletCleared'),
      })}
    >
      <option value="">{t('form.chooseWallet')}</option>
      {wallet === '' ? null : <option value={wallet}>{shortHash(wallet)}</option>}
    </SelectField>
  )
}

interface BreakdownProps {
  id: string
  quote: WithdrawalQuote | null
  terms: WithdrawalTerms | undefined
}

/** Amount, fee, what arrives, where it is taken from and when it comes: before anything is confirmed. */
function Breakdown({ id, quote, terms }: BreakdownProps) {
  const { t } = useTranslation('withdrawals')
  return (
    <div id={id} className="summary panel withdrawal-quote">
      <dl aria-live="polite" data-empty={quote === null}>
        <Fact name={t('quote.amount')}>{`$${formats.exact(quote?.amount ?? 0)}`}</Fact>
        <Fact name={t('quote.fee')}>{`−$${formats.exact(quote?.fee ?? terms?.fee ?? 0)}`}</Fact>
        <Fact className="summary-total" name={t('quote.arrives')}>
          <span>{formats.exact(quote?.arrives ?? 0)}</span> <span>USDT</span>
        </Fact>
      </dl>
      <p className="summary-note muted small">
        {`${
          quote !== null && isSome(quote.fromPrincipal)
            ? `${t('quote.source', {
                balance: formats.money(quote.fromBalance),
                principal: formats.money(quote.fromPrincipal),
              })} `
            : ''
        }${t('quote.when', { hours: WITHDRAWAL_HOURS })}`}
      </p>
    </div>
  )
}
