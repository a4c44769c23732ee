import type { PayoutRun } from '@aval/contract'
import { formatMicro } from '@aval/money'
import { type Ref, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isSome } from '../../../ui/amount.ts'
import { Button } from '../../../ui/Button.tsx'
import { Fact } from '../../../ui/Fact.tsx'
import { formats } from '../../../ui/format.ts'
import { IconAlertTriangle, IconChevronLeft } from '../../../ui/icons.ts'
import { Link } from '../../../ui/Link.tsx'
import { Name } from '../../../ui/Name.tsx'
import { PageHead } from '../../../ui/PageHead.tsx'
import { Loaded, SkeletonCard } from '../../../ui/States.tsx'
import { usePageTitle } from '../../../ui/usePageTitle.ts'
import { CopiedFact } from '../../shared/CopiedFact.tsx'
import { ReasonDialog } from '../../shared/DecisionForm.tsx'
import { ProposedDecision } from '../../shared/ProposedDecision.tsx'
import { placeLink } from '../../shared/place.ts'
import { quiet, useLive } from '../../shared/useLive.ts'
import { useDecideRunMutation, useRunQuery } from '../api.ts'
import { decisionsFor, isShort, isUnderWay, objectionsTo, prorataOf, type RunDecision } from '../runStages.ts'
import { RunDigest } from './RunDigest.tsx'
import { RunItems } from './RunItems.tsx'
import { Reasons, RunProgress, StageBadge, useRunName } from './RunParts.tsx'
import { Differences, RunReplays } from './RunReplays.tsx'

interface RunViewProps {
  id: number
  /** Something was decided a moment ago, and news is to be expected. */
  watching: boolean
  onDecided: (decision: RunDecision) => void
}

/** One run: where it stands, what an operator may do about it, and everything that explains it. */
export function RunView({ id, watching, onDecided }: RunViewProps) {
  const { t } = useTranslation('console/payout-runs')
  const query = useRunQuery(id, { refetchOnMountOrArgChange: true })
  const shown = quiet(query)
  const run = shown.data
  const [deciding, setDeciding] = useState<RunDecision | null>(null)
  const title = useRef<HTMLHeadingElement>(null)
  useLive(watching || (run !== undefined && (isUnderWay(run) || run.decision !== null)), query.refetch)

  // The link that led here, or the button that was pressed, is gone: the focus would be nowhere.
  const state = run?.state
  useEffect(() => {
    if (state !== undefined && document.activeElement === document.body)
      title.current?.focus({ preventScroll: true })
  }, [state])

  return (
    <>
      <Link to={placeLink('runs')} className="back-link">
        <IconChevronLeft size={16} stroke={1.8} aria-hidden="true" />
        <span>{t('back')}</span>
      </Link>
      {run === undefined ? <PageHead title={t('period')} /> : null}
      <Loaded query={shown} hold={<RunSkeleton />} card>
        {(run) => (
          <>
            <section className="card card-pad stack-14">
              <RunHead run={run} title={title} isStale={shown.isStale} />
              <HeldPanel run={run} onDecide={setDeciding} />
            </section>
            <RunFigures run={run} />
            {run.state === 'computing' ? null : (
              <>
                <RunDigest run={run} />
                <RunItems run={run} />
                <RunReplays run={run} />
              </>
            )}
          </>
        )}
      </Loaded>
      {run !== undefined && deciding !== null ? (
        <RunDecisionDialog
          run={run}
          decision={deciding}
          onClose={() => setDeciding(null)}
          onDecided={() => {
            setDeciding(null)
            onDecided(deciding)
          }}
        />
      ) : null}
    </>
  )
}

interface RunHeadProps {
  run: PayoutRun
  title: Ref<HTMLHeadingElement>
  isStale: boolean
}

function RunHead({ run, title, isStale }: RunHeadProps) {
  const { t } = useTranslation(['console/payout-runs', 'console/shared'])
  const { kind, period } = useRunName()(run)
  usePageTitle(`${kind} · ${period}`)
  return (
    <>
      <div className="run-title row-12">
        <h1 ref={title} tabIndex={-1} className="detail-title">
          <span>{`${kind} · `}</span>
          <span className="run-period">{period}</span>
        </h1>
        <StageBadge run={run} />
      </div>
      <RunProgress run={run} name={period} />
      {isStale ? <p className="muted small">{t('console/shared:stale')}</p> : null}
    </>
  )
}

const HOLD = [
  [90, 18],
  ['100%', 200],
] as const

function RunSkeleton() {
  return (
    <>
      <SkeletonCard bars={[[280, 28]]} />
      <div className="overview">
        <SkeletonCard bars={HOLD} />
        <SkeletonCard bars={HOLD} />
      </div>
    </>
  )
}

function HeldPanel({ run, onDecide }: { run: PayoutRun; onDecide: (decision: RunDecision) => void }) {
  const { t } = useTranslation('console/payout-runs')
  // A sealed run waits for its second computation, seconds as a rule.
  if (run.state !== 'held' && run.reasons.length === 0) return null
  const decisions = decisionsFor(run)
  const pool = run.kind === 'passive' ? 'profit' : 'commission'
  const share = isShort(run) ? prorataOf(run) : null
  return (
    <div className="held-panel stack-12">
      <h2 className="row-8">
        <IconAlertTriangle size={18} stroke={1.6} aria-hidden="true" />
        <span>{t(run.state === 'held' ? 'held.title' : 'held.sealed')}</span>
      </h2>
      <Reasons reasons={run.reasons} />
      {run.audit === null || run.audit.differences.length === 0 ? null : (
        <>
          <h3>{t('held.differences')}</h3>
          <Differences differences={run.audit.differences} />
        </>
      )}
      {share === null ? null : (
        <p className="muted">
          {`${t(`held.holds.${pool}`, {
            held: formats.money(formatMicro(share.paid)),
            total: formats.money(formatMicro(share.total)),
            missing: formats.money(formatMicro(share.rest)),
          })} ${t(decisions.includes('release') ? 'held.checksFirst' : 'held.goesOn')}`}
        </p>
      )}
      {run.decision === null ? null : <Proposed decision={run.decision} />}
      <div className="held-actions row-8">
        {isShort(run) ? (
          <Link className="button button-primary" to={placeLink('treasury', { pool })}>
            {t('held.fund')}
          </Link>
        ) : null}
        {decisions.map((decision) => (
          <Button key={decision} onClick={() => onDecide(decision)}>
            {t(`held.${decision}`)}
          </Button>
        ))}
      </div>
    </div>
  )
}

