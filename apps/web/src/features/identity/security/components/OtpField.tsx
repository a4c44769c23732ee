import { useState } from 'react'
import { Controller, useFormContext } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { CodeField } from '../../../../ui/CodeField.tsx'
import { RecoveryField } from '../../codeFields.tsx'
import { APP_DIGITS } from '../../codes.ts'

/** `otp` of the form around it: a code of the app, or a recovery code. */
export function OtpField() {
  const { t } = useTranslation('identity/security')
  const form = useFormContext<{ otp: string }>()
  const [isRecovery, setIsRecovery] = useState(false)
  const check = (typed: string) => {
    if (isRecovery) return typed.trim() !== '' || t('code.recoveryMissing')
    return typed.length === APP_DIGITS || t('code.missing')
  }
  const turn = () => {
    setIsRecovery(!isRecovery)
    form.resetField('otp')
  }
  return (
    <div className="stack-8">
      <Controller
        // The rule of another kind of code is another field's.
        key={String(isRecovery)}
        control={form.control}
        name="otp"
        rules={{ validate: check }}
        render={({ field: { onChange, ...field }, fieldState }) => {
          const shown = { ...field, error: fieldState.error?.message }
          return isRecovery ? (
            <RecoveryField {...shown} label={t('code.recovery')} onType={onChange} />
          ) : (
            <CodeField {...shown} label={t('code.label')} digits={APP_DIGITS} onChange={onChange} />
          )
        }}
      />
      <button type="button" className="link-button small security-turn" onClick={turn}>
        {t(isRecovery ? 'code.useApp' : 'code.useRecovery')}
      </button>
    </div>
  )
}
