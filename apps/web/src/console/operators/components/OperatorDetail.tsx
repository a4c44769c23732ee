import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../ui/Button.tsx'
import { formats } from '../../../ui/format.ts'
import { IconDeviceDesktop, IconDeviceMobile } from '../../../ui/icons.ts'
import { Link } from '../../../ui/Link.tsx'
import { useAbilities } from '../../shared/abilities.ts'
import { ReasonDialog } from '../../shared/DecisionForm.tsx'
import { EndSessions } from '../../shared/EndSessions.tsx'
import { type OperatorAccount, useDismissOperatorMutation } from '../api.ts'
import { RoleDialog } from './RoleDialog.tsx'

const LONGEST = 200

/** What is open of an operator, and what an admin may do about it. */
export function OperatorDetail({ operator }: { operator: OperatorAccount }) {
  const { t } = useTranslation('console/operators')
  const { may } = useAbilities()
  const { sessions } = operator
  return (
    <div className="stack-14 row-detail">
      <h3>{t('sessions')}</h3>
      {sessions.length === 0 ? <p className="muted">{t('noSessions')}</p> : null}
      <ul className="stack-8">
        {sessions.map((session) => {
          const Icon = session.mobile ? IconDeviceMobile : IconDeviceDesktop
          const device = [session.browser, session.system].filter((name) => name !== null).join(' · ')
          return (
            <li key={session.started_at} className="row-8 operator-session">
              <Icon size={18} stroke={1.6} aria-hidden="true" />
              <span>{device === '' ? t('unknownDevice') : device}</span>
              <span className="muted small">{session.network}</span>
              <span className="muted small">
                {t('sessionSince', { at: formats.shortStamp(session.started_at) })}
              </span>
            </li>
          )
        })}
      </ul>
      <div className="row-8 operator-acts">
        {may('members.help') && sessions.length > 0 ? (
          <EndSessions member={operator.id} username={operator.username} />
        ) : null}
        {may('operators.manage') && !operator.self ? <AdminActs operator={operator} /> : null}
        {may('audit.read') ? (
          <Link to={`/operator/audit?who=${operator.id}`} className="small">
            {t('trail')}
          </Link>
        ) : null}
      </div>
      {operator.self && may('operators.manage') ? <p className="muted small">{t('ownAccount')}</p> : null}
    </div>
  )
}

function AdminActs({ operator }: { operator: OperatorAccount }) {
  const { t } = useTranslation('console/operators')
  const [asking, setAsking] = useState<'role' | 'dismiss' | null>(null)
  const [dismiss] = useDismissOperatorMutation()
  const close = () => setAsking(null)
  const { id, username } = operator
  if (operator.last_admin) return <p className="muted small">{t('lastAdminText')}</p>
  return (
    <>
      <Button size="small" disabled={operator.next_role !== null} onClick={() => setAsking('role')}>
        {t('changeRole.button')}
      </Button>
      <Button size="small" kind="danger" onClick={() => setAsking('dismiss')}>
        {t('dismiss.button')}
      </Button>
      {asking === 'role' ? <RoleDialog operator={operator} onClose={close} /> : null}
      {asking === 'dismiss' ? (
        <ReasonDialog
          title={t('dismiss.title', { username })}
          width={520}
          send={dismiss}
          what={t('dismiss.confirm', { username })}
          bodyOf={(reason) => ({ id, reason })}
          reason={{
            label: t('reason'),
            hint: t('reasonHint'),
            longest: LONGEST,
            missing: t('reasonMissing'),
          }}
          submit={t('dismiss.submit')}
          danger
          onDecided={close}
          onClose={close}
        >
          <ul className="stack-8 operators-list">
            <li>{t('dismiss.rights')}</li>
            <li>{t('dismiss.sessions', { count: operator.sessions.length })}</li>
            <li>{t('dismiss.back')}</li>
            {operator.approver === 'not_pinned' ? null : <li>{t('dismiss.key')}</li>}
            <li>{t('mailed')}</li>
          </ul>
        </ReasonDialog>
      ) : null}
    </>
  )
}
