import type { CurrentUser } from '@aval/contract'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { PageHead } from '../../../../ui/PageHead.tsx'
import { usePageTitle } from '../../../../ui/usePageTitle.ts'
import { EventsCard } from './EventsCard.tsx'
import { PasswordCard } from './PasswordCard.tsx'
import { SessionsCard } from './SessionsCard.tsx'
import './security.css'
import { TwoFactorCard } from './TwoFactorCard.tsx'

interface SecurityPageProps {
  user: CurrentUser | undefined
  /** What keeps money in for now. */
  notice: ReactNode
  /** Hours in which no money leaves after a change here; undefined while that is not known. */
  coolingHours: number | undefined
}

export function SecurityPage({ user, notice, coolingHours = 0 }: SecurityPageProps) {
  const { t } = useTranslation('identity/security')
  const cooling = coolingHours === 0 ? '' : t('cooling', { count: coolingHours })
  usePageTitle(t('title'))
  return (
    <div className="page-stack">
      <PageHead title={t('title')} text={t('text')} />
      {notice}
      <div className="security-columns">
        <PasswordCard user={user} cooling={cooling} />
        <TwoFactorCard username={user?.username ?? ''} cooling={cooling} />
      </div>
      <SessionsCard />
      <EventsCard />
    </div>
  )
}
