import type { PayoutRun } from '@aval/contract'
import { formatMicro } from '@aval/money'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { Field } from '../../../ui/Field.tsx'
import { formats } from '../../../ui/format.ts'
import { useDecision } from '../../shared/confirm.ts'
import { DecisionDialog } from '../../shared/DecisionForm.tsx'
import { placeLink } from '../../shared/place.ts'
import { useDecideRunMutation } from '../api.ts'
import { isShort, objectionsTo, prorataOf, type RunDecision } from '../runStages.ts'
import { Reasons, useRunName } from './RunParts.tsx'

const LONGEST_NOTE = 200

interface RunDecisionDialogProps {
  run: PayoutRun
  decision: RunDecision
  onClose: () => void
  onDecided: () => void
}

/** Says exactly what a decision does, and carries it out. What was typed survives a refusal. */
export function RunDecisionDialog({ run: latest, decision, onClose, onDecided }: RunDecisionDialogProps) {
  const { t } = useTranslation('console/payout-runs')
  const [send] = useDecideRunMutation()
  const decided = useDecision(send)
  const form = useForm({ defaultValues: { note: '' } })
  // What was read stays what is decided, while the page behind may learn of news.
  const [run] = useState(latest)
  const button = useConfirmText(run, decision)
  const name = useRunName()(run)

  const submit = form.handleSubmit(async ({ note }) => {
    const body = { id: run.id, decision, note: note.trim() }
    const what = t(`confirm.${decision}`, { run: `${name.kind} · ${name.period}` })
    const answer = await decided.decide(body, { what, danger: decision === 'cancel' })
    if (answer?.data === undefined) return
    toast.success(answer.data.message)
    onDecided()
  })
  return (
    <DecisionDialog
      title={t(`decide.${decision}.title`)}
      width={520}
      decision={decided}
      submit={button.text}
      danger={decision === 'cancel'}
      impossible={button.impossible}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
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
    </DecisionDialog>
  )
}

function useConfirmText(run: PayoutRun, decision: RunDecision): { text: string; impossible: boolean } {
  const { t } = useTranslation('console/payout-runs')
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

/** What a decision does, in sentences with this run's own figures. */
function Consequences({ run, decision }: { run: PayoutRun; decision: RunDecision }) {
  if (decision === 'release') return <OfRelease run={run} />
  return decision === 'prorate' ? <OfProrata run={run} /> : <OfCancelling run={run} />
}

function OfRelease({ run }: { run: PayoutRun }) {
  const { t } = useTranslation('console/payout-runs')
  const figures = {
    amount: formats.money(run.payable),
    items: formats.count(run.items),
    count: run.items,
    missing: formats.money(run.missing),
  }
  return (
    <>
      <p>{t('decide.release.who', figures)}</p>
      <Reasons reasons={objectionsTo(run)} />
      {isShort(run) ? <p>{t('decide.release.pool', figures)}</p> : null}
      <p className="muted">{t('decide.release.after')}</p>
    </>
  )
}

function OfProrata({ run }: { run: PayoutRun }) {
  const { t } = useTranslation('console/payout-runs')
  const share = prorataOf(run)
  if (share === null) return <Reasons reasons={run.reasons} />
  if (share.paid === 0n) return <p>{t('decide.prorate.empty')}</p>
  const figures = {
    paid: formats.money(formatMicro(share.paid)),
    total: formats.money(formatMicro(share.total)),
    rest: formats.money(formatMicro(share.rest)),
    percent: formats.percent(share.percent),
  }
  return (
    <>
      <p>{t('decide.prorate.share', figures)}</p>
      <p>
        <strong>{t('decide.prorate.rest', figures)}</strong>
      </p>
    </>
  )
}

function OfCancelling({ run }: { run: PayoutRun }) {
  const { t } = useTranslation('console/payout-runs')
  const isDaily = run.kind === 'passive'
  return (
    <>
      <p>{t('decide.cancel.what', { amount: formats.money(run.total) })}</p>
      {isDaily ? (
        <p className="muted">
          {t('decide.cancel.rate', { day: formats.day(run.period) })}{' '}
          <Link to={placeLink('rates', { day: run.period })}>{t('decide.cancel.toRates')}</Link>
        </p>
      ) : (
        <p className="muted">{t('decide.cancel.same')}</p>
      )}
    </>
  )
}
