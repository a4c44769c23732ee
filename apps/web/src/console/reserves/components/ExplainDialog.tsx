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
import { useFormats } from '../../../ui/useFormats.ts'
import { useConfirm } from '../../shared/codes.ts'
import { FailureNotice } from '../../shared/FailureNotice.tsx'
import { useExplainDifferenceMutation } from '../api.ts'
import type { HeldAddress } from './AddressTable.tsx'

const LONGEST_REASON = 300
const SHORTEST_REASON = 3

/** Says what booking a difference does, asks why, and does it. What was typed survives a refusal. */
export function ExplainDialog({ address: latest, onClose }: { address: HeldAddress; onClose: () => void }) {
  const { t } = useTranslation('console/reserves')
  const formats = useFormats()
  const confirm = useConfirm()
  const [explain, { isLoading }] = useExplainDifferenceMutation()
  const [failure, setFailure] = useState<Failure | null>(null)
  const attempt = useRef(new AttemptKey())
  const form = useForm({ defaultValues: { reason: '' } })
  // What was read stays what is decided, while the page behind may learn of news.
  const [row] = useState(latest)
  const isLoss = row.difference.startsWith('-')
  const amount = `${formats.exact(row.difference.replace('-', ''))} USDT`

  const submit = form.handleSubmit(async ({ reason: typed }) => {
    const body = { address: row.address, difference: row.difference, reason: typed.trim() }
    const answer = await confirm({
      what: t(isLoss ? 'confirm.loss' : 'confirm.gain', { amount }),
      danger: isLoss,
      send: (otp) => explain({ ...body, otp, idempotencyKey: attempt.current.for(body) }),
    })
    if (answer === null) return
    const refused = (answer.error as Failure | undefined) ?? null
    attempt.current.settle(refused)
    setFailure(refused)
    if (answer.data === undefined) return
    toast.success(answer.data.message)
    onClose()
  })
  return (
    <Dialog title={t('explain.title')} width={520} onClose={onClose}>
      <form className="decision" noValidate onSubmit={submit}>
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
        <FailureNotice failure={failure} />
        <div className="dialog-actions">
          <Button onClick={onClose} disabled={isLoading}>
            {t('explain.back')}
          </Button>
          <Button type="submit" kind={isLoss ? 'danger' : 'primary'} busy={isLoading}>
            {t('explain.confirm')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
