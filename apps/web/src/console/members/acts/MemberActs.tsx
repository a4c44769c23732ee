import type { Ability, MemberActs as Acts } from '@aval/contract'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../ui/Button.tsx'
import { formats } from '../../../ui/format.ts'
import { IconAlertTriangle, IconLock } from '../../../ui/icons.ts'
import { Notice } from '../../../ui/Notice.tsx'
import { Loaded, Skeleton } from '../../../ui/States.tsx'
import { useAbilities } from '../../shared/abilities.ts'
import { EndSessions } from '../../shared/EndSessions.tsx'
import { Waiting } from '../../shared/Waiting.tsx'
import './acts.css'
import { useMemberActsQuery } from './api.ts'
import {
  type ActOn,
  CloseDialog,
  EmailDialog,
  EndReleaseDialog,
  FreezeDialog,
  FundatorDialog,
  PhoneDialog,
  ReleaseDialog,
} from './dialogs.tsx'
import { PointsDialog } from './Points.tsx'
import { ViewDialog } from './ViewDialog.tsx'

interface MemberActsProps {
  memberId: number
  username: string
}

/** Everything that operators can do to a member, each with what it means. */
export function MemberActs({ memberId, username }: MemberActsProps) {
  const { t } = useTranslation('console/members/acts')
  return (
    <section className="card card-pad acts" aria-label={t('title')}>
      <h2 className="acts-title">{t('title')}</h2>
      <Loaded query={useMemberActsQuery(memberId)} hold={<Skeleton width="100%" height={320} />}>
        {(acts) => <List acts={acts} member={memberId} username={username} />}
      </Loaded>
    </section>
  )
}

interface ListProps {
  acts: Acts
  member: number
  username: string
}

function List({ acts, member, username }: ListProps) {
  const { t } = useTranslation('console/members/acts')
  if (acts.closed) return <p className="muted">{t('closed')}</p>
  return (
    <>
      {acts.frozen === null ? null : (
        <Notice kind="wait" icon={IconLock}>
          {t('frozen', {
            by: acts.frozen.by,
            at: formats.shortStamp(acts.frozen.at),
            reason: acts.frozen.reason,
          })}
        </Notice>
      )}
      {acts.own || acts.above ? (
        <Notice icon={IconAlertTriangle}>{t(acts.own ? 'own' : 'above')}</Notice>
      ) : (
        <ul className="acts-list">
          <Rows acts={acts} member={member} username={username} />
        </ul>
      )}
    </>
  )
}

type DialogName =
  | 'freeze'
  | 'view'
  | 'fundator'
  | 'points'
  | 'email'
  | 'phone'
  | 'release'
  | 'agree'
  | 'refuse'
  | 'close'

function Rows({ acts, member, username }: ListProps) {
  const { t } = useTranslation('console/members/acts')
  const [open, setOpen] = useState<DialogName | null>(null)
  const dialog: ActOn = { acts, member, username, onClose: () => setOpen(null) }
  const opens: Opens = (name, label, danger = false) => (
    <Button size="small" kind={danger ? 'danger' : 'secondary'} onClick={() => setOpen(name)}>
      {label}
    </Button>
  )
  const frozen = acts.frozen !== null
  const isMember = !acts.operator
  return (
    <>
      <Row ability="members.impersonate" name={t('view.name')} state={t('view.state')} isThere={isMember}>
        {opens('view', t('view.button'))}
      </Row>
      <Row ability="members.freeze" name={t('freeze.name')} state={t(frozen ? 'freeze.on' : 'freeze.off')}>
        {opens('freeze', t(frozen ? 'unfreeze.submit' : 'freeze.submit'), !frozen)}
      </Row>
      <Row
        ability="members.terms"
        name={t('fundator.name')}
        state={t(acts.fundator ? 'fundator.is' : 'fundator.isNot', { count: acts.masters })}
      >
        <Waiting subject={`fundator:${member}`} what={t(acts.fundator ? 'fundator.off' : 'fundator.on')}>
          {opens('fundator', t(acts.fundator ? 'fundator.off' : 'fundator.on'))}
        </Waiting>
      </Row>
      <Row
        ability="members.terms"
        name={t('points.name')}
        state={t('points.state', {
          count: Number(acts.extra_percent),
          percent: formats.decimal(acts.extra_percent),
        })}
      >
        <Waiting subject={`extra_percent:${member}`} what={t('points.name')}>
          {opens('points', t('change'))}
        </Waiting>
      </Row>
      <Row ability="members.help" name={t('email.name')} state={acts.email} isThere={isMember}>
        {opens('email', t('correct'))}
      </Row>
      <Row
        ability="members.help"
        name={t('phone.name')}
        state={acts.phone || t('phone.none')}
        isThere={isMember}
      >
        {opens('phone', t('correct'))}
      </Row>
      <Row ability="members.help" name={t('sessions')} state={t('sessionsOpen', { count: acts.sessions })}>
        <EndSessions member={member} username={username} />
      </Row>
      <LastRows acts={acts} opens={opens} />
      <Opened name={open} {...dialog} />
    </>
  )
}

