import { useTranslation } from 'react-i18next'
import { OutsideLink } from '../../ui/OutsideLink.tsx'
import { useApprovalsPageQuery } from './approvals.ts'

interface ApprovalsLinkProps {
  className: string
  /** Withdrawals that are meant: that page shows them alone, and chooses nothing by itself. */
  withdrawals?: readonly number[]
}

/** Leads to the page where operators approve, which this server neither serves nor answers for. */
export function ApprovalsLink({ className, withdrawals = [] }: ApprovalsLinkProps) {
  const { t } = useTranslation('console/shared')
  const { data } = useApprovalsPageQuery()
  if (data?.url == null) return null
  const meant = withdrawals.length === 0 ? '' : `#withdrawals=${withdrawals.join()}`
  return (
    <OutsideLink href={data.url + meant} className={className}>
      {t('decision.approve')}
    </OutsideLink>
  )
}
