import type { OperatorReserves } from '@aval/contract'
import { useTranslation } from 'react-i18next'
import { useFormats } from '../../../../ui/useFormats.ts'
import { Fact } from '../Fact.tsx'

/** What our transfers cost in fees of the network. */
export function CostsCard({ costs }: { costs: OperatorReserves['costs'] }) {
  const { t } = useTranslation('operator')
  const formats = useFormats()
  return (
    <section className="card card-pad">
      <h2 className="overview-label">{t('reserves.costs.title')}</h2>
      {costs.length === 0 ? (
        <p className="muted">{t('reserves.costs.none')}</p>
      ) : (
        <dl className="figures">
          {costs.map(({ purpose, transfers, trx }) => (
            <Fact
              key={purpose}
              name={t(`reserves.purpose.${purpose}`)}
              note={t('reserves.costs.transfers', { count: transfers })}
            >
              {formats.exact(trx)} TRX
            </Fact>
          ))}
        </dl>
      )}
    </section>
  )
}