type Opens = (name: DialogName, label: string, danger?: boolean) => ReactNode

/** What a member seldom needs, and cannot take back. */
function LastRows({ acts, opens }: { acts: Acts; opens: Opens }) {
  const { t } = useTranslation('console/members/acts')
  const isMember = !acts.operator
  return (
    <>
      <Row
        ability="members.release"
        name={t('release.name')}
        state={<ReleaseState acts={acts} />}
        isThere={isMember && acts.second_factor}
      >
        {acts.release === null ? (
          opens('release', t('release.submit'))
        ) : (
          <>
            {opens('refuse', t(acts.release.own ? 'release.withdraw' : 'release.refuse'))}
            {acts.release.own ? null : opens('agree', t('release.agree'), true)}
          </>
        )}
      </Row>
      <Row
        ability="members.close"
        name={t('close.name')}
        state={t(acts.closing.left.length === 0 ? 'close.empty' : 'close.notEmpty')}
        isThere={acts.closing.refused === null}
      >
        {opens('close', t('close.submit'), true)}
      </Row>
    </>
  )
}

function Opened({ name, ...dialog }: ActOn & { name: DialogName | null }) {
  switch (name) {
    case null:
      return null
    case 'freeze':
      return <FreezeDialog {...dialog} />
    case 'view':
      return <ViewDialog {...dialog} />
    case 'fundator':
      return <FundatorDialog {...dialog} />
    case 'points':
      return <PointsDialog {...dialog} />
    case 'email':
      return <EmailDialog {...dialog} />
    case 'phone':
      return <PhoneDialog {...dialog} />
    case 'release':
      return <ReleaseDialog {...dialog} />
    case 'agree':
      return <EndReleaseDialog {...dialog} agrees />
    case 'refuse':
      return <EndReleaseDialog {...dialog} agrees={false} />
    case 'close':
      return <CloseDialog {...dialog} />
    default:
      return name satisfies never
  }
}

interface RowProps {
  ability: Ability
  name: string
  state: ReactNode
  /** False where the account is of a kind that this is not done to. */
  isThere?: boolean
  children: ReactNode
}

/** One act: what it is about, how it stands, and the way to do it. Left out for roles that may not. */
function Row({ ability, name, state, isThere = true, children }: RowProps) {
  const { may } = useAbilities()
  if (!isThere || !may(ability)) return null
  return (
    <li className="acts-row">
      <div>
        <span className="acts-name">{name}</span>
        <span className="acts-state muted small">{state}</span>
      </div>
      <div className="acts-buttons row-8 row-end">{children}</div>
    </li>
  )
}

function ReleaseState({ acts: { release } }: { acts: Acts }) {
  const { t } = useTranslation('console/members/acts')
  if (release === null) return <span>{t('release.on')}</span>
  return <span>{t('release.waits', { by: release.by, until: formats.shortStamp(release.ends_at) })}</span>
}
