import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCurrentUserQuery } from '../api/user.ts'
import { Button } from './Button.tsx'
import { CopyButton } from './CopyButton.tsx'
import { Dialog } from './Dialog.tsx'
import { IconQrcode, IconShare } from './icons.ts'
import './referralLink.css'
import { Skeleton } from './States.tsx'

const QrCode = lazy(() => import('./QrCode.tsx').then((module) => ({ default: module.QrCode })))

export function referralUrl(refCode: string): string {
  return `${window.location.origin}/auth/register/${refCode}`
}

/** @param qr also offers the link as a QR code */
export function ReferralLink({ refCode, qr = false }: { refCode: string | undefined; qr?: boolean }) {
  const { t } = useTranslation('ui')
  const [shown, setShown] = useState(false)
  if (refCode === undefined) return <LinkOnItsWay />
  const url = referralUrl(refCode)
  const start = url.slice(0, -refCode.length)
  return (
    <div className="referral">
      {/* The end identifies the member, so a narrow screen cuts off the beginning. */}
      {/* biome-ignore lint/a11y/useSemanticElements: an input cannot set its end in bold */}
      <div className="referral-url" role="textbox" aria-readonly aria-label={t('referralLink')} tabIndex={0}>
        <span className="referral-start muted">{start}</span>
        <strong>{refCode}</strong>
      </div>
      {qr ? (
        <Button
          className="button-square"
          aria-label={t('showQr')}
          title={t('showQr')}
          onClick={() => setShown(true)}
        >
          <IconQrcode size={19} stroke={1.6} />
        </Button>
      ) : null}
      <ShareButton url={url} />
      <CopyButton text={url} label={t('copyLink')} confirmation={t('linkCopied')} />
      {shown ? (
        <Dialog title={t('qrOfLink')} width={360} onClose={() => setShown(false)}>
          <div className="referral-qr stack-14">
            <Suspense fallback={<Skeleton width={280} height={280} />}>
              <QrCode value={url} label={t('qrAlt', { text: url })} />
            </Suspense>
            <p className="muted small">{t('qrHint')}</p>
          </div>
        </Dialog>
      ) : null}
    </div>
  )
}

/** Opens the device's share sheet, where the browser has one. */
function ShareButton({ url }: { url: string }) {
  const { t } = useTranslation('ui')
  if (typeof navigator.share !== 'function') return null
  // Who closes the list without choosing has not failed at anything.
  const share = () => navigator.share({ title: 'Aval', text: t('shareText'), url }).catch(() => undefined)
  return (
    <Button className="button-square" aria-label={t('share')} title={t('share')} onClick={() => void share()}>
      <IconShare size={19} stroke={1.6} />
    </Button>
  )
}

/** The member is loading, or loading failed and can be retried. */
function LinkOnItsWay() {
  const { t } = useTranslation('ui')
  const { isError, isFetching, refetch } = useCurrentUserQuery()
  if (!isError || isFetching) return <Skeleton width="100%" height={42} />
  return (
    <div className="referral-failed row-8 row-apart" role="alert">
      <span className="muted">{t('linkFailed')}</span>
      <Button size="small" onClick={() => void refetch()}>
        {t('retry')}
      </Button>
    </div>
  )
}