function Proposed({ decision }: { decision: NonNullable<PayoutRun['decision']> }) {
  const { t } = useTranslation('console/payout-runs')
  const what = decision.kind === 'run_prorate' ? 'run_prorate' : 'run_release'
  return <ProposedDecision decision={decision} what={t(`held.waits.${what}`)} />
}

function RunFigures({ run }: { run: PayoutRun }) {
  const { t } = useTranslation('console/payout-runs')
  return (
    <div className="overview">
      <section className="card card-pad">
        <h2>{t('detail.figures')}</h2>
        <dl className="figures run-figures">
          <Fact name={t('detail.items')}>{formats.count(run.items)}</Fact>
          <Fact name={t('detail.posted')}>{formats.count(run.posted)}</Fact>
          <Fact name={t('detail.total')}>{`${formats.exact(run.total)} USD`}</Fact>
          <Fact name={t('detail.payable')}>{`${formats.exact(run.payable)} USD`}</Fact>
          {isSome(run.missing) ? (
            <Fact name={t('detail.missing')}>{`${formats.exact(run.missing)} USD`}</Fact>
          ) : null}
          <Fact name={t('detail.notPaid')} note={t('detail.notPaidNote')}>
            {`${formats.exact(run.not_paid)} USD`}
          </Fact>
        </dl>
      </section>
      <Origin run={run} />
    </div>
  )
}

function Origin({ run }: { run: PayoutRun }) {
  const { t } = useTranslation('console/payout-runs')
  return (
    <section className="card card-pad">
      <h2>{t('detail.origin')}</h2>
      <dl className="figures">
        {run.rate === null ? null : <Fact name={t('detail.rate')}>{formats.exactPercent(run.rate)}</Fact>}
        <Fact name={t('detail.plan')}>
          <Link to={placeLink('plan')}>{run.plan_version}</Link>
        </Fact>
        <Fact name={t('detail.created')}>{formats.dateTime(run.created_at)}</Fact>
        <Fact name={t('detail.finished')}>
          {run.finished_at === null ? '–' : formats.dateTime(run.finished_at)}
        </Fact>
        {run.released_by === null ? null : (
          <Fact name={t('detail.releasedBy')}>
            <Name text={run.released_by} />
          </Fact>
        )}
      </dl>
      <Hash name={t('detail.inputHash')} value={run.input_hash} copy={t('detail.copyInput')} />
      <Hash name={t('detail.itemsHash')} value={run.items_hash} copy={t('detail.copyItems')} />
    </section>
  )
}

function Hash({ name, value, copy }: { name: string; value: string; copy: string }) {
  const { t } = useTranslation('console/payout-runs')
  return (
    <CopiedFact name={name} value={value} copy={copy} confirmation={t('detail.hashCopied')}>
      <p className="hash" translate="no">
        {value}
      </p>
    </CopiedFact>
  )
}

const LONGEST_NOTE = 200
const CONSEQUENCES = { release: OfRelease, prorate: OfProrata, cancel: OfCancelling }

interface RunDecisionDialogProps {
  run: PayoutRun
  decision: RunDecision
  onClose: () => void
  onDecided: () => void
}

/** Says exactly what a decision does, and carries it out. What was typed survives a refusal. */
function RunDecisionDialog({ run: latest, decision, onClose, onDecided }: RunDecisionDialogProps) {
  const { t } = useTranslation('console/payout-runs')
  const [send] = useDecideRunMutation()
  // What was read stays what is decided, while the page behind may learn of news.
  const [run] = useState(latest)
  const button = useConfirmText(run, decision)
  const Consequences = CONSEQUENCES[decision]
  const name = useRunName()(run)
  return (
    <ReasonDialog
      title={t(`decide.${decision}.title`)}
      width={520}
      send={send}
      what={t(`confirm.${decision}`, { run: `${name.kind} · ${name.period}` })}
      bodyOf={(note) => ({ id: run.id, decision, note })}
      reason={{ label: t('decide.note'), hint: t('decide.noteHint'), longest: LONGEST_NOTE }}
      submit={button.text}
      danger={decision === 'cancel'}
      impossible={button.impossible}
      onDecided={onDecided}
      onClose={onClose}
    >
      <Consequences run={run} />
    </ReasonDialog>
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
  return (
    <>
      <p>{t('decide.cancel.what', { amount: formats.money(run.total) })}</p>
      {run.kind === 'passive' ? (
        <p className="muted">
          <span>{t('decide.cancel.rate', { day: formats.day(run.period) })}</span>{' '}
          <Link to={placeLink('rates', { day: run.period })}>{t('decide.cancel.toRates')}</Link>
        </p>
      ) : (
        <p className="muted">{t('decide.cancel.same')}</p>
      )}
    </>
  )
}
