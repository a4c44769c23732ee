import { useTranslation } from 'react-i18next'
import { OutsideLink } from '../../ui/OutsideLink.tsx'
import { useApprovalsPageQuery } from './approvals.ts'

/** Leads to the page where operators approve, which this server neither serves nor answers for. */
export function ApprovalsLink({ className }: { className: string }) {
  const { t } = useTranslation('console/shared')
  const { data } = useApprovalsPageQuery()
  if (data?.url == null) return null
  return (
    <OutsideLink href={data.url} className={className}>
      {t('decision.approve')}
    </OutsideLink>
  )
}
