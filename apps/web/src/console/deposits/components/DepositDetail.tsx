import type { ObservedTransfer } from '@aval/contract'
import { useForm } from 'react-hook-form'
import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../../../api/failure.ts'
import { Button } from '../../../ui/Button.tsx'
import { Fact } from '../../../ui/Fact.tsx'
import { Field } from '../../../ui/Field.tsx'
import { formats } from '../../../ui/format.ts'
import { useAbilities } from '../../shared/abilities.ts'
import { DecisionDialog } from '../../shared/DecisionForm.tsx'
import { useReviewDepositMutation } from '../api.ts'

/** What needs a person. */
const REVIEWED = new Set(['unclaimed', 'wrong_token', 'wrong_asset', 'late', 'no_invoice', 'overpaid'])

/** An invoice that ended before it was complete: its parts went to the balance. */
export const hasLapsed = (invoice: ObservedTransfer['invoice']): boolean =>
  invoice?.state === 'expired' || invoice?.state === 'cancelled'

/** What became of a deposit in a sentence, its facts, and what somebody found out. */
export function DepositDetail({ row, onReview }: { row: ObservedTransfer; onReview: () => void }) {
  const { t } = useTranslation('console/deposits')
  const { may } = useAbilities()
  const words = {
    part: formats.money(row.amount ?? 0),
    due: formats.money(row.invoice?.due ?? 0),
    rest: formats.money(row.to_balance ?? 0),
  }
  const facts = { fromAddress: row.from, toAddress: row.to, contract: row.contract, whole: row.txid }
  return (
    <div className="row-detail box stack-8">
      <p>{t(row.fate === 'part' && hasLapsed(row.invoice) ? 'story.lapsed' : `story.${row.fate}`, words)}</p>
      {row.review === null ? null : (
        <p className="small">
          {t('reviewed', {
            name: row.review.by,
            date: formats.dateTime(row.review.at),
            note: row.review.note,
          })}
        </p>
      )}
      {row.review === null && REVIEWED.has(row.fate) && may('deposits.review') ? (
        <div>
          <Button size="small" onClick={onReview}>
            {t('review')}
          </Button>
        </div>
      ) : null}
      <dl className="figures">
        {(['whole', 'fromAddress', 'toAddress', 'contract'] as const).map((name) => (
          <Fact key={name} name={t(`${name}`)}>
            <span className="hash" translate="no">
              {facts[name]}
            </span>
          </Fact>
        ))}
        <Fact name={t('block')}>{formats.count(row.block)}</Fact>
        {row.credited_at === null ? null : (
          <Fact name={t('credited')}>{formats.dateTime(row.credited_at)}</Fact>
        )}
      </dl>
    </div>
  )
}

const SHORTEST = 3

/** What an operator found out about a deposit. */
export function ReviewDialog({ row, onClose }: { row: ObservedTransfer; onClose: () => void }) {
  const { t } = useTranslation('console/deposits')
  const [review, { error, isLoading }] = useReviewDepositMutation()
  const form = useForm({ defaultValues: { note: '' } })
  const submit = form.handleSubmit(async ({ note }) => {
    const answer = await review({ txid: row.txid, position: row.position, note: note.trim() })
    if (answer.data === undefined) return
    toast.success(answer.data.message)
    onClose()
  })
  return (
    <DecisionDialog
      title={t('reviewTitle')}
      width={460}
      submit={t('save')}
      decision={{ failure: (error as Failure | undefined) ?? null, busy: isLoading }}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <p>{t('reviewText')}</p>
      <Field
        label={t('note')}
        hint={t('noteHint')}
        autoComplete="off"
        maxLength={300}
        data-autofocus
        error={form.formState.errors.note?.message}
        {...form.register('note', {
          validate: (typed) => typed.trim().length >= SHORTEST || t('noteMissing'),
        })}
      />
    </DecisionDialog>
  )
}
