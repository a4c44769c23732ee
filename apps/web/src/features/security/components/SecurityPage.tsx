import type { CurrentUser } from '@aval/contract'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { PageHead } from '../../../ui/PageHead.tsx'
import { usePageTitle } from '../../../ui/usePageTitle.ts'
import { EventsCard } from './EventsCard.tsx'
import { PasswordCard } from './PasswordCard.tsx'
import { SessionsCard } from './SessionsCard.tsx'
import './security.css'
import { TwoFactorCard } from './TwoFactorCard.tsx'

interface SecurityPageProps {
  user: CurrentUser | undefined
  /** What keeps money in for now. */
  notice: ReactNode
}

export function SecurityPage({ user, notice }: SecurityPageProps) {
  const { t } = useTranslation('security')
  usePageTitle(t('title'))
  return (
    <div className="page-stack">
      <PageHead title={t('title')} text={t('text')} />
      {notice}
      <div className="security-columns">
        <PasswordCard user={user} />
        <TwoFactorCard username={user?.username ?? ''} />
      </div>
      <SessionsCard />
      <EventsCard />
    </div>
  )
}
