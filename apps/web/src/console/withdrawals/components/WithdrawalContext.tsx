import type { QueuedWithdrawal, WithdrawalDossier } from '@aval/contract'
import type { TFunction } from 'i18next'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Address } from '../../../ui/Address.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Fact } from '../../../ui/Fact.tsx'
import { formats, shortHash } from '../../../ui/format.ts'
import { IconChevronLeft, IconX } from '../../../ui/icons.ts'
import { Link } from '../../../ui/Link.tsx'
import { Money } from '../../../ui/Money.tsx'
import { Name } from '../../../ui/Name.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { OutsideLink } from '../../../ui/OutsideLink.tsx'
import { Loaded, Skeleton } from '../../../ui/States.tsx'
import { ApprovalsLink } from '../../shared/ApprovalsLink.tsx'
import { DueMark } from '../../shared/DueMark.tsx'
import { EndSessions } from '../../shared/EndSessions.tsx'
import { memberLink } from '../../shared/place.ts'
import { quiet, STANDBY, usePolling } from '../../shared/useLive.ts'
import { useDossierQuery } from '../api.ts'
import { Risks } from './Risks.tsx'

interface WithdrawalContextProps {
  id: number
  /** The list without it. */
  back: string
  /** Left out where the operator may refuse none. */
  onRefuse: ((row: QueuedWithdrawal) => void) | undefined
}

/** One withdrawal, and what speaks for it and against it: what the member has done, and what happened to the account. */
export function WithdrawalContext({ id, back, onRefuse }: WithdrawalContextProps) {
  const { t } = useTranslation('console/withdrawals')
  const shown = quiet(useDossierQuery(id, usePolling(STANDBY)))
  return (
    <section className="context card" aria-labelledby="withdrawal-title">
      <Link to={back} className="back-link beside-back">
        <IconChevronLeft size={16} stroke={1.8} aria-hidden="true" />
        <span>{t('back')}</span>
      </Link>
      <div className="context-head row-12 row-apart one-line">
        <ContextTitle id={id} />
        <Link to={back} className="icon-button" aria-label={t('closeContext')}>
          <IconX size={18} stroke={1.6} />
        </Link>
      </div>
      <Loaded query={shown} hold={<Skeleton width="100%" height={320} />} holdAgain>
        {(dossier) => (
          <div className="stack-16">
            <Decided dossier={dossier} />
            {dossier.risks.length === 0 ? null : <Risks marks={dossier.risk_marks} />}
            <AboutWithdrawal dossier={dossier} />
            <AboutDay dossier={dossier} />
            <AboutMember dossier={dossier} />
            <SecurityEvents events={dossier.security_events} />
            <Transfers transfers={dossier.transfers} />
            <Decide dossier={dossier} onRefuse={onRefuse} />
          </div>
        )}
      </Loaded>
    </section>
  )
}

function ContextTitle({ id }: { id: number }) {
  const { t } = useTranslation('console/withdrawals')
  const title = useRef<HTMLHeadingElement>(null)
  // Where it takes the place of the list, the link that led here is gone: the focus would be nowhere.
  useEffect(() => {
    const { activeElement } = document
    const isGone =
      activeElement === document.body || (activeElement as HTMLElement | null)?.offsetParent === null
    if (isGone) title.current?.focus({ preventScroll: true })
  }, [])
  return (
    <h2 id="withdrawal-title" ref={title} tabIndex={-1}>
      {t('dossier.withdrawal', { number: id })}
    </h2>
  )
}

/** Who decided it, and when: it may have been another operator, a moment ago. */
function Decided({ dossier }: { dossier: WithdrawalDossier }) {
  const { t } = useTranslation('console/withdrawals')
  const { stage, refused_by: operator, timeline, reason } = dossier
  const at = timeline.at(-1)?.at
  const time = at === undefined ? '–' : formats.shortStamp(at)
  if (stage === 'refused' || stage === 'cancelled' || stage === 'failed')
    return (
      <Notice kind="bad">
        <span>{t(`decided.${stage}`, { operator: operator ?? '–', time })}</span>
        {reason === null ? null : <span className="muted">{` ${reason}`}</span>}
      </Notice>
    )
  if (stage === 'completed') return <Notice kind="ok">{t('decided.completed', { time })}</Notice>
  return null
}

