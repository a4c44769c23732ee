import type { Referral } from '@aval/contract'
import { useEffect, useRef, useState } from 'react'
import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../../../../api/failure.ts'
import { Button } from '../../../../ui/Button.tsx'
import { ConfirmDialog } from '../../../../ui/ConfirmDialog.tsx'
import type { Column } from '../../../../ui/DataTable.tsx'
import { formats } from '../../../../ui/format.ts'
import { IconCircleCheck } from '../../../../ui/icons.ts'
import { Name } from '../../../../ui/Name.tsx'
import { useFailureToast } from '../../../../ui/useFailureToast.tsx'
import { useSingleFlight } from '../../../../ui/useSingleFlight.ts'
import { type ReferralsWanted, useActivateMasterMutation } from '../api.ts'

/** @param acts whether the member may do something with a referral */
export function useColumns(acts: boolean, shown: ReferralsWanted): Column<Referral>[] {
  const { t } = useTranslation('genealogy/referrals')
  const columns: Column<Referral>[] = [
    {
      header: t('column.user'),
      cell: (row) => (
        <span className="two-lines">
          <span>
            <Name text={row.referred_username} />
          </span>
          <span>
            <Name text={row.referred_email} />
          </span>
        </span>
      ),
    },
    {
      header: t('column.phone'),
      cell: (row) =>
        row.referred_phone_number ? (
          <bdi className="phone">{row.referred_phone_number}</bdi>
        ) : (
          <span className="muted">{t('noPhone')}</span>
        ),
    },
    {
      header: t('column.date'),
      cell: (row) => <time dateTime={row.date}>{formats.dateTime(row.date)}</time>,
    },
    {
      header: t('column.status'),
      cell: (row) => (
        <span className={row.status ? 'badge badge-ok' : 'badge'}>
          {t(row.status ? 'status.active' : 'status.inactive')}
        </span>
      ),
    },
  ]
  if (!acts) return columns
  const actions: Column<Referral> = {
    header: t('column.actions'),
    cell: (row) => <MasterAction referral={row} shown={shown} />,
  }
  return [...columns, actions]
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
          {t('master.active')}
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
