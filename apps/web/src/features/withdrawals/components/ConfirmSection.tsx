import { useTranslation } from 'react-i18next'
import { Button } from '../../../ui/Button.tsx'
import { CodeMail } from '../../../ui/CodeMail.tsx'
import { Field } from '../../../ui/Field.tsx'
import { CODE_DIGITS } from '../useFirstWallet.ts'
import type { WithdrawalFormState } from '../useWithdrawalForm.ts'
import { FormSection } from './FormSection.tsx'

export function ConfirmSection({ whole }: { whole: WithdrawalFormState }) {
  const { t } = useTranslation('withdrawals')
  const { form, open, terms, askForCode, making, submitting } = whole
  return (
    <FormSection section="confirm" number={3} whole={whole}>
      <div className="row-8 row-apart">
        <p className="muted small" role="status">
          {open === 'confirm' ? t('form.code_sent') : null}
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
        placeholder="0000000"
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
          placeholder="000000"
          className="withdrawal-digits"
          hint={t('form.otpHint')}
          error={form.formState.errors.otp?.message}
          {...form.register('otp', { validate: (typed) => typed.trim() !== '' || t('rule.otpRequired') })}
        />
      ) : null}
      <Button type="submit" kind="primary" size="large" wide busy={submitting}>
        {t('form.submit')}
      </Button>
    </FormSection>
  )
}
