import type { OperatorReserves } from '@aval/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Address } from '../../../ui/Address.tsx'
import { Button } from '../../../ui/Button.tsx'
import { type Column, DataTable } from '../../../ui/DataTable.tsx'
import { formats } from '../../../ui/format.ts'
import { IconExternalLink } from '../../../ui/icons.ts'
import { EmptyState } from '../../../ui/States.tsx'

export type HeldAddress = OperatorReserves['addresses'][number]

/** Whether it holds something else than it must. */
export const differs = ({ difference }: Pick<HeldAddress, 'difference'>) => /[1-9]/.test(difference)

/** Deposit addresses without a difference that are shown at once; they are rarely looked for. */
const FEW = 3

interface AddressTableProps {
  addresses: HeldAddress[]
  onExplain: (address: HeldAddress) => void
}

/** Our wallets and the largest deposit addresses: what each must hold, and what the chain says. */
export function AddressTable({ addresses, onExplain }: AddressTableProps) {
  const { t } = useTranslation('console/reserves')
  const columns = useColumns()
  const [all, setAll] = useState(false)
  if (addresses.length === 0) return <EmptyState text={t('addresses.none')} />
  const quiet = addresses.filter((row) => row.role === 'deposit' && !differs(row))
  const rows = all ? addresses : addresses.filter((row) => !quiet.includes(row) || quiet.indexOf(row) < FEW)
  const left = addresses.length - rows.length
  return (
    <>
      <DataTable
        caption={t('addresses.title')}
        columns={columns}
        rows={rows}
        rowKey={({ address }) => address}
        note={(row) => <AddressNote row={row} onExplain={onExplain} />}
      />
      {left === 0 ? null : (
        <div className="reserves-more">
          <Button size="small" onClick={() => setAll(true)}>
            {t('addresses.more', { count: left })}
          </Button>
        </div>
      )}
    </>
  )
}

function useColumns(): Column<HeldAddress>[] {
  const { t } = useTranslation('console/reserves')
  return [
    { key: 'role', header: t('addresses.role'), cell: (row) => t(`role.${row.role}`) },
    {
      key: 'expected',
      header: t('addresses.expected'),
      figure: true,
      cell: (row) => formats.exact(row.expected),
    },
    {
      key: 'found',
      header: t('addresses.found'),
      figure: true,
      cell: (row) => formats.exact(row.found),
    },
    {
      key: 'difference',
      header: t('addresses.difference'),
      figure: true,
      cell: (row) =>
        row.waits ? (
          <span className="muted">{t('addresses.waits')}</span>
        ) : differs(row) ? (
          <strong className="reserves-differs">{signedExact(formats.exact(row.difference))}</strong>
        ) : (
          '–'
        ),
    },
    {
      key: 'trx',
      header: t('addresses.trx'),
      figure: true,
      cell: (row) => formats.points(row.trx),
    },
    {
      key: 'read',
      header: t('addresses.read'),
      figure: true,
      cell: (row) => formats.shortStamp(row.read_at),
    },
  ]
}

/** `+5.00`, `−5.00`: which way it is, without colour. */
function signedExact(text: string): string {
  return text.startsWith('-') ? `−${text.slice(1)}` : `+${text}`
}

function AddressNote({ row, onExplain }: { row: HeldAddress; onExplain: (row: HeldAddress) => void }) {
  const { t } = useTranslation(['console/reserves', 'ui'])
  return (
    <div className="reserves-note">
      {row.explorer_url === null ? (
        <Address value={row.address} />
      ) : (
        <a href={row.explorer_url} target="_blank" rel="noreferrer" className="reserves-where">
          <Address value={row.address} />
          <IconExternalLink size={14} stroke={1.7} aria-hidden="true" />
          <span className="visually-hidden">{t('ui:opensNewTab')}</span>
        </a>
      )}
      {differs(row) && !row.waits ? (
        <Button size="small" onClick={() => onExplain(row)}>
          {t('console/reserves:explain.open')}
        </Button>
      ) : null}
    </div>
  )
}
