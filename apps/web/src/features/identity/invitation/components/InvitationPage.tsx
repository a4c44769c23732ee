import type { CurrentUser, OfferedRole } from '@aval/contract'
import { useEffect, useRef, useState } from 'react'
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
import { IconCircleCheck } from '../../../../ui/icons.ts'
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
  const [accepted, setAccepted] = useState<string | null>(null)
  return (
    <div className="page-stack invitation">
      <PageHead title={t('title')} heading={t('title')} text={accepted === null ? t('ignore') : undefined} />
      {token === null ? (
        <Notice kind="bad">{t('incomplete')}</Notice>
      ) : accepted === null ? (
        <Offered token={token} username={user?.username ?? ''} onAccepted={setAccepted} />
      ) : (
        <Accepted message={accepted} />
      )}
    </div>
  )
}

/** Every session ends: what was accepted stays in sight until its reader goes on, and nothing is asked of the server meanwhile. */
function Accepted({ message }: { message: string }) {
  const { t } = useTranslation('identity/invitation')
  const [busy, setBusy] = useState(false)
  const card = useRef<HTMLElement>(null)
  useEffect(() => card.current?.focus(), [])
  const goOn = () => {
    setBusy(true)
    void signOut('/auth/login/?next=%2Foperator')
  }
  return (
    <section ref={card} tabIndex={-1} className="card card-pad stack-14">
      <Notice kind="ok" icon={IconCircleCheck} role="status">
        {message}
      </Notice>
      <p className="muted">{t('soon')}</p>
      <Button kind="primary" size="large" busy={busy} onClick={goOn}>
        {t('signIn')}
      </Button>
    </section>
  )
}

interface OfferedProps {
  token: string
  username: string
  /** With the server's sentence. */
  onAccepted: (message: string) => void
}

function Offered({ token, username, onAccepted }: OfferedProps) {
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
            {offer.two_factor ? (
              <AcceptForm token={token} onAccepted={onAccepted} />
            ) : (
              <Notice kind="wait">{t('first')}</Notice>
            )}
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

function AcceptForm({ token, onAccepted }: Omit<OfferedProps, 'username'>) {
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
    onAccepted(data.message)
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
