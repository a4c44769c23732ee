import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { referralUrl } from '../../../../ui/ReferralLink.tsx'
import { Skeleton } from '../../../../ui/States.tsx'

const QrCode = lazy(() => import('../../../../ui/QrCode.tsx').then((module) => ({ default: module.QrCode })))

/** Shown where there are no referrals yet: how to invite, and the link as a QR code. */
export function ReferralInvitation({ refCode }: { refCode: string | undefined }) {
  const { t } = useTranslation(['genealogy/referrals', 'ui'])
  return (
    <div className="state">
      <p className="state-text">{t('genealogy/referrals:empty.all')}</p>
      {refCode === undefined ? null : (
        <>
          <Suspense fallback={<Skeleton width={280} height={280} />}>
            <QrCode value={referralUrl(refCode)} label={t('ui:qrAlt', { text: referralUrl(refCode) })} />
          </Suspense>
          <p className="small">{t('ui:qrHint')}</p>
        </>
      )}
    </div>
  )
}
