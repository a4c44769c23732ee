import type { QueuedWithdrawal } from '@aval/contract'
import { formatMicro } from '@aval/money'
import { useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../../../api/failure.ts'
import { AttemptKey } from '../../../api/idempotency.ts'
import { Address } from '../../../ui/Address.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Field } from '../../../ui/Field.tsx'
import { Name } from '../../../ui/Name.tsx'
import { useFormats } from '../../../ui/useFormats.ts'
import { useConfirm } from '../../shared/codes.ts'
import { FailureNotice } from '../../shared/FailureNotice.tsx'
import { useDecideWithdrawalsMutation, type WithdrawalDecision } from '../api.ts'
import { Risks } from './Risks.tsx'
import { totalOf } from './Selection.tsx'

const LONGEST_REASON = 300

interface DecideDialogProps {
  decision: WithdrawalDecision['decision']
  rows: readonly QueuedWithdrawal[]
  onClose: () => void
  onDecided: () => void
}

/** Says to whom how much will go, or why it will not, and carries it out with one code. */
export function DecideDialog({ decision, rows: latest, onClose, onDecided }: DecideDialogProps) {
  const { t } = useTranslation(['console/withdrawals', 'console/shared'])
  const formats = useFormats()
  const confirm = useConfirm()
  const [decide, { isLoading }] = useDecideWithdrawalsMutation()
  const [failure, setFailure] = useState<Failure | null>(null)
  const attempt = useRef(new AttemptKey())
  const form = useForm({ defaultValues: { reason: '' } })
  // What was read stays what is decided, while the page behind may learn of news.
  const [rows] = useState(latest)
  const figures = { count: rows.length, amount: formats.money(formatMicro(totalOf(rows))) }

  const submit = form.handleSubmit(async ({ reason }) => {
    const body = { decision, ids: rows.map((row) => row.id), reason: reason.trim() }
    const answer = await confirm({
      what: t(`confirm.${decision}`, figures),
      danger: decision === 'refuse',
      send: (otp) => decide({ ...body, otp, idempotencyKey: attempt.current.for(body) }),
    })
    if (answer === null) return
    const refused = (answer.error as Failure | undefined) ?? null
    attempt.current.settle(refused)
    setFailure(refused)
    if (answer.data === undefined) return
    toast.success(answer.data.message)
    onDecided()
  })
  return (
    <Dialog title={t(`decide.${decision}`, figures)} width={560} onClose={onClose}>
      <form className="decision" noValidate onSubmit={submit}>
        <Decided rows={rows} />
        {decision === 'refuse' ? (
          <Field
            label={t('reason')}
            hint={t('reasonHint')}
            autoComplete="off"
            maxLength={LONGEST_REASON}
            data-autofocus
            error={form.formState.errors.reason?.message}
            {...form.register('reason', {
              validate: (typed) => typed.trim().length >= 3 || t('reasonMissing'),
            })}
          />
        ) : null}
        <FailureNotice failure={failure} />
        <div className="dialog-actions">
          <Button onClick={onClose} disabled={isLoading}>
            {t('console/shared:code.back')}
          </Button>
          <Button type="submit" kind={decision === 'refuse' ? 'danger' : 'primary'} busy={isLoading}>
            {t(`${decision}`)}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

/** To whom how much goes, and where. */
function Decided({ rows }: { rows: readonly QueuedWithdrawal[] }) {
  const { t } = useTranslation(['console/withdrawals', 'console/shared'])
  const formats = useFormats()
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
