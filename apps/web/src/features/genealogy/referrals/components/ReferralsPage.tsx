import type { CurrentUser, Referral } from '@aval/contract'
import { useQueryStates } from 'nuqs'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../../../../api/failure.ts'
import { Button } from '../../../../ui/Button.tsx'
import { ConfirmDialog } from '../../../../ui/ConfirmDialog.tsx'
import {
  type Column,
  column,
  figureColumn,
  type ListState,
  PagedTable,
  TwoLines,
} from '../../../../ui/DataTable.tsx'
import { formats } from '../../../../ui/format.ts'
import { IconCircleCheck, IconUsers } from '../../../../ui/icons.ts'
import { Money } from '../../../../ui/Money.tsx'
import { Name } from '../../../../ui/Name.tsx'
import { PageHead } from '../../../../ui/PageHead.tsx'
import { ReferralLink, referralUrl } from '../../../../ui/ReferralLink.tsx'
import { EmptyState, Skeleton } from '../../../../ui/States.tsx'
import { useFailureToast } from '../../../../ui/useFailureToast.tsx'
import { useSingleFlight } from '../../../../ui/useSingleFlight.ts'
import { useActivateMasterMutation, useReferralsQuery } from '../api.ts'
import { PLACE, type ReferralsWanted } from '../questions.ts'
import { Explained, Filters } from './Filters.tsx'
import './referrals.css'

export function ReferralsPage({ user }: { user: CurrentUser | undefined }) {
  const { t } = useTranslation(['genealogy/referrals', 'ui'])
  const [wanted, show] = useQueryStates(PLACE)
  const list = useReferralsQuery(wanted)
  // Who has no referrals has nothing to search or to put in order.
  const isNewcomer = isEverybody(wanted) && list.currentData?.count === 0
  return (
    <div className="page-stack">
      <PageHead title={t('genealogy/referrals:title')} text={t('genealogy/referrals:lead')} />
      <section className="card card-pad referral-card">
        <h2>{t('ui:referralLink')}</h2>
        <ReferralLink refCode={user?.ref_code} qr />
      </section>
      <section className="card" aria-labelledby="my-referrals">
        <div className="row-12 row-apart referrals-head">
          <div>
            <h2 id="my-referrals">{t('genealogy/referrals:card')}</h2>
            <p className="muted small">{t('genealogy/referrals:text')}</p>
          </div>
          {isNewcomer ? null : (
            <Filters
              wanted={wanted}
              onShow={(change) =>
                // What is typed leaves no steps to go back on.
                show({ page: 1, ...change }, 'q' in change ? { history: 'replace' } : {})
              }
            />
          )}
        </div>
        <List user={user} list={list} wanted={wanted} onShow={show} />
      </section>
    </div>
  )
}

interface ListProps {
  user: CurrentUser | undefined
  list: ListState<Referral>
  wanted: ReferralsWanted
  onShow: (wanted: ReferralsWanted) => void
}

const isEverybody = ({ status, q }: ReferralsWanted) => status === null && q.trim() === ''

function List({ user, list, wanted, onShow }: ListProps) {
  const { t } = useTranslation('genealogy/referrals')
  const columns = useColumns(user?.is_fundator === true, wanted)
  return (
    <div className="referrals-list">
      <PagedTable
        list={list}
        caption={t('card')}
        columns={columns}
        rowKey={(row) => row.id}
        page={wanted.page}
        onPage={(page) => onShow({ ...wanted, page })}
        empty={
          isEverybody(wanted) ? (
            <ReferralInvitation refCode={user?.ref_code} />
          ) : (
            <Nobody wanted={wanted} onShow={onShow} />
          )
        }
      />
      {list.data !== undefined && list.data.results.length > 0 ? <Explained /> : null}
    </div>
  )
}

