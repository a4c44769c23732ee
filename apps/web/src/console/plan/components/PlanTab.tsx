import type { PlanVersion } from '@aval/contract'
import { useEffect, useRef, useState } from 'react'
import { Controller, FormProvider, useForm } from 'react-hook-form'
import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../../../api/failure.ts'
import { region } from '../../../api/region.ts'
import { Button } from '../../../ui/Button.tsx'
import { DateField } from '../../../ui/dates/DateField.tsx'
import { formats } from '../../../ui/format.ts'
import { IconPlus } from '../../../ui/icons.ts'
import { Link } from '../../../ui/Link.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { EmptyState, Loaded, Skeleton, SkeletonCard } from '../../../ui/States.tsx'
import { useOpenDecisionsQuery } from '../../shared/approvals.ts'
import { useDecision } from '../../shared/confirm.ts'
import { DecisionDialog, FailureNotice } from '../../shared/DecisionForm.tsx'
import { ProposedDecision } from '../../shared/ProposedDecision.tsx'
import { placeLink, usePlace } from '../../shared/place.ts'
import { usePolling } from '../../shared/useLive.ts'
import { type PlanProposal, useCreatePlanMutation, usePlans, usePreviewPlanMutation } from '../api.ts'
import { placeOf, planDiff, type SectionErrors } from '../planFields.ts'
import { documentFrom, formFrom, type PlanForm } from '../planForm.ts'
import { firstDayOf, isDay, nextDay } from '../planRates.ts'
import { PlanCompare } from './PlanCompare.tsx'
import { PlanFields } from './PlanFields.tsx'
import { PlanPreview, PreviewOf, usePreview } from './PlanPreview.tsx'
import { PlanDiff, PlanSections, VersionsTable } from './PlanView.tsx'
import './plan.css'

export function PlanTab() {
  const { t } = useTranslation('console/plan')
  const place = usePlace()
  const { plans, current, today } = usePlans()
  return (
    <Loaded query={plans} hold={<PlanSkeleton />} card>
      {(versions) => {
        if (current === undefined) return <EmptyState text={t('first')} />
        if (place.new !== '1') return <PlanInForce versions={versions} current={current} />
        if (today === undefined) return <PlanSkeleton />
        return (
          <PlanEditor
            key={current.version}
            current={current}
            upcoming={upcomingOf(versions, current)}
            firstDay={nextDay(today)}
            onLeave={() => place.show('plan')}
          />
        )
      }}
    </Loaded>
  )
}

/** The version that is next in line; versions come newest first. */
function upcomingOf(versions: PlanVersion[], current: PlanVersion): PlanVersion | undefined {
  const later = versions.filter(({ starts_at }) => starts_at > current.starts_at)
  return later.sort((left, right) => left.starts_at.localeCompare(right.starts_at))[0]
}

interface UpcomingNoticeProps {
  upcoming: PlanVersion | undefined
  text: 'upcoming' | 'edit.upcoming'
}

function UpcomingNotice({ upcoming, text }: UpcomingNoticeProps) {
  const { t } = useTranslation('console/plan')
  const day = upcoming === undefined ? null : firstDayOf(upcoming)
  if (upcoming === undefined || day === null) return null
  return <Notice>{t(text, { version: upcoming.version, day: formats.day(day) })}</Notice>
}

/** Every so many milliseconds, while one waits: operators approve elsewhere. */
const LOOK_AGAIN = 4_000

