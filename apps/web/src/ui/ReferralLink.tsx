import { useTranslation } from 'react-i18next'
import { useCurrentUserQuery } from '../api/user.ts'
import { Button } from './Button.tsx'
import { CopyButton } from './CopyButton.tsx'
import './referralLink.css'
import { ShareButton } from './ShareButton.tsx'
import { Skeleton } from './States.tsx'

export function referralUrl(refCode: string): string {
  return `${window.location.origin}/auth/register/${refCode}`
}

/** @param qr also offers to share the link: as a QR code, and by what people write to each other with */
export function ReferralLink({ refCode, qr = false }: { refCode: string | undefined; qr?: boolean }) {
  const { t } = useTranslation('ui')
  if (refCode === undefined) return <LinkOnItsWay />
  const url = referralUrl(refCode)
  const start = url.slice(0, -refCode.length)
  return (
    <div className="referral">
      {/* The end identifies the member, so a narrow screen cuts off the beginning. */}
      {/* biome-ignore lint/a11y/useSemanticElements: an input cannot set its end in bold */}
      <div
        className="referral-url"
        translate="no"
        role="textbox"
        aria-readonly
        aria-label={t('referralLink')}
        tabIndex={0}
      >
        <span className="referral-start muted">{start}</span>
        <strong>{refCode}</strong>
      </div>
      {qr ? <ShareButton url={url} /> : null}
      <CopyButton text={url} label={t('copyLink')} confirmation={t('linkCopied')} />
    </div>
  )
}

/** The member is loading, or loading failed and can be retried. */
function LinkOnItsWay() {
  const { t } = useTranslation('ui')
  const { isError, isFetching, refetch } = useCurrentUserQuery()
  if (!isError || isFetching)
    return (
      <div className="referral-hold">
        <Skeleton width="100%" height="100%" />
      </div>
    )
  return (
    <div className="referral-failed row-8 row-apart" role="alert">
      <span className="muted">{t('linkFailed')}</span>
      <Button size="small" onClick={() => void refetch()}>
        {t('retry')}
      </Button>
    </div>
  )
}
