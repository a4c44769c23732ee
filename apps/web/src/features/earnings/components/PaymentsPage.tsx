import type { CurrentUser } from '@aval/contract'
import type { ComponentType } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { PageHead } from '../../../ui/PageHead.tsx'
import { referralUrl } from '../../../ui/ReferralLink.tsx'
import { Tabs } from '../../../ui/Tabs.tsx'
import { usePageTitle } from '../../../ui/usePageTitle.ts'
import { shownTabs, type Tab } from '../tabs.ts'
import { useBinaryData } from '../useBinaryData.ts'
import { type ListPlace, usePlace } from '../usePlace.ts'
import { EarningsCard } from './EarningsCard.tsx'
import { NotPaidList } from './NotPaidList.tsx'
import { BinaryList, DirectList, PassiveList, PointsList } from './PaymentLists.tsx'
import './payments.css'
import { StandingCard } from './StandingCard.tsx'
import { StatementButton } from './StatementButton.tsx'

export function PaymentsPage({ user }: { user: CurrentUser | undefined }) {
  const { t } = useTranslation(['earnings', 'ui'])
  usePageTitle(t('earnings:title'))
  return (
    <div className="page-stack">
      <PageHead
        title={t('earnings:title')}
        text={t('earnings:hint')}
        action={
          <div className="payments-actions">
            {user === undefined ? null : (
              <CopyButton
                text={referralUrl(user.ref_code)}
                label={t('ui:copyLink')}
                confirmation={t('ui:linkCopied')}
              />
            )}
            <StatementButton />
          </div>
        }
      />
      <EarningsCard />
      <Lists />
    </div>
  )
}

const LISTS: Record<Tab, ComponentType<ListPlace>> = {
  direct: DirectList,
  passive: PassiveList,
  binary: BinaryList,
  points: PointsList,
  'not-paid': NotPaidList,
}

function Lists() {
  const { t } = useTranslation('earnings')
  const { tab, page, show } = usePlace()
  const tabs = shownTabs(tab, useBinaryData()).map((key) => ({ key, label: t(`tab.${key}`) }))
  const List = LISTS[tab]
  return (
    <section className="card payment-lists" aria-labelledby="my-payments">
      <div className="payment-lists-head">
        <h2 id="my-payments">{t('card')}</h2>
        <p className="muted small">{t('text')}</p>
      </div>
      <Tabs label={t('card')} tabs={tabs} current={tab} onChange={(next) => show({ tab: next })}>
        {tab === 'binary' || tab === 'points' ? <StandingCard /> : null}
        <List page={page} onPage={(next) => show({ page: next })} />
      </Tabs>
    </section>
  )
}