/** Plans that wait for approval, and what becomes of them. */
function ProposedPlans() {
  const { t } = useTranslation('console/plan')
  const [waiting, setWaiting] = useState(0)
  const { data } = useOpenDecisionsQuery(null, usePolling(waiting === 0 ? 0 : LOOK_AGAIN))
  const { plans } = usePlans()
  const proposed = data?.results.filter(({ kind }) => kind === 'plan') ?? []
  const { length } = proposed
  const { refetch } = plans
  // One that waits no more may be a version now.
  useEffect(() => {
    if (length < waiting) void refetch()
    setWaiting(length)
  }, [length, waiting, refetch])
  return proposed.map((decision) => (
    <section key={decision.id} className="card card-pad stack-8">
      <ProposedDecision
        decision={decision}
        what={t('waits', { day: formats.day(decision.statement['starts_on'] ?? '') })}
      />
      <p className="muted small">{t('needsAnother', { name: decision.proposed_by })}</p>
      <details className="plan-previewed">
        <summary>{t('preview.title')}</summary>
        <PreviewOf sha256={decision.statement['sha256'] ?? ''} />
      </details>
    </section>
  ))
}

function PlanInForce({ versions, current }: { versions: PlanVersion[]; current: PlanVersion }) {
  const { t } = useTranslation('console/plan')
  const since = firstDayOf(current)
  return (
    <>
      <div className="row-8 row-apart">
        <div>
          <h2>{t('version', { version: current.version })}</h2>
          <p className="muted small">
            {since === null ? t('sinceEver') : t('since', { day: formats.day(since) })}
          </p>
        </div>
        <Link className="button button-secondary" to={placeLink('plan', { new: '1' })}>
          <IconPlus size={17} stroke={1.7} aria-hidden="true" />
          <span>{t('new')}</span>
        </Link>
      </div>
      <UpcomingNotice upcoming={upcomingOf(versions, current)} text="upcoming" />
      <ProposedPlans />
      <PlanSections document={current.document} />
      <section className="card">
        <h2 className="table-title">{t('versions')}</h2>
        <VersionsTable versions={versions} />
      </section>
      <PlanCompare versions={versions} />
    </>
  )
}

const HOLD = [
  [120, 18],
  ['100%', 170],
] as const

function PlanSkeleton() {
  return (
    <>
      <div aria-busy="true">
        <Skeleton width={180} height={40} />
      </div>
      <div className="plan-sections">
        {['a', 'b', 'c', 'd'].map((key) => (
          <SkeletonCard key={key} bars={HOLD} />
        ))}
      </div>
    </>
  )
}

interface PlanEditorProps {
  current: PlanVersion
  upcoming: PlanVersion | undefined
  /** The earliest a version may start. */
  firstDay: string
  onLeave: () => void
}

function usePlanForm({ current, firstDay }: PlanEditorProps) {
  const base = current.document
  const form = useForm<PlanForm>({ defaultValues: formFrom(base, firstDay, formats) })
  const [proposal, setProposal] = useState<PlanProposal | null>(null)
  const [failure, setFailure] = useState<Failure | null>(null)
  const [sections, setSections] = useState<SectionErrors>({})

  const review = form.handleSubmit((values) => {
    setFailure(null)
    setSections({})
    setProposal({
      startsOn: values.startsOn,
      document: documentFrom(values, { base, region: region(), show: formats }),
    })
  })
  const refuse = (refused: Failure) => {
    setProposal(null)
    setFailure(refused)
    const found: SectionErrors = {}
    for (const { path, detail } of refused.fields ?? []) {
      const place = placeOf(path)
      if (place === null) continue
      if ('section' in place) found[place.section] = detail
      else form.setError(place.field, { message: detail })
    }
    if (refused.code === 'plan_starts_too_soon' && refused.detail !== undefined)
      form.setError('startsOn', { message: refused.detail })
    setSections(found)
  }
  return { form, proposal, failure, sections, review, refuse, stay: () => setProposal(null) }
}

