import type { WithdrawalTerms } from '@aval/contract'
import { useTranslation } from 'react-i18next'
import { useMemberKeyQuery } from '../../../api/memberKey.ts'
import { useCurrentUserQuery } from '../../../api/user.ts'
import { microOf } from '../../../ui/amount.ts'
import { countdownText, useTimeLeft } from '../../../ui/countdown.ts'
import { formats } from '../../../ui/format.ts'
import { IconClock, IconCoins, IconMail, IconShieldCheck } from '../../../ui/icons.ts'
import { Link } from '../../../ui/Link.tsx'
import { Notice } from '../../../ui/Notice.tsx'

/** What keeps money from leaving just now, shown before the form is filled in, and what to do about it. */
export function WithdrawalDelays({ terms }: { terms: WithdrawalTerms }) {
  const { t } = useTranslation('withdrawals')
  return (
    <>
      {terms.frozen ? (
        <Notice kind="wait" icon={IconShieldCheck} role="status">
          {t('delays.frozen', { reason: terms.frozen })}
        </Notice>
      ) : terms.paused ? (
        <Notice kind="wait" icon={IconShieldCheck} role="status">
          {t('delays.paused')}
        </Notice>
      ) : terms.cools_until === null ? null : (
        <Cooling until={terms.cools_until} />
      )}
      {microOf(terms.available) < microOf(terms.minimum) ? (
        <Notice icon={IconCoins}>
          <span>{t('delays.little', { minimum: formats.money(terms.minimum) })}</span>{' '}
          <Link to="/payments">{t('delays.toPayments')}</Link>
        </Notice>
      ) : null}
    </>
  )
}

/** Another passkey is to move the money: until that is decided none does. */
export function KeyWaits() {
  const { t } = useTranslation('withdrawals')
  const { data } = useMemberKeyQuery()
  if (data === undefined || data.waiting === null) return null
  return (
    <Notice kind="wait" icon={IconClock} role="status">
      <span>{t('passkey.waits')}</span> <Link to="/security">{t('passkey.toSecurity')}</Link>
    </Notice>
  )
}

/** A passkey says nothing of the mailbox; a code would prove it by being used. */
export function EmailUnproven() {
  const { t } = useTranslation('withdrawals')
  const { data: user } = useCurrentUserQuery()
  if (user?.email_proven !== false) return null
  return (
    <Notice kind="wait" icon={IconMail} role="status">
      <span>{t('delays.email')}</span> <Link to="/profile">{t('delays.toConfirm')}</Link>
    </Notice>
  )
}

function Cooling({ until }: { until: string }) {
  const { t } = useTranslation('withdrawals')
  const left = useTimeLeft(Date.parse(until))
  if (left <= 0) return null
  return (
    <Notice kind="wait" icon={IconClock}>
      <span>{t('delays.cooling')}</span>{' '}
      <time role="timer" translate="no">
        {countdownText(left)}
      </time>
    </Notice>
  )
}
