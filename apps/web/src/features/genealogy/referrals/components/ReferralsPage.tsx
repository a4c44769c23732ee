import { type CurrentUser, REFERRAL_STATUSES, type ReferralStatus } from '@aval/contract'
import { parseAsStringLiteral, useQueryStates } from 'nuqs'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../../ui/Button.tsx'
import { PagedTable } from '../../../../ui/DataTable.tsx'
import { IconUsers } from '../../../../ui/icons.ts'
import { PageHead } from '../../../../ui/PageHead.tsx'
import { parseAsPage } from '../../../../ui/place.ts'
import { ReferralLink, referralUrl } from '../../../../ui/ReferralLink.tsx'
import { EmptyState, Skeleton } from '../../../../ui/States.tsx'
import { usePageTitle } from '../../../../ui/usePageTitle.ts'
import { type ReferralsWanted, useReferralsQuery } from '../api.ts'
import './referrals.css'
import { lazy, Suspense } from 'react'
import { useColumns } from './useColumns.tsx'

const PLACE = { page: parseAsPage, status: parseAsStringLiteral(REFERRAL_STATUSES) }

interface ReferralsPageProps {
  user: CurrentUser | undefined
}

export function ReferralsPage({ user }: ReferralsPageProps) {
  const { t } = useTranslation(['genealogy/referrals', 'ui'])
  usePageTitle(t('genealogy/referrals:title'))
  const [wanted, show] = useQueryStates(PLACE)
  return (
    <div className="page-stack">
      <PageHead title={t('genealogy/referrals:title')} text={t('genealogy/referrals:lead')} />
      <section className="card card-pad referral-card">
        <h2>{t('ui:referralLink')}</h2>
        <ReferralLink refCode={user?.ref_code} qr />
      </section>
      <section className="card" aria-labelledby="my-referrals">
        <div className="referrals-head">
          <div>
            <h2 id="my-referrals">{t('genealogy/referrals:card')}</h2>
            <p className="muted small">{t('genealogy/referrals:text')}</p>
          </div>
          <StatusFilter status={wanted.status} onStatus={(status) => show({ page: 1, status })} />
        </div>
        <List user={user} wanted={wanted} onShow={show} />
      </section>
    </div>
  )
}

interface ListProps extends ReferralsPageProps {
  wanted: ReferralsWanted
  onShow: (wanted: ReferralsWanted) => void
}

function List({ user, wanted, onShow }: ListProps) {
  const { t } = useTranslation('genealogy/referrals')
  const list = useReferralsQuery(wanted)
  const columns = useColumns(user?.is_fundator === true, wanted)
  const none =
    wanted.status === null ? (
      <ReferralInvitation refCode={user?.ref_code} />
    ) : (
      <EmptyState
        icon={<IconUsers size={26} stroke={1.4} aria-hidden="true" />}
        text={t(`empty.${wanted.status}`)}
        action={<Button onClick={() => onShow({ page: 1, status: null })}>{t('filter.showAll')}</Button>}
      />
    )
  return (
    <PagedTable
      list={list}
      caption={t('card')}
      columns={columns}
      rowKey={(row) => row.id}
      page={wanted.page}
      onPage={(page) => onShow({ ...wanted, page })}
      empty={none}
    />
  )
}

const QrCode = lazy(() => import('../../../../ui/QrCode.tsx').then((module) => ({ default: module.QrCode })))

/** Shown where there are no referrals yet: how to invite, and the link as a QR code. */
function ReferralInvitation({ refCode }: { refCode: string | undefined }) {
  const { t } = useTranslation(['genealogy/referrals', 'ui'])
  return (
    <div className="state">
      <p className="state-text">{t('genealogy/referrals:empty.all')}</p>
      {refCode === undefined ? null : (
        <>
          <Suspense fallback={<Skeleton width={280} height={280} />}>
            <QrCode value={referralUrl(refCode)} label={t('ui:qrAlt', { text: referralUrl(refCode) })} />
          </Suspense>
          <p className="small">{t('ui:qrHint')}</p>
        </>
      )}
    </div>
  )
}

interface StatusFilterProps {
  status: ReferralStatus | null
  onStatus: (status: ReferralStatus | null) => void
}

const CHOICES = [null, ...REFERRAL_STATUSES]

function StatusFilter({ status, onStatus }: StatusFilterProps) {
  const { t } = useTranslation('genealogy/referrals')
  return (
    <fieldset className="segments">
      <legend className="visually-hidden">{t('filter.label')}</legend>
      {CHOICES.map((choice) => (
        <button key={choice} type="button" aria-pressed={choice === status} onClick={() => onStatus(choice)}>
          {t(`filter.${choice ?? 'all'}`)}
        </button>
      ))}
    </fieldset>
  )
}
