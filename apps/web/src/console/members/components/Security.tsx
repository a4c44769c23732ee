import type { SecurityEventItem, SessionItem } from '@aval/contract'
import { useTranslation } from 'react-i18next'
import { type Column, column, TwoLines } from '../../../ui/DataTable.tsx'
import { formats } from '../../../ui/format.ts'
import { Name } from '../../../ui/Name.tsx'
import { useSecurityEventsOfMemberQuery, useSessionsOfMemberQuery } from '../api.ts'
import { MemberList } from './MemberList.tsx'

type Device = SessionItem['device']

function useDevice() {
  const { t } = useTranslation('console/members')
  return ({ browser, system }: Device): string => {
    const names = [browser, system].filter((name) => name !== null && name !== '')
    return names.length === 0 ? t('security.unknown') : names.join(' · ')
  }
}

/** Where a member is signed in, and what happened to the account. */
export function Security({ id }: { id: string }) {
  return (
    <>
      <Sessions id={id} />
      <Events id={id} />
    </>
  )
}

function Sessions({ id }: { id: string }) {
  const { t } = useTranslation('console/members')
  const deviceOf = useDevice()
  const columns: Column<SessionItem>[] = [
    column(t('security.device'), (row) => <TwoLines first={deviceOf(row.device)} second={row.ip} />),
    column(t('security.started'), (row) => formats.dateTime(row.started_at)),
    column(t('security.used'), (row) => formats.dateTime(row.last_used_at)),
    column(t('who.twoFactor'), (row) => t(row.two_factor ? 'yes' : 'no')),
  ]
  return (
    <MemberList
      id={id}
      of={useSessionsOfMemberQuery}
      at="sessions"
      titled
      caption={t('security.sessions')}
      columns={columns}
      rowKey={(row) => row.id}
      none={t('security.noSessions')}
    />
  )
}

type Kind = SecurityEventItem['kind']
type FailedTry = Extract<Kind, `${string}_failed`>

/** Failed tries are counted by the hour; everything else happened once. */
const isFailedTry = (kind: Kind): kind is FailedTry => kind.endsWith('_failed')

function Events({ id }: { id: string }) {
  const { t } = useTranslation(['console/members', 'console/shared'])
  const deviceOf = useDevice()
  const columns: Column<SecurityEventItem>[] = [
    column(t('security.what'), (row) => (
      <TwoLines
        first={
          isFailedTry(row.kind)
            ? t(`console/shared:failedTry.${row.kind}`, { count: row.count ?? 1 })
            : t(`console/shared:securityEvent.${row.kind}`)
        }
        second={
          row.previous === null && row.next === null ? (
            ''
          ) : (
            <Name text={`${row.previous ?? '–'} → ${row.next ?? '–'}`} />
          )
        }
      />
    )),
    column(t('date'), (row) => formats.dateTime(row.date)),
    column(t('security.device'), (row) => (
      <TwoLines first={row.by_operator ? t('security.byCompany') : deviceOf(row.device)} second={row.ip} />
    )),
  ]
  return (
    <MemberList
      id={id}
      of={useSecurityEventsOfMemberQuery}
      titled
      caption={t('security.events')}
      columns={columns}
      rowKey={(row) => `${row.kind} ${row.id}`}
      none={t('security.none')}
    />
  )
}
