import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from './Button.tsx'
import { CopyButton } from './CopyButton.tsx'
import { Dialog } from './Dialog.tsx'
import { IconQrcode } from './icons.ts'
import './referralLink.css'
import { Skeleton } from './States.tsx'

const QrCode = lazy(() => import('./QrCode.tsx').then((module) => ({ default: module.QrCode })))

interface ReferralLinkProps {
  refCode: string | undefined
  /** Also offers the link as a QR code. */
  qr?: boolean
}

export function referralUrl(refCode: string): string {
  return `${window.location.origin}/auth/register/${refCode}`
}

export function ReferralLink({ refCode, qr = false }: ReferralLinkProps) {
  const { t } = useTranslation('ui')
  const [shown, setShown] = useState(false)
  if (refCode === undefined) return <Skeleton width="100%" height={42} />
  const url = referralUrl(refCode)
  const start = url.slice(0, -refCode.length)
  return (
    <div className="referral">
      {/* The end tells whose link it is, so a narrow screen cuts the beginning. */}
      {/* biome-ignore lint/a11y/useSemanticElements: an input cannot set its end in bold */}
      <div className="referral-url" role="textbox" aria-readonly aria-label={t('referralLink')} tabIndex={0}>
        <span className="referral-start">{start}</span>
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
      <CopyButton text={url} label={t('copyLink')} confirmation={t('linkCopied')} />
      {shown ? (
        <Dialog title={t('qrOfLink')} width={360} onClose={() => setShown(false)}>
          <div className="referral-qr">
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