interface DecideProps {
  dossier: WithdrawalDossier
  onRefuse: WithdrawalContextProps['onRefuse']
}

function Decide({ dossier, onRefuse }: DecideProps) {
  const { t } = useTranslation('console/withdrawals')
  const canRefuse = dossier.can_refuse && onRefuse !== undefined
  return (
    <>
      {dossier.stage === 'requested' && !dossier.can_approve ? (
        <p className="muted small">{t('cannotApprove')}</p>
      ) : null}
      {dossier.can_approve || canRefuse ? (
        <div className="context-acts row-8 row-end">
          {canRefuse ? (
            <Button kind="danger" onClick={() => onRefuse(dossier)}>
              {t('refuse')}
            </Button>
          ) : null}
          {dossier.can_approve ? (
            <ApprovalsLink className="button button-primary" withdrawals={[dossier.id]} />
          ) : null}
        </div>
      ) : null}
    </>
  )
}

interface FactsProps {
  title: ReactNode
  children: ReactNode
  /** What can be done about it, below the facts. */
  action?: ReactNode
}

function Facts({ title, children, action }: FactsProps) {
  return (
    <section className="dossier-part stack-6">
      <h3>{title}</h3>
      <dl className="figures">{children}</dl>
      {action === undefined ? null : <div className="row-8 row-end">{action}</div>}
    </section>
  )
}

function AboutWithdrawal({ dossier }: { dossier: WithdrawalDossier }) {
  const { t } = useTranslation('console/withdrawals')
  const { approvals, wallet_since: since } = dossier
  // The signer counts what was asked for within 24 hours together.
  const needed = Math.max(dossier.approvals_needed, dossier.day.operators)
  return (
    <dl className="figures">
      <Fact name={t('amount')}>
        <Money amount={dossier.amount} />
      </Fact>
      <Fact name={t('date')}>
        <span>{formats.shortStamp(dossier.date)}</span>
        <DueMark row={dossier} />
      </Fact>
      <Fact name={t('dossier.arrives')}>{`${formats.exact(dossier.arrives)} USDT`}</Fact>
      <Fact name={t('dossier.fromBalance')}>{formats.money(dossier.from_balance)}</Fact>
      <Fact name={t('dossier.fromPrincipal')}>{formats.money(dossier.from_principal)}</Fact>
      <Fact
        name={t('wallet')}
        note={since === null ? t('walletUnknown') : t('walletSince', { date: formats.date(since) })}
      >
        <Address value={dossier.wallet_address} />
      </Fact>
      {dossier.stage === 'requested' ? (
        <Fact name={t('dossier.approvals')}>{t('dossier.given', { given: approvals.length, needed })}</Fact>
      ) : null}
      {approvals.map((approval) => (
        <Fact key={approval.operator} name={t('dossier.approvedBy')}>
          {`${approval.operator} · ${formats.shortStamp(approval.at)}`}
        </Fact>
      ))}
    </dl>
  )
}

/** What counts together, and how many operators that takes. */
function AboutDay({ dossier: { day } }: { dossier: WithdrawalDossier }) {
  const { t } = useTranslation('console/withdrawals')
  return (
    <section className="box stack-6">
      <h3>{t('day.title')}</h3>
      <p className="row-8 row-apart">
        <Money amount={day.amount} />
        <span className="muted small">{t('day.count', { count: day.count })}</span>
      </p>
      <p className="small">
        <span>{`${t('day.operators', { count: day.operators })} ${day.count > 1 ? `${t('day.together')} ` : ''}`}</span>
        {day.more_from === null ? null : (
          <span className="muted">{t('day.more', { amount: formats.money(day.more_from) })}</span>
        )}
      </p>
    </section>
  )
}

