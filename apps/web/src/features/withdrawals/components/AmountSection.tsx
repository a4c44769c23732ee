import type { WithdrawalTerms } from '@aval/contract'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { useCurrentUserQuery } from '../../../api/user.ts'
import { AmountField } from '../../../ui/AmountField.tsx'
import { fieldAmount, isSome, microOf, plainAmount } from '../../../ui/amount.ts'
import { Button } from '../../../ui/Button.tsx'
import { CodeMail } from '../../../ui/CodeMail.tsx'
import { formats } from '../../../ui/format.ts'
import { Money } from '../../../ui/Money.tsx'
import { SkeletonText } from '../../../ui/SkeletonText.tsx'
import { type QueryState, Skeleton } from '../../../ui/States.tsx'
import { mostOf } from '../quote.ts'
import type { WithdrawalFormState } from '../useWithdrawalForm.ts'
import { FormSection } from './FormSection.tsx'
import { TermsFailure } from './TermsFailure.tsx'

/** As long as most members' are. */
const TYPICAL = {
  minimum: formats.money('20.00'),
  left: formats.money('5000.00'),
  date: formats.longDate('2027-11-01T12:00:00Z'),
}

export function AmountSection({ whole }: { whole: WithdrawalFormState }) {
  const { t } = useTranslation('withdrawals')
  const { terms, values } = whole
  const plain = plainAmount(values.amount)
  return (
    <FormSection
      section="amount"
      number={1}
      summary={plain === null ? null : `${formats.money(plain)} USD`}
      whole={whole}
    >
      <TermsFailure terms={terms}>
        <Available terms={terms} />
      </TermsFailure>
      <WithdrawalAmount whole={whole} />
      <Button type="submit" kind="primary" size="large" wide busy={whole.waiting && terms.isFetching}>
        {t('form.continue')}
      </Button>
      {terms.data !== undefined && isCodeWorthIt(terms.data) ? <CodeFirst whole={whole} /> : null}
    </FormSection>
  )
}

function WithdrawalAmount({ whole }: { whole: WithdrawalFormState }) {
  const { t } = useTranslation('withdrawals')
  const { form, values, validateAmount } = whole
  const { data: terms, isFetching } = whole.terms
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
        terms !== undefined ? (
          t('form.amountHint', {
            minimum: formats.money(terms.minimum),
            left: formats.money(terms.left_today),
          })
        ) : isFetching ? (
          <SkeletonText text={t('form.amountHint', TYPICAL)} />
        ) : undefined
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

/** Whether a code can be asked for now, and money could leave by it. */
const isCodeWorthIt = ({ code_first, paused, frozen, cools_until, available, minimum }: WithdrawalTerms) =>
  code_first && !paused && frozen === null && cools_until === null && microOf(available) >= microOf(minimum)

/** For who wants the code before the amount. It is good for more, so it says for what. */
function CodeFirst({ whole }: { whole: WithdrawalFormState }) {
  const { t } = useTranslation('withdrawals')
  const about = useId()
  const mailbox = useCurrentUserQuery().data?.email ?? ''
  const { open, codeState, making, askFirst } = whole
  return (
    <div className="stack-6">
      {codeState === 'sent' ? null : (
        <button
          type="button"
          className="link-button small withdrawal-link"
          aria-describedby={about}
          disabled={making}
          onClick={() => void askFirst()}
        >
          {t('form.codeFirst')}
        </button>
      )}
      <p id={about} className="muted small" role="status">
        {open === 'amount'
          ? t(codeState === 'sent' ? 'form.code_sent' : 'form.codeFirstHint', { mailbox })
          : null}
      </p>
      {open === 'amount' && codeState === 'sent' ? (
        <CodeMail say={(count) => t('form.mailWaits', { count })} />
      ) : null}
    </div>
  )
}

function Available({ terms }: { terms: QueryState<WithdrawalTerms> }) {
  const { t } = useTranslation('withdrawals')
  const { data } = terms
  return (
    <div className="withdrawal-available">
      <p className="muted">{t('available.title')}</p>
      <p className="figure">
        {data === undefined ? <Skeleton width={160} height={39} /> : <Money amount={data.available} />}
      </p>
      <p className="muted small">{data === undefined ? <AvailableSoon /> : <AvailableFrom terms={data} />}</p>
    </div>
  )
}

/** Where the available money is, and what is still locked. */
function AvailableFrom({ terms }: { terms: WithdrawalTerms }) {
  const { t } = useTranslation('withdrawals')
  const { balance, unlocked_principal, principal_unlocks_at } = terms
  if (isSome(unlocked_principal))
    return (
      <span>
        {t('available.parts', {
          balance: formats.money(balance),
          principal: formats.money(unlocked_principal),
        })}
      </span>
    )
  if (principal_unlocks_at === null) return <span>{t('available.balanceOnly')}</span>
  return <span>{t('available.locked', { date: formats.longDate(principal_unlocks_at) })}</span>
}

function AvailableSoon() {
  const { t } = useTranslation('withdrawals')
  return <SkeletonText text={t('available.locked', TYPICAL)} />
}
