import type { Referral } from '@aval/contract'
import { useTranslation } from 'react-i18next'
import type { Column } from '../../../../ui/DataTable.tsx'
import { Name } from '../../../../ui/Name.tsx'
import { useFormats } from '../../../../ui/useFormats.ts'
import type { ReferralsWanted } from '../api.ts'
import { MasterAction } from './MasterAction.tsx'

/** @param acts whether the member may do something with a referral */
export function useColumns(acts: boolean, shown: ReferralsWanted): Column<Referral>[] {
  const { t } = useTranslation('genealogy/referrals')
  const formats = useFormats()
  const columns: Column<Referral>[] = [
    {
      key: 'user',
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
      key: 'phone',
      header: t('column.phone'),
      cell: (row) =>
        row.referred_phone_number ? (
          <bdi className="phone">{row.referred_phone_number}</bdi>
        ) : (
          <span className="muted">{t('noPhone')}</span>
        ),
    },
    {
      key: 'date',
      header: t('column.date'),
      cell: (row) => <time dateTime={row.date}>{formats.dateTime(row.date)}</time>,
    },
    {
      key: 'status',
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
    key: 'actions',
    header: t('column.actions'),
    cell: (row) => <MasterAction referral={row} shown={shown} />,
  }
  return [...columns, actions]
}
