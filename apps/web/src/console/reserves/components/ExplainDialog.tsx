import { useState } from 'react'
import { useForm } from 'react-hook-form'
import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'
import { Address } from '../../../ui/Address.tsx'
import { Field } from '../../../ui/Field.tsx'
import { formats } from '../../../ui/format.ts'
import { useDecision } from '../../shared/confirm.ts'
import { DecisionDialog } from '../../shared/DecisionForm.tsx'
import { useExplainDifferenceMutation } from '../api.ts'
import type { HeldAddress } from './AddressTable.tsx'

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
