import { useTranslation } from 'react-i18next'
import { OutsideLink } from '../../../ui/OutsideLink.tsx'
import { useApprovalsPageQuery } from '../api.ts'

/** Leads to the page where withdrawals are approved, which this server neither serves nor answers for. */
export function ApprovalsLink({ className }: { className: string }) {
  const { t } = useTranslation('console/withdrawals')
  const { data } = useApprovalsPageQuery()
  if (data?.url == null) return null
  return (
    <OutsideLink href={data.url} className={className}>
      {t('approve')}
    </OutsideLink>
  )
}