/** A new version of the plan as a form; it begins as a copy of the one in force. */
export function PlanEditor(props: PlanEditorProps) {
  const { current, upcoming, firstDay, onLeave } = props
  const { t } = useTranslation('console/plan')
  const { form, proposal, failure, sections, review, refuse, stay } = usePlanForm(props)
  const top = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (failure !== null) top.current?.focus()
  }, [failure])
  useEffect(() => top.current?.focus({ preventScroll: true }), [])
  const day = formats.day(firstDay)
  const validateStart = (text: string) =>
    (isDay(text) && text >= firstDay) || t('edit.startsInvalid', { day })
  return (
    <FormProvider {...form}>
      <form className="page-stack" noValidate onSubmit={review}>
        <div className="stack-8" ref={top} tabIndex={-1}>
          <h2 className="detail-title">{t('edit.title')}</h2>
          <p className="muted">{t('edit.text', { version: current.version })}</p>
          <UpcomingNotice upcoming={upcoming} text="edit.upcoming" />
          <FailureNotice failure={failure} />
        </div>
        <PlanFields sections={sections} />
        <div className="card card-pad plan-foot">
          <Controller
            name="startsOn"
            control={form.control}
            rules={{ validate: validateStart }}
            render={({ field }) => (
              <DateField
                {...field}
                label={t('edit.starts')}
                min={firstDay}
                hint={t('edit.startsHint', { day })}
                error={form.formState.errors.startsOn?.message}
              />
            )}
          />
          <div className="plan-actions row-8 row-end">
            <Button onClick={onLeave}>{t('edit.cancel')}</Button>
            <Button type="submit" kind="primary">
              {t('edit.review')}
            </Button>
          </div>
        </div>
      </form>
      {proposal === null ? null : (
        <ReviewDialog
          current={current}
          proposal={proposal}
          onRefused={refuse}
          onClose={stay}
          onCreated={onLeave}
        />
      )}
    </FormProvider>
  )
}

interface ReviewDialogProps {
  current: PlanVersion
  proposal: PlanProposal
  onRefused: (failure: Failure) => void
  onClose: () => void
  onCreated: () => void
}

/** What a proposal would have paid: asked for as soon as it is reviewed. */
function useProposalPreview(
  document: Record<string, unknown>,
  isSame: boolean,
  onRefused: (failure: Failure) => void,
) {
  const [ask, asked] = usePreviewPlanMutation()
  const refuse = useRef(onRefused)
  refuse.current = onRefused
  useEffect(() => {
    if (isSame) return
    void ask(document).then(({ error }) => {
      if (error !== undefined) refuse.current(error as Failure)
    })
  }, [ask, document, isSame])
  const { data } = usePreview(asked.data === undefined ? null : String(asked.data.id))
  return data ?? asked.data
}

/** What a new version changes, before it is made. A refusal belongs to the form. */
function ReviewDialog({ current, proposal, onRefused, onClose, onCreated }: ReviewDialogProps) {
  const { t } = useTranslation('console/plan')
  const [send] = useCreatePlanMutation()
  const decided = useDecision(send)
  const changes = planDiff(current.document, proposal.document)
  const isSame = changes.length === 0
  const previewed = useProposalPreview(proposal.document, isSame, onRefused)
  const day = formats.day(proposal.startsOn)

  const create = async () => {
    const answer = await decided.decide(proposal, { what: t('confirm', { day }) })
    if (answer === null) return
    if (answer.data === undefined) return onRefused(answer.error as Failure)
    toast.success(answer.data.message)
    onCreated()
  }
  return (
    <DecisionDialog
      title={t('edit.reviewTitle', { day })}
      width={640}
      decision={decided}
      submit={isSame ? null : t('edit.confirm')}
      // What it changes is known before it can be proposed; where it could not be computed, that is said.
      impossible={previewed?.finished_at == null}
      back={t('edit.back')}
      onSubmit={() => void create()}
      onClose={onClose}
    >
      {isSame ? (
        <p>{t('edit.reviewNone', { version: current.version })}</p>
      ) : (
        <>
          <p className="muted">{t('edit.reviewText')}</p>
          <PlanDiff changes={changes} />
          <section className="stack-8 below-line">
            <h3>{t('preview.title')}</h3>
            {previewed === undefined ? (
              <Skeleton width="100%" height={120} />
            ) : (
              <PlanPreview preview={previewed} />
            )}
          </section>
        </>
      )}
    </DecisionDialog>
  )
}
