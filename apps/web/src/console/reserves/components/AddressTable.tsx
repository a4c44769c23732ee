import type { OperatorReserves } from '@aval/contract'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'
import { Address } from '../../../ui/Address.tsx'
import { Button } from '../../../ui/Button.tsx'
import { type Column, DataTable } from '../../../ui/DataTable.tsx'
import { Field } from '../../../ui/Field.tsx'
import { formats } from '../../../ui/format.ts'
import { OutsideLink } from '../../../ui/OutsideLink.tsx'
import { EmptyState } from '../../../ui/States.tsx'
import { useDecision } from '../../shared/confirm.ts'
import { DecisionDialog } from '../../shared/DecisionForm.tsx'
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
    { header: t('addresses.role'), cell: (row) => t(`role.${row.role}`) },
    { header: t('addresses.expected'), figure: true, cell: (row) => formats.exact(row.expected) },
    { header: t('addresses.found'), figure: true, cell: (row) => formats.exact(row.found) },
    {
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
    { header: t('addresses.trx'), figure: true, cell: (row) => formats.points(row.trx) },
    { header: t('addresses.read'), figure: true, cell: (row) => formats.shortStamp(row.read_at) },
  ]
}

/** `+5.00`, `−5.00`: which way it is, without colour. */
function signedExact(text: string): string {
  return text.startsWith('-') ? `−${text.slice(1)}` : `+${text}`
}

function AddressNote({ row, onExplain }: { row: HeldAddress; onExplain: (row: HeldAddress) => void }) {
  const { t } = useTranslation('console/reserves')
  return (
    <div className="reserves-note">
      <OutsideLink href={row.explorer_url} className="reserves-where">
        <Address value={row.address} />
      </OutsideLink>
      {differs(row) && !row.waits ? (
        <Button size="small" onClick={() => onExplain(row)}>
          {t('explain.open')}
        </Button>
      ) : null}
    </div>
  )
}

const LONGEST_REASON = 300
const SHORTEST_REASON = 3

/** Says what booking a difference does, asks why, and does it. What was typed survives a refusal. */
export function ExplainDialog({ address: latest, onClose }: { address: HeldAddress; onClose: () => void }) {
  const { t } = useTranslation('console/reserves')
  const [send] = useExplainDifferenceMutation()
  const decided = useDecision(send)
  const form = useForm({ defaultValues: { reason: '' } })
  // What was read stays what is decided, while the page behind may learn of news.
  const [row] = useState(latest)
  const isLoss = row.difference.startsWith('-')
  const amount = `${formats.exact(row.difference.replace('-', ''))} USDT`

  const submit = form.handleSubmit(async ({ reason }) => {
    const body = { address: row.address, difference: row.difference, reason: reason.trim() }
    const what = t(isLoss ? 'confirm.loss' : 'confirm.gain', { amount })
    const answer = await decided.decide(body, { what, danger: isLoss })
    if (answer?.data === undefined) return
    toast.success(answer.data.message)
    onClose()
  })
  return (
    <DecisionDialog
      title={t('explain.title')}
      width={520}
      decision={decided}
      submit={t('explain.confirm')}
      danger={isLoss}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <p>
        <Address value={row.address} />
      </p>
      <p>{t(isLoss ? 'explain.loss' : 'explain.gain', { amount })}</p>
      <p className="muted small">{t('explain.text')}</p>
      <Field
        label={t('explain.reason')}
        hint={t('explain.hint')}
        autoComplete="off"
        maxLength={LONGEST_REASON}
        error={form.formState.errors.reason?.message}
        data-autofocus
        {...form.register('reason', {
          validate: (typed) => typed.trim().length >= SHORTEST_REASON || t('explain.missing'),
        })}
      />
    </DecisionDialog>
  )
}
