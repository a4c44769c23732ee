import type { WithdrawalTerms } from '@aval/contract'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { microOf } from '../../../ui/amount.ts'
import { countdownText, useTimeLeft } from '../../../ui/countdown.ts'
import { formats } from '../../../ui/format.ts'
import { IconClock, IconCoins, IconShieldCheck, IconWallet } from '../../../ui/icons.ts'

/** The profile, which knows by this that a withdrawal waits for the wallet, and leads back. */
export const WALLET_FIRST = '/profile?then=withdrawals'

/** What keeps money from leaving just now, shown before the form is filled in, and what to do about it. */
export function WithdrawalDelays({ terms }: { terms: WithdrawalTerms | undefined }) {
  if (terms === undefined) return null
  return (
    <>
      <Closed terms={terms} />
      {terms.wallet_address === '' ? <NoWallet /> : null}
      {microOf(terms.available) < microOf(terms.minimum) ? <TooLittle terms={terms} /> : null}
    </>
  )
}

/** Nothing can leave at present. */
function Closed({ terms }: { terms: WithdrawalTerms }) {
  const { t } = useTranslation('withdrawals')
  if (terms.paused)
    return (
      <p className="notice notice-wait" role="status">
        <IconShieldCheck size={18} stroke={1.6} aria-hidden="true" />
        <span>{t('delays.paused')}</span>
      </p>
    )
  return terms.cools_until === null ? null : <Cooling until={terms.cools_until} />
}

function Cooling({ until }: { until: string }) {
  const { t } = useTranslation('withdrawals')
  const left = useTimeLeft(Date.parse(until))
  if (left <= 0) return null
  return (
    <p className="notice notice-wait">
      <IconClock size={18} stroke={1.6} aria-hidden="true" />
      <span>
        {t('delays.cooling')} <time role="timer">{countdownText(left)}</time>
      </span>
    </p>
  )
}

function NoWallet() {
  const { t } = useTranslation('withdrawals')
  return (
    <Missing icon={<IconWallet size={18} stroke={1.6} aria-hidden="true" />}>
      {t('delays.wallet')} <Link to={WALLET_FIRST}>{t('delays.toProfile')}</Link>
    </Missing>
  )
}

function TooLittle({ terms }: { terms: WithdrawalTerms }) {
  const { t } = useTranslation('withdrawals')
  return (
    <Missing icon={<IconCoins size={18} stroke={1.6} aria-hidden="true" />}>
      {t('delays.little', { minimum: formats.money(terms.minimum) })}{' '}
      <Link to="/payments">{t('delays.toPayments')}</Link>
    </Missing>
  )
}

function Missing({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <p className="notice">
      {icon}
      <span>{children}</span>
    </p>
  )
}
