import type { CurrentUser } from '@aval/contract'
import { useQueryState } from 'nuqs'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { IconCircleCheck, IconWallet } from '../../../../ui/icons.ts'

/** For a member who came from a withdrawal to register a wallet: what is missing, and the way back. */
export function NextStep({ user }: { user: CurrentUser }) {
  const { t } = useTranslation('identity/profile')
  const [then] = useQueryState('then')
  if (then !== 'withdrawals') return null
  if (user.usdt_wallet === '')
    return (
      <p className="notice">
        <IconWallet size={18} stroke={1.6} aria-hidden="true" />
        <span>{t('then.wallet')}</span>
      </p>
    )
  return (
    <p className="notice notice-ok" role="status">
      <IconCircleCheck size={18} stroke={1.6} aria-hidden="true" />
      <span>
        {t('then.ready')} <Link to="/withdrawals">{t('then.back')}</Link>
      </span>
    </p>
  )
}
