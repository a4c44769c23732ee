import { useTranslation } from 'react-i18next'
import { useCurrentUserQuery } from '../../../api/user.ts'
import { plainAmount } from '../../../ui/amount.ts'
import { Button } from '../../../ui/Button.tsx'
import { CodeMail } from '../../../ui/CodeMail.tsx'
import { Field } from '../../../ui/Field.tsx'
import { formats } from '../../../ui/format.ts'
import { APP_DIGITS, CODE_DIGITS } from '../useFirstWallet.ts'
import type { WithdrawalFormState } from '../useWithdrawalForm.ts'
import { FormSection } from './FormSection.tsx'

export function ConfirmSection({ whole }: { whole: WithdrawalFormState }) {
  const { t } = useTranslation('withdrawals')
  const { form, open, terms, values, askForCode, making, submitting } = whole
  const mailbox = useCurrentUserQuery().data?.email ?? ''
  return (
    <FormSection section="confirm" number={3} whole={whole}>
      <div className="row-8 row-apart">
        <p className="muted small" role="status">
          {open === 'confirm' ? t('form.code_sent', { mailbox }) : null}
        </p>
        <button
          type="button"
          className="link-button small withdrawal-link"
          disabled={making}
          onClick={() => void askForCode()}
        >
          {t('form.generateAgain')}
        </button>
      </div>
      {open === 'confirm' ? <CodeMail say={(count) => t('form.mailWaits', { count })} /> : null}
      <Field
        label={t('form.code')}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={20}
        placeholder={'·'.repeat(CODE_DIGITS)}
        className="withdrawal-digits"
        error={form.formState.errors.used_code?.message}
        {...form.register('used_code', {
          validate: (typed) => /\d/.test(typed) || t('rule.codeRequired'),
          // The last digit leads to the other code, as where a wallet is registered.
          onChange: ({ target }) => {
            const isWhole = target.value.replace(/\D/g, '').length === CODE_DIGITS
            if (isWhole && terms.data?.needs_otp && form.getValues('otp') === '') form.setFocus('otp')
          },
        })}
      />
      {terms.data?.needs_otp ? (
        <Field
          label={t('form.otp')}
          inputMode="numeric"
          autoComplete="off"
          maxLength={20}
          placeholder={'·'.repeat(APP_DIGITS)}
          className="withdrawal-digits"
          hint={t('form.otpHint')}
          error={form.formState.errors.otp?.message}
          {...form.register('otp', { validate: (typed) => typed.trim() !== '' || t('rule.otpRequired') })}
        />
      ) : null}
      <Button type="submit" kind="primary" size="large" wide busy={submitting}>
        {t('form.submit', { amount: `$${formats.exact(plainAmount(values.amount) ?? 0)}` })}
      </Button>
    </FormSection>
  )
}
