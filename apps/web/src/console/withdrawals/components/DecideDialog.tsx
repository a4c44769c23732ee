import type { QueuedWithdrawal } from '@aval/contract'
import { formatMicro } from '@aval/money'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'
import { Address } from '../../../ui/Address.tsx'
import { Field } from '../../../ui/Field.tsx'
import { formats } from '../../../ui/format.ts'
import { Name } from '../../../ui/Name.tsx'
import { useDecision } from '../../shared/confirm.ts'
import { DecisionDialog } from '../../shared/DecisionForm.tsx'
import { useDecideWithdrawalsMutation, type WithdrawalDecision } from '../api.ts'
import { Risks } from './RowNotes.tsx'
import { totalOf } from './Selection.tsx'

const LONGEST_REASON = 300
const SHORTEST_REASON = 3

interface DecideDialogProps {
  decision: WithdrawalDecision['decision']
  rows: readonly QueuedWithdrawal[]
  onClose: () => void
  onDecided: () => void
}

/** Says to whom how much will go, or why it will not, and carries it out with one code. */
export function DecideDialog({ decision, rows: latest, onClose, onDecided }: DecideDialogProps) {
  const { t } = useTranslation('console/withdrawals')
  const [send] = useDecideWithdrawalsMutation()
  const decided = useDecision(send)
  const form = useForm({ defaultValues: { reason: '' } })
  // What was read stays what is decided, while the page behind may learn of news.
  const [rows] = useState(latest)
  const figures = { count: rows.length, amount: formats.money(formatMicro(totalOf(rows))) }
  const isRefusal = decision === 'refuse'

  const submit = form.handleSubmit(async ({ reason }) => {
    const body = { decision, ids: rows.map((row) => row.id), reason: reason.trim() }
    const answer = await decided.decide(body, { what: t(`confirm.${decision}`, figures), danger: isRefusal })
    if (answer?.data === undefined) return
    toast.success(answer.data.message)
    onDecided()
  })
  return (
    <DecisionDialog
      title={t(`decide.${decision}`, figures)}
      width={560}
      decision={decided}
      submit={t(`${decision}`)}
      danger={isRefusal}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <Decided rows={rows} />
      {isRefusal ? (
        <Field
          label={t('reason')}
          hint={t('reasonHint')}
          autoComplete="off"
          maxLength={LONGEST_REASON}
          data-autofocus
          error={form.formState.errors.reason?.message}
          {...form.register('reason', {
            validate: (typed) => typed.trim().length >= SHORTEST_REASON || t('reasonMissing'),
          })}
        />
      ) : null}
    </DecisionDialog>
  )
}

/** To whom how much goes, and where. */
function Decided({ rows }: { rows: readonly QueuedWithdrawal[] }) {
  const { t } = useTranslation('console/withdrawals')
  return (
    <ul className="queue-decided">
      {rows.map((row) => (
        <li key={row.id}>
          <div className="card-head">
            <Name text={row.username} />
            <strong>{formats.money(row.amount)}</strong>
          </div>
          <p className="muted small">{t('arrives', { amount: formats.exact(row.arrives) })}</p>
          <p className="small">
            <Address value={row.wallet_address} />
          </p>
          {row.risks.length === 0 ? null : <Risks risks={row.risks} />}
        </li>
      ))}
    </ul>
  )
}
