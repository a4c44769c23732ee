import type { Reversal } from '@aval/contract'
import { useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../../../api/failure.ts'
import { AttemptKey } from '../../../api/idempotency.ts'
import { Button } from '../../../ui/Button.tsx'
import { Field } from '../../../ui/Field.tsx'
import { useFormats } from '../../../ui/useFormats.ts'
import { useConfirm } from '../../shared/codes.ts'
import { FailureNotice } from '../../shared/FailureNotice.tsx'
import { type OperatorInvestment, useReverseMutation } from '../api.ts'

const SHORTEST_REASON = 3
const LONGEST_REASON = 200

interface ReversalFormProps {
  investment: OperatorInvestment
  onBusy: (busy: boolean) => void
  onDone: (reversal: Reversal) => void
  onClose: () => void
}

/** Why, and the username typed out: a reversal is not pressed by a slip. */
export function ReversalForm({ investment, onBusy, onDone, onClose }: ReversalFormProps) {
  const { t } = useTranslation('console/reversals')
  const formats = useFormats()
  const confirm = useConfirm()
  const [reverse, { isLoading }] = useReverseMutation()
  const [failure, setFailure] = useState<Failure | null>(null)
  const attempt = useRef(new AttemptKey())
  const form = useForm({ defaultValues: { reason: '', typed: '' } })
  const { errors } = form.formState
  const { id, member } = investment

  const submit = form.handleSubmit(async ({ reason: text }) => {
    const body = { id, reason: text.trim() }
    const answer = await confirm({
      what: t('confirm', { id, member, amount: formats.money(investment.amount) }),
      danger: true,
      send: async (otp) => {
        onBusy(true)
        const sent = await reverse({ ...body, otp, idempotencyKey: attempt.current.for(body) })
        onBusy(false)
        return sent
      },
    })
    if (answer === null) return
    const refused = (answer.error as Failure | undefined) ?? null
    attempt.current.settle(refused)
    setFailure(refused)
    if (answer.data !== undefined) onDone(answer.data)
  })
  return (
    <form className="decision" noValidate onSubmit={submit}>
      <Field
        label={t('reversal.reason')}
        hint={t('reversal.reasonHint')}
        autoComplete="off"
        maxLength={LONGEST_REASON}
        error={errors.reason?.message}
        {...form.register('reason', {
          validate: (text) => text.trim().length >= SHORTEST_REASON || t('reversal.reasonMissing'),
        })}
      />
      <Field
        label={t('reversal.typed', { member })}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        error={errors.typed?.message}
        {...form.register('typed', {
          validate: (text) => text.trim() === member || t('reversal.typedWrong', { member }),
        })}
      />
      <FailureNotice failure={failure} />
      <div className="dialog-actions">
        <Button onClick={onClose} disabled={isLoading}>
          {t('reversal.cancel')}
        </Button>
        <Button type="submit" kind="danger" busy={isLoading}>
          {t('reversal.confirm')}
        </Button>
      </div>
    </form>
  )
}
