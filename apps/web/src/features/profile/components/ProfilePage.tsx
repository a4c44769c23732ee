import type { CurrentUser } from '@aval/contract'
import { useTranslation } from 'react-i18next'
import { PageHead } from '../../../ui/PageHead.tsx'
import { Skeleton } from '../../../ui/States.tsx'
import { usePageTitle } from '../../../ui/usePageTitle.ts'
import { useProfileForm } from '../useProfileForm.ts'
import { CodeStep } from './CodeStep.tsx'
import { CoolingNotice } from './CoolingNotice.tsx'
import { PictureCard } from './PictureCard.tsx'
import { PersonFields, ReachFields } from './ProfileFields.tsx'
import './profile.css'
import { Button } from '../../../ui/Button.tsx'

export function ProfilePage({ user }: { user: CurrentUser | undefined }) {
  const { t } = useTranslation('profile')
  usePageTitle(t('title'))
  return (
    <div className="page-stack profile">
      <PageHead title={t('title')} text={t('text')} />
      <CoolingNotice />
      {user === undefined ? (
        <div className="card card-pad">
          <Skeleton width="100%" height={420} />
        </div>
      ) : (
        <div className="profile-columns">
          <PictureCard user={user} />
          <ProfileForm user={user} />
        </div>
      )}
    </div>
  )
}

function ProfileForm({ user }: { user: CurrentUser }) {
  const { t } = useTranslation('profile')
  const whole = useProfileForm(user)
  const { change, busy, pending, submit } = whole
  const isNew = Object.keys(change).length > 0
  return (
    <>
      <form className="card profile-form" noValidate onSubmit={submit}>
        <PersonFields whole={whole} user={user} />
        <ReachFields whole={whole} user={user} />
        <div className="profile-foot">
          <p className="muted small">{isNew ? t('unsaved') : t('saved')}</p>
          <Button type="submit" kind="primary" busy={busy && pending === null} disabled={!isNew}>
            {t('save')}
          </Button>
        </div>
      </form>
      {pending === null ? null : <CodeStep pending={pending} whole={whole} />}
    </>
  )
}
