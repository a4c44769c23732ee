import type { CurrentUser, OfferedRole } from '@aval/contract'
import { useState } from 'react'
import { Controller, useForm } from 'react-hook-form'
import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { signOut } from '../../../../api/browserSession.ts'
import type { Failure } from '../../../../api/failure.ts'
import { Button } from '../../../../ui/Button.tsx'
import { CodeField } from '../../../../ui/CodeField.tsx'
import { Fact } from '../../../../ui/Fact.tsx'
import { formats } from '../../../../ui/format.ts'
import { Notice } from '../../../../ui/Notice.tsx'
import { PageHead } from '../../../../ui/PageHead.tsx'
import { PasswordField } from '../../../../ui/PasswordField.tsx'
import { showRefusedFields } from '../../../../ui/refusedFields.ts'
import { Loaded, SkeletonCard } from '../../../../ui/States.tsx'
import { useFailureText } from '../../../../ui/useFailureText.ts'
import { APP_DIGITS } from '../../codes.ts'
import { linkToken } from '../../passwords/reset.ts'
import { TwoFactorCard } from '../../security/components/TwoFactorCard.tsx'
import { useAcceptInvitationMutation, useInvitationQuery } from '../api.ts'
import './invitation.css'

/** Where the link of an invitation leads: what is offered, and saying yes. */
export function InvitationPage({ user }: { user: CurrentUser | undefined }) {
  const { t } = useTranslation('identity/invitation')
  const token = linkToken(useLocation().hash)
  return (
    <div className="page-stack invitation">
      <PageHead title={t('title')} heading={t('title')} text={t('ignore')} />
      {token === null ? (
        <Notice kind="bad">{t('incomplete')}</Notice>
      ) : (
        <Offered token={token} username={user?.username ?? ''} />
      )}
    </div>
  )
}

function Offered({ token, username }: { token: string; username: string }) {
  const { t } = useTranslation('identity/invitation')
  const query = useInvitationQuery(token)
  return (
    <Loaded query={query} hold={<SkeletonCard bars={[['100%', 160]]} />} card>
      {(offer) => (
        <>
          <section className="card card-pad stack-14">
            <p>{t('text', { by: offer.invited_by })}</p>
            <dl className="panel facts stack-8">
              <Fact name={t('role')} note={t(`roleText.${offer.role}`)}>
                {t(`roleName.${offer.role}`)}
              </Fact>
              <Fact name={t('until')}>{formats.dateTime(offer.expires_at)}</Fact>
            </dl>
            <p className="muted">{t('what')}</p>
            {offer.two_factor ? <AcceptForm token={token} /> : <Notice kind="wait">{t('first')}</Notice>}
          </section>
          <TwoFactorPart offer={offer} username={username} />
        </>
      )}
    </Loaded>
  )
}

/** Stays once it has been there, since new recovery codes are shown in it. */
function TwoFactorPart({ offer, username }: { offer: OfferedRole; username: string }) {
  const [wasOff] = useState(!offer.two_factor)
  return wasOff ? <TwoFactorCard username={username} cooling="" /> : null
}

function AcceptForm({ token }: { token: string }) {
  const { t } = useTranslation('identity/invitation')
  const sayFailure = useFailureText()
  const [accept] = useAcceptInvitationMutation()
  const form = useForm({ defaultValues: { current_password: '', otp: '' } })
  const submit = form.handleSubmit(async (typed) => {
    const { data, error } = await accept({ token, ...typed })
    if (data === undefined) {
      const failure = error as Failure
      if (!showRefusedFields(form, failure)) toast.error(sayFailure(failure))
      return
    }
    toast.success(data.message)
    await signOut('/auth/login/?next=%2Foperator')
  })
  return (
    <form className="stack-14 security-form" noValidate onSubmit={(event) => void submit(event)}>
      <PasswordField
        label={t('password')}
        autoComplete="current-password"
        error={form.formState.errors.current_password?.message}
        {...form.register('current_password', { required: t('passwordMissing') })}
      />
      <Controller
        control={form.control}
        name="otp"
        rules={{ validate: (value) => value.length === APP_DIGITS || t('codeMissing') }}
        render={({ field, fieldState }) => (
          <CodeField {...field} label={t('code')} digits={APP_DIGITS} error={fieldState.error?.message} />
        )}
      />
      <Button type="submit" kind="primary" size="large" busy={form.formState.isSubmitting}>
        {t('accept')}
      </Button>
    </form>
  )
}
