import { SECURITY_EVENT_KINDS, type WithdrawalDossier } from '@aval/contract'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Address } from '../../../ui/Address.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Fact } from '../../../ui/Fact.tsx'
import { formats, shortHash } from '../../../ui/format.ts'
import { OutsideLink } from '../../../ui/OutsideLink.tsx'
import { Loaded, Skeleton } from '../../../ui/States.tsx'
import { ApprovalsLink } from '../../shared/ApprovalsLink.tsx'
import { EndSessions } from '../../shared/EndSessions.tsx'
import { useDossierQuery } from '../api.ts'

interface DossierProps {
  id: number
  onRefuse: () => void
}

export function Dossier({ id, onRefuse }: DossierProps) {
  const { t } = useTranslation('console/withdrawals')
  return (
    <Loaded query={useDossierQuery(id)} hold={<Skeleton width="100%" height={160} />} holdAgain>
      {(dossier) => (
        <div className="dossier stack-16">
          <div className="dossier-columns">
            <AboutWithdrawal dossier={dossier} />
            <AboutMember dossier={dossier} />
          </div>
          <SecurityEvents events={dossier.security_events} />
          <Transfers transfers={dossier.transfers} />
          {dossier.can_approve || dossier.can_refuse ? (
            <div className="row-8 row-end">
              {dossier.can_refuse ? (
                <Button kind="danger" onClick={onRefuse}>
                  {t('refuse')}
                </Button>
              ) : null}
              {dossier.can_approve ? <ApprovalsLink className="button button-primary" /> : null}
            </div>
          ) : null}
          {dossier.stage === 'requested' && !dossier.can_approve ? (
            <p className="muted small">{t('cannotApprove')}</p>
          ) : null}
        </div>
      )}
    </Loaded>
  )
}

interface FactsProps {
  title: string
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
  const { approvals, reason } = dossier
  return (
    <Facts title={t('dossier.withdrawal', { number: dossier.id })}>
      <Fact name={t('dossier.fromBalance')}>{formats.money(dossier.from_balance)}</Fact>
      <Fact name={t('dossier.fromPrincipal')}>{formats.money(dossier.from_principal)}</Fact>
      <Fact name={t('dossier.fee')}>{formats.money(dossier.fee)}</Fact>
      <Fact name={t('wallet')}>
        <Address value={dossier.wallet_address} />
      </Fact>
      {approvals.map((approval) => (
        <Fact key={approval.operator} name={t('dossier.approvedBy')}>
          {approval.operator} · {formats.shortStamp(approval.at)}
        </Fact>
      ))}
      {reason === null ? null : <Fact name={t('reason')}>{reason}</Fact>}
    </Facts>
  )
}

function AboutMember({ dossier }: { dossier: WithdrawalDossier }) {
  const { t } = useTranslation('console/withdrawals')
  const { member } = dossier
  return (
    <Facts
      title={t('dossier.member', { member: dossier.username })}
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
    </Facts>
  )
}

function SecurityEvents({ events }: { events: WithdrawalDossier['security_events'] }) {
  const { t } = useTranslation(['console/withdrawals', 'console/shared'])
  if (events.length === 0) return null
  // A kind that this page does not know yet must not show as a key.
  const nameOf = (text: string) => {
    const kind = SECURITY_EVENT_KINDS.find((known) => known === text)
    return t(kind === undefined ? 'console/shared:securityOther' : `console/shared:securityKind.${kind}`, {
      count: 1,
    })
  }
  return (
    <Facts title={t('dossier.security')}>
      {events.map((event) => (
        <Fact key={`${event.kind} ${event.at}`} name={nameOf(event.kind)}>
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
        {formats.shortStamp(transfer.prepared_at)} · {t('transfer.handed', { count: broadcasts })}
        {result === null ? '' : ` · ${result}`}
      </p>
      {reply === null ? null : <p className="muted small hash">{reply}</p>}
    </li>
  )
}
