import type { PayoutRun } from '@aval/contract'
import { formatMicro } from '@aval/money'
import { useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../../../api/failure.ts'
import { AttemptKey } from '../../../api/idempotency.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Field } from '../../../ui/Field.tsx'
import { useFormats } from '../../../ui/useFormats.ts'
import { useConfirm } from '../../shared/codes.ts'
import { FailureNotice } from '../../shared/FailureNotice.tsx'
import { useDecideRunMutation } from '../api.ts'
import { type Decision, isShort, prorataOf } from '../runStages.ts'
import { Consequences } from './Consequences.tsx'
import { useRunName } from './RunParts.tsx'

const LONGEST_NOTE = 200

interface DecisionDialogProps {
  run: PayoutRun
  decision: Decision
  onClose: () => void
  onDecided: () => void
}

/** Says exactly what a decision does, and carries it out. What was typed survives a refusal. */
export function DecisionDialog({ run: latest, decision, onClose, onDecided }: DecisionDialogProps) {
  const { t } = useTranslation('console/payout-runs')
  const [decide, { isLoading }] = useDecideRunMutation()
  const [failure, setFailure] = useState<Failure | null>(null)
  const attempt = useRef(new AttemptKey())
  const form = useForm({ defaultValues: { note: '' } })
  // What was read stays what is decided, while the page behind may learn of news.
  const [run] = useState(latest)
  const button = useConfirmText(run, decision)
  const name = useRunName()(run)
  const confirm = useConfirm()

  const close = () => {
    if (!isLoading) onClose()
  }
  const submit = form.handleSubmit(async ({ note: typed }) => {
    const body = { id: run.id, decision, note: typed.trim() }
    const answer = await confirm({
      what: t(`confirm.${decision}`, { run: `${name.kind} · ${name.period}` }),
      danger: decision === 'cancel',
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
    <Dialog title={t(`decide.${decision}.title`)} width={520} onClose={close}>
      <form className="decision" noValidate onSubmit={submit}>
        <Consequences run={run} decision={decision} />
        <Field
          label={t('decide.note')}
          hint={t('decide.noteHint')}
          optional
          autoComplete="off"
          maxLength={LONGEST_NOTE}
          data-autofocus
          {...form.register('note')}
        />
        <FailureNotice failure={failure} />
        <div className="dialog-actions">
          <Button onClick={close} disabled={isLoading}>
            {t('decide.back')}
          </Button>
          <Button
            type="submit"
            kind={decision === 'cancel' ? 'danger' : 'primary'}
            busy={isLoading}
            disabled={button.impossible}
          >
            {button.text}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function useConfirmText(run: PayoutRun, decision: Decision): { text: string; impossible: boolean } {
  const { t } = useTranslation('console/payout-runs')
  const formats = useFormats()
  if (decision === 'cancel') return { text: t('decide.cancel.confirm'), impossible: false }
  if (decision === 'release') {
    const text = isShort(run)
      ? t('decide.release.confirmShort')
      : t('decide.release.confirm', { amount: formats.money(run.payable) })
    return { text, impossible: false }
  }
  const share = prorataOf(run)
  if (share === null || share.paid === 0n)
    return { text: t('decide.prorate.confirmEmpty'), impossible: share !== null }
  const paid = formats.money(formatMicro(share.paid))
  return { text: t('decide.prorate.confirm', { paid }), impossible: false }
}
