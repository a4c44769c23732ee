import type { CurrentUser } from '@aval/contract'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../../../../api/failure.ts'
import { useCurrentUserQuery } from '../../../../api/user.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Notice } from '../../../../ui/Notice.tsx'
import { PageHead } from '../../../../ui/PageHead.tsx'
import { ErrorState, Skeleton } from '../../../../ui/States.tsx'
import { usePageTitle } from '../../../../ui/usePageTitle.ts'
import { useProfileForm } from '../useProfileForm.ts'
import { CodeStep } from './CodeStep.tsx'
import { CoolingNotice } from './CoolingNotice.tsx'
import { PictureCard } from './PictureCard.tsx'
import { PersonFields, ReachFields } from './ProfileFields.tsx'
import './profile.css'
import { useQueryState } from 'nuqs'
import { Link } from 'react-router'
import { IconCircleCheck, IconWallet } from '../../../../ui/icons.ts'

export function ProfilePage({ user }: { user: CurrentUser | undefined }) {
  const { t } = useTranslation('identity/profile')
  usePageTitle(t('title'))
  return (
    <div className="page-stack profile">
      <PageHead title={t('title')} text={t('text')} />
      <CoolingNotice />
      {user === undefined ? null : <NextStep user={user} />}
      {user === undefined ? (
        <OnItsWay />
      ) : (
        <div className="profile-columns">
          <PictureCard user={user} />
          <ProfileForm user={user} />
        </div>
      )}
    </div>
  )
}

/** The member is on the way, or could not be had. */
function OnItsWay() {
  const { error, isFetching, refetch } = useCurrentUserQuery()
  return (
    <div className="card card-pad">
      {error === undefined || isFetching ? (
        <Skeleton width="100%" height={420} />
      ) : (
        <ErrorState failure={error as Failure} onRetry={refetch} />
      )}
    </div>
  )
}

function ProfileForm({ user }: { user: CurrentUser }) {
  const { t } = useTranslation('identity/profile')
  const whole = useProfileForm(user)
  const { change, busy, pending, submit, discard } = whole
  const isNew = Object.keys(change).length > 0
  return (
    <>
      <form className="card profile-form" noValidate onSubmit={submit}>
        <PersonFields whole={whole} user={user} />
        <ReachFields whole={whole} user={user} />
        <div className="profile-foot">
          <p className="muted small">{isNew ? t('unsaved') : t('saved')}</p>
          <div className="profile-foot-actions">
            {isNew ? (
              <Button kind="quiet" disabled={busy} onClick={discard}>
                {t('discard')}
              </Button>
            ) : null}
            <Button type="submit" kind="primary" busy={busy && pending === null} disabled={!isNew}>
              {t('save')}
            </Button>
          </div>
        </div>
      </form>
      {pending === null ? null : <CodeStep pending={pending} whole={whole} />}
    </>
  )
}

/** For a member who came from a withdrawal to register a wallet: what is missing, and the way back. */
function NextStep({ user }: { user: CurrentUser }) {
  const { t } = useTranslation('identity/profile')
  const [then] = useQueryState('then')
  if (then !== 'withdrawals') return null
  if (user.usdt_wallet === '') return <Notice icon={IconWallet}>{t('then.wallet')}</Notice>
  return (
    <Notice kind="ok" icon={IconCircleCheck} role="status">
      {t('then.ready')} <Link to="/withdrawals">{t('then.back')}</Link>
    </Notice>
  )
}
