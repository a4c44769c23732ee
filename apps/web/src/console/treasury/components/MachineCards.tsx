import type { OperatorTreasury } from '@aval/contract'
import { useTranslation } from 'react-i18next'
import { Address } from '../../../ui/Address.tsx'
import { Fact } from '../../../ui/Fact.tsx'
import { formats } from '../../../ui/format.ts'
import { OutsideLink } from '../../../ui/OutsideLink.tsx'

/** What each wallet has by the books, and for fees. */
export function WalletsCard({ wallets }: Pick<OperatorTreasury, 'wallets'>) {
  const { t } = useTranslation('console/treasury')
  return (
    <section className="card card-pad">
      <h2 className="overview-label">{t('wallets.title')}</h2>
      <dl className="figures">
        {wallets.map(({ role, amount, trx }) => (
          <Fact
            key={role}
            name={t(`wallets.${role}`)}
            note={trx === null ? undefined : t('wallets.trx', { amount: formats.exact(trx) })}
          >
            {formats.money(amount)}
          </Fact>
        ))}
      </dl>
      {wallets.map(({ role, address, explorer_url }) =>
        role === 'deposits' ? null : (
          <div key={role} className="below-line">
            <p className="muted small">{t(`wallets.${role}`)}</p>
            {address === null ? (
              <p>{t('wallets.none')}</p>
            ) : (
              <OutsideLink href={explorer_url} className="outside-link">
                <Address value={address} />
              </OutsideLink>
            )}
          </div>
        ),
      )}
      <p className="muted small">{t('wallets.text')}</p>
    </section>
  )
}

interface ChainCardProps {
  chain: OperatorTreasury['chain']
  /** How many things do not work. */
  failing: number
}

/** How far the chain is read, and by whom. */
export function ChainCard({ chain, failing }: ChainCardProps) {
  const { t } = useTranslation('console/treasury')
  return (
    <section className="card card-pad">
      <div className="card-head">
        <h2 className="overview-label">{t('chain.title')}</h2>
        <span className={`badge ${failing === 0 ? 'badge-ok' : 'badge-bad'}`}>
          {t(failing === 0 ? 'chain.ok' : 'chain.bad')}
        </span>
      </div>
      <dl className="figures">
        {(['head', 'solid', 'scanned'] as const).map((name) => (
          <Fact key={name} name={t(`chain.${name}`)}>
            {formats.count(chain[name])}
          </Fact>
        ))}
        <Fact name={t('chain.read')}>{chain.read_at === null ? '–' : formats.shortStamp(chain.read_at)}</Fact>
        <Fact name={t('chain.gateway')}>
          <span className="hash" translate="no">
            {chain.gateway === '' ? '–' : chain.gateway}
          </span>
        </Fact>
        <Fact name={t('chain.addresses')} note={chain.addresses_few ? t('chain.addressesFew') : undefined}>
          {formats.count(chain.addresses_left)}
        </Fact>
      </dl>
    </section>
  )
}

/** What the chain took for transfers of ours. */
export function FeesCard({ fees, asOf }: { fees: OperatorTreasury['fees']; asOf: string | null }) {
  const { t } = useTranslation('console/treasury')
  return (
    <section className="card card-pad">
      <h2 className="overview-label">{t('fees.title')}</h2>
      {fees.length === 0 ? (
        <p className="muted">{t('fees.none')}</p>
      ) : (
        <dl className="figures">
          {fees.map(({ purpose, transfers, trx }) => (
            <Fact key={purpose} name={t(`fees.${purpose}`)} note={t('fees.transfers', { count: transfers })}>
              {`${formats.exact(trx)} TRX`}
            </Fact>
          ))}
        </dl>
      )}
      {asOf === null ? null : <p className="muted small">{t('asOf', { date: formats.shortStamp(asOf) })}</p>}
    </section>
  )
}
