import type { Reserves } from '@aval/contract'
import { useTranslation } from 'react-i18next'
import { Address } from '../../../ui/Address.tsx'
import { IconExternalLink } from '../../../ui/icons.ts'
import { useFormats } from '../../../ui/useFormats.ts'
import { isSome } from '../shares.ts'

type Wallet = Reserves['wallets'][number]

/** The wallets with their addresses: anybody can look them up. */
export function CustodyPart({ data }: { data: Reserves }) {
  const { t } = useTranslation('reserves')
  const formats = useFormats()
  return (
    <section aria-labelledby="reserves-custody">
      <h3 id="reserves-custody">{t('custody')}</h3>
      <ul className="reserves-list">
        {data.wallets.map((wallet) => (
          <WalletLine key={wallet.role} wallet={wallet} />
        ))}
      </ul>
      <p className="reserves-total">
        <span>{t('total')}</span> <strong>{formats.money(data.custody)}</strong>
      </p>
      {isSome(data.in_flight) ? (
        <p className="muted small">{t('inFlight', { amount: formats.money(data.in_flight) })}</p>
      ) : null}
    </section>
  )
}

function WalletLine({ wallet }: { wallet: Wallet }) {
  const { t } = useTranslation(['reserves', 'ui'])
  const formats = useFormats()
  const { role, address, explorer_url: url, amount } = wallet
  return (
    <li>
      <div className="reserves-row">
        <span>{t(`reserves:wallet.${role}.name`)}</span>
        <strong>{formats.money(amount)}</strong>
      </div>
      {address === null ? null : (
        <div className="reserves-address">
          <Address value={address} />
        </div>
      )}
      <p className="muted small">
        {t(`reserves:wallet.${role}.text`)}{' '}
        {url === null ? null : (
          <a href={url} target="_blank" rel="noreferrer" className="reserves-link">
            {t('reserves:lookUp')}
            <IconExternalLink size={13} stroke={1.7} aria-hidden="true" />
            <span className="visually-hidden">{t('ui:opensNewTab')}</span>
          </a>
        )}
      </p>
    </li>
  )
}

const PARTS = ['principal', 'balances', 'held', 'due'] as const

export function OwedPart({ data }: { data: Reserves }) {
  const { t } = useTranslation('reserves')
  const formats = useFormats()
  return (
    <section aria-labelledby="reserves-owed">
      <h3 id="reserves-owed">{t('owed')}</h3>
      <ul className="reserves-list">
        {PARTS.map((part) => (
          <li key={part}>
            <div className="reserves-row">
              <span>{t(`part.${part}`)}</span>
              <strong>{formats.money(data.owed[part])}</strong>
            </div>
          </li>
        ))}
      </ul>
      <p className="reserves-total">
        <span>{t('total')}</span> <strong>{formats.money(data.owed.total)}</strong>
      </p>
    </section>
  )
}
