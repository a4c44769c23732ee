import type { OperatorReserves } from '@aval/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Address } from '../../../ui/Address.tsx'
import { Button } from '../../../ui/Button.tsx'
import { type Column, column, DataTable, figureColumn } from '../../../ui/DataTable.tsx'
import { formats } from '../../../ui/format.ts'
import { OutsideLink } from '../../../ui/OutsideLink.tsx'
import { EmptyState } from '../../../ui/States.tsx'
import { useAbilities } from '../../shared/abilities.ts'
import { ReasonDialog } from '../../shared/DecisionForm.tsx'
import { Waiting } from '../../shared/Waiting.tsx'
import { useExplainDifferenceMutation } from '../api.ts'

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
  const [all, setAll] = useState(false)
  if (addresses.length === 0) return <EmptyState text={t('addresses.none')} />
  const columns: Column<HeldAddress>[] = [
    column(t('addresses.role'), (row) => t(`role.${row.role}`)),
    figureColumn(t('addresses.expected'), (row) => formats.exact(row.expected)),
    figureColumn(t('addresses.found'), (row) => formats.exact(row.found)),
    figureColumn(t('addresses.difference'), (row) =>
      row.waits ? (
        <span className="muted">{t('addresses.waits')}</span>
      ) : differs(row) ? (
        <strong className="reserves-differs">{signedExact(formats.exact(row.difference))}</strong>
      ) : (
        '–'
      ),
    ),
    figureColumn(t('addresses.trx'), (row) => formats.points(row.trx)),
    figureColumn(t('addresses.read'), (row) => formats.shortStamp(row.read_at)),
  ]
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
      {left === 0 ? null : <MoreButton text={t('addresses.more', { count: left })} onPress={setAll} />}
    </>
  )
}

/** Under a table that shows its first rows: shows the others as well. */
export function MoreButton({ text, onPress }: { text: string; onPress: (all: true) => void }) {
  return (
    <div className="reserves-more row-8 row-center">
      <Button size="small" onClick={() => onPress(true)}>
        {text}
      </Button>
    </div>
  )
}

/** `+5.00`, `−5.00`: which way it is, without colour. */
function signedExact(text: string): string {
  return text.startsWith('-') ? `−${text.slice(1)}` : `+${text}`
}

function AddressNote({ row, onExplain }: { row: HeldAddress; onExplain: (row: HeldAddress) => void }) {
  const { t } = useTranslation('console/reserves')
  const { may } = useAbilities()
  return (
    <div className="row-8 row-apart">
      <OutsideLink href={row.explorer_url} className="reserves-where row-8 one-line muted small">
        <Address value={row.address} />
      </OutsideLink>
      {differs(row) && !row.waits ? (
        <Waiting subject={`address:${row.address}`} what={t('explain.title')}>
          {may('treasury.explain') ? (
            <Button size="small" onClick={() => onExplain(row)}>
              {t('explain.open')}
            </Button>
          ) : null}
        </Waiting>
      ) : null}
    </div>
  )
}

const LONGEST_REASON = 300

/** Says what booking a difference does, asks why, and does it. What was typed survives a refusal. */
export function ExplainDialog({ address: row, onClose }: { address: HeldAddress; onClose: () => void }) {
  const { t } = useTranslation('console/reserves')
  const [send] = useExplainDifferenceMutation()
  const isLoss = row.difference.startsWith('-')
  const amount = `${formats.exact(row.difference.replace('-', ''))} USDT`
  return (
    <ReasonDialog
      title={t('explain.title')}
      width={520}
      send={send}
      what={t(isLoss ? 'confirm.loss' : 'confirm.gain', { amount })}
      bodyOf={(reason) => ({ address: row.address, difference: row.difference, reason })}
      reason={{
        label: t('explain.reason'),
        hint: t('explain.hint'),
        longest: LONGEST_REASON,
        missing: t('explain.missing'),
      }}
      submit={t('explain.confirm')}
      danger={isLoss}
      onDecided={onClose}
      onClose={onClose}
    >
      <p>
        <Address value={row.address} />
      </p>
      <p>{t(isLoss ? 'explain.loss' : 'explain.gain', { amount })}</p>
      <p className="muted small">{t('explain.text')}</p>
    </ReasonDialog>
  )
}
