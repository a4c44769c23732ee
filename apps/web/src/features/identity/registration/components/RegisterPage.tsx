import { firstCharacters } from '@aval/contract/characters'
import { linkCode } from '@aval/contract/typed'
import { useCallback, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import type { Failure } from '../../../../api/failure.ts'
import { Link } from '../../../../ui/Link.tsx'
import { Name } from '../../../../ui/Name.tsx'
import { ErrorState, Skeleton } from '../../../../ui/States.tsx'
import { usePageTitle } from '../../../../ui/usePageTitle.ts'
import { type Inviter, inviterOf } from '../api.ts'
import { RegisterForm } from './RegisterForm.tsx'
import '../../auth.css'

type Invitation =
  | { state: 'loading' }
  | { state: 'known'; inviter: Inviter }
  | { state: 'nobody' }
  | { state: 'unknown' }
  | { state: 'failed'; failure: Failure }

/** `0` is the link without a referrer: who uses it joins directly under the company. */
const NO_REFERRER = '0'

function useInvitation(refCode: string): [Invitation, () => void] {
  const [invitation, setInvitation] = useState<Invitation>({ state: 'loading' })
  const load = useCallback(async () => {
    if (refCode === NO_REFERRER) return setInvitation({ state: 'nobody' })
    setInvitation({ state: 'loading' })
    const answer = await inviterOf(refCode)
    if ('data' in answer) setInvitation({ state: 'known', inviter: answer.data })
    else if (answer.error.status === 404 || answer.error.status === 422) setInvitation({ state: 'unknown' })
    else setInvitation({ state: 'failed', failure: answer.error })
  }, [refCode])
  useEffect(() => {
    void load()
  }, [load])
  return [invitation, load]
}

export function RegisterPage() {
  const { t } = useTranslation('identity')
  const { ref_code: inLink = '' } = useParams()
  // Without what stood behind the link in a chat.
  const refCode = linkCode(inLink)
  const [invitation, reload] = useInvitation(refCode)
  usePageTitle(t('register.title'))

  if (invitation.state === 'failed')
    return (
      <div className="card auth-card">
        <h1>{t('register.title')}</h1>
        <ErrorState failure={invitation.failure} onRetry={reload} />
      </div>
    )
  if (invitation.state === 'unknown') return <UnknownCode refCode={refCode} />
  return (
    <div className="card auth-card">
      <InvitedBy invitation={invitation} />
      <h1>{t('register.title')}</h1>
      <p className="muted auth-sub">{t('register.text')}</p>
      <RegisterForm refCode={refCode} />
      <p className="muted small auth-foot">
        <span>{t('register.haveAccount')}</span> <Link to="/auth/login/">{t('signIn.submit')}</Link>
      </p>
    </div>
  )
}

function InvitedBy({ invitation }: { invitation: Invitation }) {
  const { t } = useTranslation('identity')
  if (invitation.state === 'loading')
    return (
      <div className="row-12 one-line inviter">
        <Skeleton width={170} height={32} />
      </div>
    )
  if (invitation.state !== 'known') return null
  const { name } = invitation.inviter
  return (
    <div className="row-12 one-line inviter">
      <span className="centred inviter-avatar" aria-hidden="true">
        {firstCharacters(name, 1).toUpperCase()}
      </span>
      <span>
        <strong>
          <Name text={name} />
        </strong>{' '}
        <span>{t('register.invitedYou')}</span>
      </span>
    </div>
  )
}

function UnknownCode({ refCode }: { refCode: string }) {
  const { t } = useTranslation('identity')
  return (
    <div className="card auth-card stack-14">
      <h1>{t('register.unknownTitle')}</h1>
      <p className="muted">{t('register.unknownText', { code: firstCharacters(refCode, 20) })}</p>
      <Link to="/auth/login/" className="button button-secondary">
        {t('register.toSignIn')}
      </Link>
    </div>
  )
}
