import type { CurrentUser } from '@aval/contract'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { PageHead } from '../../../ui/PageHead.tsx'
import { pageFrom } from '../../../ui/pageWindow.ts'
import { ReferralLink } from '../../../ui/ReferralLink.tsx'
import { Tabs } from '../../../ui/Tabs.tsx'
import { usePageTitle } from '../../../ui/usePageTitle.ts'
import { DirectTable } from './DirectTable.tsx'
import { PassiveTable } from './PassiveTable.tsx'
import './payments.css'

type Tab = 'direct' | 'passive'

export function PaymentsPage({ user }: { user: CurrentUser | undefined }) {
  const { t } = useTranslation(['payments', 'ui'])
  const [params, setParams] = useSearchParams()
  const tab: Tab = params.get('tab') === 'passive' ? 'passive' : 'direct'
  const page = pageFrom(params.get('page'))
  usePageTitle(t('payments:title'))

  const show = (nextTab: Tab, nextPage: number) => {
    const next: Record<string, string> = {}
    if (nextTab !== 'direct') next['tab'] = nextTab
    if (nextPage !== 1) next['page'] = String(nextPage)
    setParams(next)
  }
  const tabs = [
    { key: 'direct' as const, label: t('payments:tab.direct') },
    { key: 'passive' as const, label: t('payments:tab.passive') },
  ]
  const place = { page, onPage: (next: number) => show(tab, next) }
  return (
    <div className="page-stack">
      <PageHead title={t('payments:title')} text={t('payments:text')} />
      <section className="card card-pad referral-card">
        <h2>{t('ui:referralLink')}</h2>
        <ReferralLink refCode={user?.ref_code} />
      </section>
      <section className="card">
        <Tabs label={t('payments:title')} tabs={tabs} current={tab} onChange={(next) => show(next, 1)}>
          {tab === 'direct' ? <DirectTable {...place} /> : <PassiveTable {...place} />}
        </Tabs>
      </section>
    </div>
  )
}
