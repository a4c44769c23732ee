import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { referralUrl } from '../../../../ui/ReferralLink.tsx'
import { Skeleton } from '../../../../ui/States.tsx'

const QrCode = lazy(() => import('../../../../ui/QrCode.tsx').then((module) => ({ default: module.QrCode })))

/** Nobody yet: what to do about it, and the link as somebody beside one can scan it. */
export function Invitation({ refCode }: { refCode: string | undefined }) {
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
