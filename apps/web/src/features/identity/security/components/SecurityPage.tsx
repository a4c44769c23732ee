import type { CurrentUser } from '@aval/contract'
import type { ReactNode } from 'react'
import { FormProvider, useForm } from 'react-hook-form'
import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../../../../api/failure.ts'
import { Button } from '../../../../ui/Button.tsx'
import { FailureGroup } from '../../../../ui/FailureGroup.tsx'
import { IconKey } from '../../../../ui/icons.ts'
import { Link } from '../../../../ui/Link.tsx'
import { PageHead } from '../../../../ui/PageHead.tsx'
import { PasswordField } from '../../../../ui/PasswordField.tsx'
import { showRefusedFields } from '../../../../ui/refusedFields.ts'
import { useFailureText } from '../../../../ui/useFailureText.ts'
import { usePressFirst } from '../../../../ui/usePressFirst.ts'
import { NewPasswordFields, usePasswordRuleText } from '../../new-password/components/NewPasswordFields.tsx'
import { MOST_TYPED } from '../../new-password/newPassword.ts'
import { MemberKeyCard } from '../../passkeys/components/MemberKeyCard.tsx'
import { PasskeysCard } from '../../passkeys/components/PasskeysCard.tsx'
import { ClosingCard } from '../../privacy/components/ClosingCard.tsx'
import { OwnDataCard } from '../../privacy/components/OwnDataCard.tsx'
import { SecurityCard } from '../../SecurityCard.tsx'
import { type Passwords, useChangePasswordMutation } from '../api.ts'
import { OtpField } from './OtpField.tsx'
import { EventsCard, SessionsCard } from './SecurityLists.tsx'
import { TwoFactorCard } from './TwoFactorCard.tsx'
import './security.css'

interface SecurityPageProps {
  user: CurrentUser | undefined
  /** What keeps money in for now. */
  notice: ReactNode
  /** Hours in which no money leaves after a change here; undefined while that is not known. */
  coolingHours: number | undefined
}

export function SecurityPage({ user, notice, coolingHours = 0 }: SecurityPageProps) {
  const { t } = useTranslation('identity/security')
  // What a change does to money; empty for nothing.
  const cooling = coolingHours === 0 ? '' : t('cooling', { count: coolingHours })
  return (
    <div className="page-stack">
      <PageHead title={t('title')} text={t('text')} />
      {notice}
      <FailureGroup>
        <div className="security-columns">
          <PasswordCard user={user} cooling={cooling} />
          <TwoFactorCard username={user?.username ?? ''} cooling={cooling} />
        </div>
        <PasskeysCard cooling={cooling} withCode={user?.two_factor === true} />
        {user === undefined ? null : <MemberKeyCard user={user} />}
        <SessionsCard />
        <EventsCard />
        {user === undefined ? null : (
          <div className="security-columns">
            <OwnDataCard withCode={user.two_factor} />
            <ClosingCard user={user} />
          </div>
        )}
      </FailureGroup>
    </div>
  )
}

const EMPTY = { current_password: '', password: '', password2: '', otp: '' } satisfies Passwords

function usePasswordChange() {
  const sayFailure = useFailureText()
  const [send, { isLoading: busy }] = useChangePasswordMutation()
  const form = useForm({ defaultValues: EMPTY, mode: 'onTouched' })

  const submit = form.handleSubmit(async (values) => {
    const answer = await send(values)
    if (answer.error === undefined) {
      form.reset(EMPTY)
      toast.success(answer.data.message)
      return
    }
    const failure = answer.error as Failure
    if (failure.code === 'otp_required' || failure.code === 'otp_invalid') {
      form.setError('otp', { message: sayFailure(failure) })
      form.setFocus('otp', { shouldSelect: true })
      return
    }
    if (!showRefusedFields(form, failure, { shouldSelect: true })) toast.error(sayFailure(failure))
  })
  return { form, busy, submit }
}

function PasswordCard({ user, cooling }: { user: CurrentUser | undefined; cooling: string }) {
  const { t } = useTranslation('identity/security')
  const sayPassword = usePasswordRuleText()
  const { form, busy, submit } = usePasswordChange()
  return (
    <SecurityCard id="security-password" icon={IconKey} title={t('password.title')}>
      <FormProvider {...form}>
        <form className="stack-16 security-form" noValidate onSubmit={submit} {...usePressFirst()}>
          {/* Tells a password manager whose password it is about to replace. */}
          <input
            type="text"
            name="username"
            autoComplete="username"
            value={user?.username ?? ''}
            readOnly
            tabIndex={-1}
            aria-hidden="true"
            className="visually-hidden"
          />
          <PasswordField
            label={t('password.current')}
            autoComplete="current-password"
            maxLength={MOST_TYPED}
            error={form.formState.errors.current_password?.message}
            {...form.register('current_password', {
              validate: (typed) => typed !== '' || sayPassword('required'),
            })}
          />
          <NewPasswordFields
            labels={{ password: t('password.next'), repeat: t('password.repeat') }}
            known={[
              user?.username ?? '',
              user?.email.split('@')[0] ?? '',
              user?.first_name ?? '',
              user?.last_name ?? '',
            ]}
          />
          {user?.two_factor === true ? <OtpField /> : null}
          <p className="muted small">{`${t('password.consequence')} ${cooling}`}</p>
          <div className="row-16 security-actions">
            <Button type="submit" kind="primary" busy={busy}>
              {t('password.submit')}
            </Button>
            <Link to="/auth/forgot-password" state={{ identity: user?.email ?? '' }} className="small">
              {t('password.forgot')}
            </Link>
          </div>
        </form>
      </FormProvider>
    </SecurityCard>
  )
}
