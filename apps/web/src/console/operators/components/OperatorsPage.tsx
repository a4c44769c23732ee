import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../ui/Button.tsx'
import { type Column, column, DataTable, TwoLines } from '../../../ui/DataTable.tsx'
import { formats } from '../../../ui/format.ts'
import { IconPlus } from '../../../ui/icons.ts'
import { Name } from '../../../ui/Name.tsx'
import { Loaded, SkeletonCard } from '../../../ui/States.tsx'
import { useAbilities } from '../../shared/abilities.ts'
import { quiet, usePolling } from '../../shared/useLive.ts'
import { type OperatorAccount, useOperatorsQuery } from '../api.ts'
import { AbilitiesCard } from './AbilitiesCard.tsx'
import { InvitationsCard } from './InvitationsCard.tsx'
import { InviteDialog } from './InviteDialog.tsx'
import { OperatorDetail } from './OperatorDetail.tsx'
import './operators.css'

/** Sessions come and go, and the worker applies what was asked for. */
const EVERY = 5000

/** Who works for the company, whom admins invited, and what each role may do. */
export function OperatorsPage() {
  const { t } = useTranslation(['console/operators', 'console/shared'])
  const { may } = useAbilities()
  const query = quiet(useOperatorsQuery(undefined, usePolling(EVERY)))
  const [inviting, setInviting] = useState(false)
  const columns = useColumns()
  const hold = (
    <SkeletonCard
      bars={[
        [220, 24],
        ['100%', 180],
      ]}
    />
  )
  return (
    <Loaded query={query} hold={hold} card>
      {({ operators, invitations, key_file: file }) => (
        <>
          <section className="card">
            <div className="row-8 row-apart operators-head">
              <h2>{t('title')}</h2>
              {may('operators.manage') ? (
                <Button
                  kind="primary"
                  icon={<IconPlus size={18} stroke={1.7} />}
                  onClick={() => setInviting(true)}
                >
                  {t('invite.button')}
                </Button>
              ) : null}
            </div>
            {query.isStale ? <p className="stale muted small">{t('console/shared:stale')}</p> : null}
            <DataTable
              caption={t('title')}
              columns={columns}
              rows={operators}
              rowKey={(row) => row.id}
              detail={(row) => <OperatorDetail operator={row} />}
            />
            <p className="muted small operators-note">
              {`${
                file === null
                  ? t('keyFile.never')
                  : t('keyFile.noted', { version: file.version, at: formats.dateTime(file.noted_at) })
              } ${t('keyFile.how')}`}
            </p>
          </section>
          <InvitationsCard invitations={invitations} />
          <AbilitiesCard />
          {inviting ? <InviteDialog onClose={() => setInviting(false)} /> : null}
        </>
      )}
    </Loaded>
  )
}

function useColumns(): Column<OperatorAccount>[] {
  const { t } = useTranslation(['console/operators', 'console/shared'])
  return [
    column(t('who'), (row) => (
      <TwoLines
        first={
          <>
            <Name text={row.username} />
            {row.self ? <span className="faint">{` ${t('you')}`}</span> : null}
          </>
        }
        second={<Name text={row.name === '' ? row.email : row.name} />}
      />
    )),
    column(t('role'), (row) => (
      <TwoLines
        first={<strong>{t(`console/shared:role.${row.role}`)}</strong>}
        second={
          row.next_role === null
            ? row.last_admin
              ? t('lastAdmin')
              : row.since === null
                ? ''
                : t('since', { date: formats.date(row.since) })
            : t('becomes', { role: t(`console/shared:role.${row.next_role}`) })
        }
      />
    )),
    column(t('seen'), (row) => (
      <TwoLines
        first={row.last_seen_at === null ? t('never') : formats.shortStamp(row.last_seen_at)}
        second={t('sessionCount', { count: row.sessions.length })}
      />
    )),
    column(t('approves'), (row) => (
      <span className={row.approver === 'pinned' ? 'badge badge-ok' : 'badge'}>
        {t(`approver.${row.approver}`)}
      </span>
    )),
  ]
}
