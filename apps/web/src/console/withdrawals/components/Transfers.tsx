import type { WithdrawalDossier } from '@aval/contract'
import { useTranslation } from 'react-i18next'
import { shortHash } from '../../../ui/groups.ts'
import { IconExternalLink } from '../../../ui/icons.ts'
import { useFormats } from '../../../ui/useFormats.ts'

type Transfer = WithdrawalDossier['transfers'][number]

const BADGES: Record<Transfer['state'], string> = {
  prepared: '',
  signed: 'badge-wait',
  settled: 'badge-ok',
  failed: 'badge-bad',
  expired: 'badge-bad',
}

/** The transfers made for a withdrawal, newest first: never two that could both arrive. */
export function Transfers({ transfers }: { transfers: readonly Transfer[] }) {
  const { t } = useTranslation('console/withdrawals')
  if (transfers.length === 0) return null
  return (
    <section className="dossier-part">
      <h3>{t('dossier.transfers')}</h3>
      <ul className="dossier-transfers">
        {transfers.map((transfer) => (
          <TransferRow key={transfer.txid} transfer={transfer} />
        ))}
      </ul>
    </section>
  )
}

function TransferRow({ transfer }: { transfer: Transfer }) {
  const { t } = useTranslation(['console/withdrawals', 'ui'])
  const formats = useFormats()
  const { state, txid, reply, result, broadcasts, explorer_url: link } = transfer
  return (
    <li>
      <div className="card-head">
        {link === null ? (
          <span>{shortHash(txid)}</span>
        ) : (
          <a href={link} target="_blank" rel="noreferrer">
            {shortHash(txid)}
            <IconExternalLink size={14} stroke={1.7} aria-hidden="true" />
            <span className="visually-hidden">{t('ui:opensNewTab')}</span>
          </a>
        )}
        <span className={`badge ${BADGES[state]}`}>{t(`console/withdrawals:transfer.${state}`)}</span>
      </div>
      <p className="muted small">
        {formats.shortStamp(transfer.prepared_at)} ·{' '}
        {t('console/withdrawals:transfer.handed', { count: broadcasts })}
        {result === null ? '' : ` · ${result}`}
      </p>
      {reply === null ? null : <p className="muted small hash">{reply}</p>}
    </li>
  )
}
