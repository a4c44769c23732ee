import type { OperatorReserves } from '@aval/contract'
import { useTranslation } from 'react-i18next'
import { useFormats } from '../../../ui/useFormats.ts'
import { Fact } from '../../shared/Fact.tsx'

/** What our transfers cost in fees of the network. */
export function CostsCard({ costs }: { costs: OperatorReserves['costs'] }) {
  const { t } = useTranslation('console/reserves')
  const formats = useFormats()
  return (
    <section className="card card-pad">
      <h2 className="overview-label">{t('costs.title')}</h2>
      {costs.length === 0 ? (
        <p className="muted">{t('costs.none')}</p>
      ) : (
        <dl className="figures">
          {costs.map(({ purpose, transfers, trx }) => (
            <Fact
              key={purpose}
              name={t(`purpose.${purpose}`)}
              note={t('costs.transfers', { count: transfers })}
            >
              {formats.exact(trx)} TRX
            </Fact>
          ))}
        </dl>
      )}
    </section>
  )
}
