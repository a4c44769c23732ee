import type { CurrentUser } from '@aval/contract'
import { parseAsStringLiteral, useQueryStates } from 'nuqs'
import type { ComponentType } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import type { ListPlace } from '../../../ui/PagedTable.tsx'
import { PageHead } from '../../../ui/PageHead.tsx'
import { parseAsPage } from '../../../ui/place.ts'
import { referralUrl } from '../../../ui/ReferralLink.tsx'
import { Tabs } from '../../../ui/Tabs.tsx'
import { usePageTitle } from '../../../ui/usePageTitle.ts'
import { shownTabs, TABS, type Tab } from '../tabs.ts'
import { useBinaryData } from '../useBinaryData.ts'
import { EarningsCard } from './EarningsCard.tsx'
import { NotPaidList } from './NotPaidList.tsx'
import { BinaryList, DirectList, PassiveList, PointsList } from './PaymentLists.tsx'
import './payments.css'
import { BinaryCard } from './BinaryCard.tsx'
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

/** Which list is shown, and which page of it. */
const PLACE = { tab: parseAsStringLiteral(TABS).withDefault('direct'), page: parseAsPage }

function Lists() {
  const { t } = useTranslation('earnings')
  const [{ tab, page }, show] = useQueryStates(PLACE)
  const tabs = shownTabs(tab, useBinaryData()).map((key) => ({ key, label: t(`tab.${key}`) }))
  const List = LISTS[tab]
  return (
    <section className="card payment-lists" aria-labelledby="my-payments">
      <div className="payment-lists-head">
        <h2 id="my-payments">{t('card')}</h2>
        <p className="muted small">{t('text')}</p>
      </div>
      <Tabs label={t('card')} tabs={tabs} current={tab} onChange={(next) => show({ tab: next, page: null })}>
        {tab === 'binary' || tab === 'points' ? <BinaryCard /> : null}
        <List page={page} onPage={(next) => show({ page: next })} />
      </Tabs>
    </section>
  )
}