/** None of the referrals is as they are asked for. */
function Nobody({ wanted, onShow }: Pick<ListProps, 'wanted' | 'onShow'>) {
  const { t } = useTranslation('genealogy/referrals')
  const isSearch = wanted.q.trim() !== ''
  const all = { ...wanted, page: 1, ...(isSearch ? { q: '' } : { status: null }) }
  return (
    <EmptyState
      icon={IconUsers}
      text={isSearch ? t('empty.search', { q: wanted.q.trim() }) : t(`empty.${wanted.status ?? 'all'}`)}
      action={<Button onClick={() => onShow(all)}>{t(isSearch ? 'filter.clear' : 'filter.showAll')}</Button>}
    />
  )
}

/** @param acts whether the member may do something with a referral */
function useColumns(acts: boolean, shown: ReferralsWanted): Column<Referral>[] {
  const { t } = useTranslation('genealogy/referrals')
  const columns: Column<Referral>[] = [
    column(t('column.user'), (row) => (
      <TwoLines first={<Name text={row.referred_username} />} second={<Name text={row.referred_email} />} />
    )),
    column(t('column.phone'), (row) =>
      row.referred_phone_number ? (
        <bdi className="nowrap" translate="no">
          {row.referred_phone_number}
        </bdi>
      ) : (
        <span className="muted">{t('noPhone')}</span>
      ),
    ),
    column(t('column.date'), (row) => <time dateTime={row.date}>{formats.dateTime(row.date)}</time>),
    column(t('column.status'), ({ status }) => (
      <span className={status ? 'badge badge-ok' : 'badge'}>
        {t(status ? 'status.active' : 'status.inactive')}
      </span>
    )),
    figureColumn(t('column.invested'), (row) => <Money amount={row.invested} unit={false} />),
    figureColumn(t('column.brought'), (row) => <Money amount={row.brought} unit={false} />),
    figureColumn(t('column.earned'), (row) => <Money amount={row.earned} unit={false} />),
  ]
  if (acts) columns.push(column(t('column.actions'), (row) => <MasterAction referral={row} shown={shown} />))
  return columns
}

/** A fundator makes a referral a master, for good, and is asked once more before. */
function MasterAction({ referral, shown }: { referral: Referral; shown: ReferralsWanted }) {
  const { t } = useTranslation('genealogy/referrals')
  const sayFailed = useFailureToast()
  const [asking, setAsking] = useState(false)
  const [activate, { isLoading }] = useActivateMasterMutation()
  const { id, is_master_code: isMaster } = referral
  const place = useFocusAfter(isMaster)

  const confirm = useSingleFlight(async () => {
    const answer = await activate({ id, shown })
    setAsking(false)
    if (answer.error !== undefined) return sayFailed(answer.error as Failure)
    toast.success(answer.data.message, { className: 'toast-of-dialog' })
  })
  return (
    <div ref={place} tabIndex={-1}>
      {isMaster ? (
        <span className="badge badge-ok">
          <IconCircleCheck size={14} stroke={1.8} aria-hidden="true" />
          <span>{t('master.active')}</span>
        </span>
      ) : (
        <Button
          size="small"
          aria-label={t('master.convertOne', { username: referral.referred_username })}
          onClick={() => setAsking(true)}
        >
          {t('master.convert')}
        </Button>
      )}
      {asking && !isMaster ? (
        <ConfirmDialog
          title={t('master.title')}
          text={t('master.text')}
          confirm={t('master.confirm')}
          cancel={t('master.cancel')}
          busy={isLoading}
          onConfirm={() => void confirm()}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </div>
  )
}

/** The button that was pressed is gone then; the keyboard goes on from where it stood. */
function useFocusAfter(isMaster: boolean) {
  const place = useRef<HTMLDivElement>(null)
  const was = useRef(isMaster)
  useEffect(() => {
    if (isMaster && !was.current) place.current?.focus({ preventScroll: true })
    was.current = isMaster
  }, [isMaster])
  return place
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