function AboutMember({ dossier }: { dossier: WithdrawalDossier }) {
  const { t } = useTranslation('console/withdrawals')
  const { member, same_wallet: others } = dossier
  return (
    <Facts
      title={
        <Link to={memberLink(dossier.member_id)}>{t('dossier.member', { member: dossier.username })}</Link>
      }
      action={<EndSessions member={dossier.member_id} username={dossier.username} />}
    >
      <Fact name={t('dossier.joined')}>{formats.date(member.joined_at)}</Fact>
      <Fact name={t('dossier.principal')}>{formats.money(member.principal)}</Fact>
      <Fact name={t('dossier.balance')}>{formats.money(member.balance)}</Fact>
      <Fact name={t('dossier.invested')}>{formats.money(member.invested)}</Fact>
      <Fact name={t('dossier.earned')}>{formats.money(member.earned)}</Fact>
      <Fact name={t('dossier.withdrawn', { count: member.withdrawals })}>
        {formats.money(member.withdrawn)}
      </Fact>
      <Fact name={t('dossier.twoFactor')}>{t(member.two_factor ? 'dossier.on' : 'dossier.off')}</Fact>
      <Fact name={t('dossier.cooling')}>
        {member.cools_until === null ? t('dossier.coolingNone') : coolingText(member.cools_until, t)}
      </Fact>
      {member.sponsor === null || member.sponsor_id === null ? null : (
        <Fact name={t('dossier.sponsor')}>
          <Link to={memberLink(member.sponsor_id)}>
            <Name text={member.sponsor} />
          </Link>
        </Fact>
      )}
      {others.length === 0 ? null : (
        <Fact name={t('dossier.sameWallet')}>
          <span className="context-others">
            {others.map((other) => (
              <Link key={other.member_id} to={memberLink(other.member_id)}>
                <Name text={other.username} />
              </Link>
            ))}
          </span>
        </Fact>
      )}
    </Facts>
  )
}

/** The year 9999: until the password is reset. */
const NEVER = '9999'
const coolingText = (until: string, t: TFunction<'console/withdrawals'>) =>
  until.startsWith(NEVER) ? t('dossier.coolingLocked') : formats.shortStamp(until)

/** As many as are looked at before the rest is asked for. */
const FIRST_EVENTS = 5

function SecurityEvents({ events }: { events: WithdrawalDossier['security_events'] }) {
  const { t } = useTranslation(['console/withdrawals', 'console/shared'])
  const [all, setAll] = useState(false)
  if (events.length === 0) return null
  const shown = all ? events : events.slice(0, FIRST_EVENTS)
  const more = events.length - shown.length
  return (
    <Facts
      title={t('dossier.security')}
      action={
        more === 0 ? undefined : (
          <Button size="small" kind="quiet" onClick={() => setAll(true)}>
            {t('dossier.moreEvents', { count: more })}
          </Button>
        )
      }
    >
      {shown.map((event) => (
        <Fact key={`${event.kind} ${event.at}`} name={t(`console/shared:securityEvent.${event.kind}`)}>
          {formats.shortStamp(event.at)}
        </Fact>
      ))}
    </Facts>
  )
}

type Transfer = WithdrawalDossier['transfers'][number]

const BADGES: Record<Transfer['state'], string> = {
  prepared: '',
  signed: 'badge-wait',
  settled: 'badge-ok',
  failed: 'badge-bad',
  expired: 'badge-bad',
}

/** The transfers made for a withdrawal, newest first: never two that could both arrive. */
function Transfers({ transfers }: { transfers: readonly Transfer[] }) {
  const { t } = useTranslation('console/withdrawals')
  if (transfers.length === 0) return null
  return (
    <section className="dossier-part stack-6">
      <h3>{t('dossier.transfers')}</h3>
      <ul className="stack-8">
        {transfers.map((transfer) => (
          <TransferRow key={transfer.txid} transfer={transfer} />
        ))}
      </ul>
    </section>
  )
}

function TransferRow({ transfer }: { transfer: Transfer }) {
  const { t } = useTranslation('console/withdrawals')
  const { state, txid, reply, result, broadcasts, explorer_url: link } = transfer
  return (
    <li className="box stack-6">
      <div className="card-head">
        <OutsideLink href={link}>{shortHash(txid)}</OutsideLink>
        <span className={`badge ${BADGES[state]}`}>{t(`transfer.${state}`)}</span>
      </div>
      <p className="muted small">
        {`${formats.shortStamp(transfer.prepared_at)} · ${t('transfer.handed', { count: broadcasts })}${result === null ? '' : ` · ${result}`}`}
      </p>
      {reply === null ? null : <p className="muted small hash">{reply}</p>}
    </li>
  )
}
