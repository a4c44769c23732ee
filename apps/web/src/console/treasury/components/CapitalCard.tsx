import type { OperatorTreasury } from '@aval/contract'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Address } from '../../../ui/Address.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Link } from '../../../ui/Link.tsx'
import { Money } from '../../../ui/Money.tsx'
import { CopiedFact } from '../../shared/CopiedFact.tsx'
import { placeLink } from '../../shared/place.ts'

const QrCode = lazy(() => import('../../../ui/QrCode.tsx').then((module) => ({ default: module.QrCode })))

/** What the company has, and where it pays more in. */
export function CapitalCard({ data: { capital, company_address: address } }: { data: OperatorTreasury }) {
  const { t } = useTranslation(['console/treasury', 'ui'])
  const [open, setOpen] = useState(false)
  return (
    <section className="card card-pad">
      <h2 className="overview-label">{t('capital.title')}</h2>
      <p className="figure">
        <Money amount={capital} />
      </p>
      <p className="muted small">{t('capital.text')}</p>
      <CopiedFact
        name={t('capital.address')}
        value={address ?? ''}
        copy={t('capital.copy')}
        confirmation={t('capital.copied')}
      >
        <Address value={address ?? ''} />
      </CopiedFact>
      {open && address !== null ? (
        <div className="capital-qr">
          <Suspense fallback={null}>
            <QrCode value={address} size={200} label={t('ui:qrAlt', { text: address })} />
          </Suspense>
        </div>
      ) : null}
      <p className="small">{t('capital.warning')}</p>
      <div className="row-8 row-apart">
        {address === null ? null : (
          <Button size="small" aria-expanded={open} onClick={() => setOpen(!open)}>
            {t('capital.qr')}
          </Button>
        )}
        <Link to={placeLink('deposits', { fate: 'company' })} className="small">
          {t('capital.history')}
        </Link>
      </div>
    </section>
  )
}
