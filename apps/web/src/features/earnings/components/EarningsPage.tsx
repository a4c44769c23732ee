import type { CurrentUser } from '@aval/contract'
import { useQueryStates } from 'nuqs'
import type { ComponentType } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import type { ListPlace } from '../../../ui/DataTable.tsx'
import { FailureGroup } from '../../../ui/FailureGroup.tsx'
import { PageHead } from '../../../ui/PageHead.tsx'
import { referralUrl } from '../../../ui/ReferralLink.tsx'
import { Tabs } from '../../../ui/Tabs.tsx'
import { useLedTo } from '../../../ui/useLedTo.ts'
import { useBinaryPaymentsQuery, useBinaryPointsQuery, useBinaryStandingQuery } from '../api.ts'
import { hasBinary, NO_FILTER, PLACE, shownTabs, type Tab } from '../earnings.ts'
import { AllPayments } from './AllPayments.tsx'
import { BinaryCard } from './BinaryCard.tsx'
import { EarningsCard } from './EarningsCard.tsx'
import { BinaryList, DirectList, NotPaidList, PassiveList, PointsList } from './PaymentLists.tsx'
import { StatementButton } from './StatementButton.tsx'
import './payments.css'

export function EarningsPage({ user }: { user: CurrentUser | undefined }) {
  const { t } = useTranslation(['earnings', 'ui'])
  return (
    <div className="page-stack">
      <PageHead
        title={t('earnings:title')}
        text={t('earnings:hint')}
        action={
          <div className="row-8 payments-actions">
            <CopyButton
              text={user === undefined ? undefined : referralUrl(user.ref_code)}
              label={t('ui:copyLink')}
              confirmation={t('ui:linkCopied')}
              kind="quiet"
            />
            <StatementButton />
          </div>
        }
      />
      <FailureGroup>
        <EarningsCard />
        <Lists />
      </FailureGroup>
    </div>
  )
}

const LISTS: Record<Tab, ComponentType<ListPlace>> = {
  direct: DirectList,
  passive: PassiveList,
  all: AllPayments,
  binary: BinaryList,
  points: PointsList,
  'not-paid': NotPaidList,
}

const LISTS_TITLE = 'my-payments'

function Lists() {
  const { t } = useTranslation('earnings')
  const [{ tab, page }, show] = useQueryStates(PLACE)
  const tabs = shownTabs(tab, useBinaryData()).map((key) => ({ key, label: t(`tab.${key}`) }))
  const List = LISTS[tab]
  useLedTo(LISTS_TITLE)
  return (
    <section className="card payment-lists" aria-labelledby={LISTS_TITLE}>
      <div className="list-head">
        <h2 id={LISTS_TITLE} tabIndex={-1}>
          {t('card')}
        </h2>
        <p className="muted small">{t('text')}</p>
      </div>
      <Tabs
        label={t('card')}
        tabs={tabs}
        current={tab}
        onChange={(next) => show({ ...NO_FILTER, tab: next, page: null })}
      >
        {tab === 'binary' || tab === 'points' ? <BinaryCard /> : null}
        <List page={page} onPage={(next) => show({ page: next })} />
      </Tabs>
    </section>
  )
}

const FIRST_PAGE = 1

/**
 * Whether the member has anything binary to look at; undefined until it is known. The lists are asked only where the
 * summary is empty: all points may have been reversed. A failed call counts as empty.
 */
function useBinaryData(): boolean | undefined {
  const summary = useBinaryStandingQuery()
  const isKnown = summary.data !== undefined && hasBinary(summary.data)
  const skip = isKnown || summary.isLoading
  const payments = useBinaryPaymentsQuery(FIRST_PAGE, { skip })
  const points = useBinaryPointsQuery(FIRST_PAGE, { skip })
  if (isKnown) return true
  if (summary.isLoading || payments.isLoading || points.isLoading) return undefined
  return (payments.data?.count ?? 0) + (points.data?.count ?? 0) > 0
}
