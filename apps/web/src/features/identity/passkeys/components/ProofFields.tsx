import { useTranslation } from 'react-i18next'
import { CodeField } from '../../../../ui/CodeField.tsx'
import { PasswordField } from '../../../../ui/PasswordField.tsx'
import { APP_DIGITS } from '../../codes.ts'
import { MOST_TYPED } from '../../new-password/newPassword.ts'
import type { ProofState } from '../useProof.ts'

/** The password, and a code of the authenticator app where two-factor is on. */
export function ProofFields({ proof }: { proof: ProofState }) {
  const { t } = useTranslation('identity/security')
  const { typed, errors, fields, withCode, type } = proof
  return (
    <>
      <PasswordField
        ref={fields.password}
        data-autofocus
        label={t('password.current')}
        name="current_password"
        autoComplete="current-password"
        maxLength={MOST_TYPED}
        value={typed.password}
        error={errors.password}
        onChange={(event) => type('password', event.currentTarget.value)}
      />
      {withCode ? (
        <CodeField
          ref={fields.code}
          label={t('code.label')}
          name="code"
          digits={APP_DIGITS}
          value={typed.code}
          error={errors.code}
          onChange={(text) => type('code', text)}
        />
      ) : null}
    </>
  )
}
