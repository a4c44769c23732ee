import type { SessionItem } from '@aval/contract'
import { useQueryState } from 'nuqs'
import { useState } from 'react'
import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../../../../api/failure.ts'
import { Button } from '../../../../ui/Button.tsx'
import { type Column, PagedTable } from '../../../../ui/DataTable.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { formats } from '../../../../ui/format.ts'
import { IconDeviceDesktop, IconDeviceMobile } from '../../../../ui/icons.ts'
import { parseAsPage } from '../../../../ui/place.ts'
import { EmptyState } from '../../../../ui/States.tsx'
import { useFailureText } from '../../../../ui/useFailureText.ts'
import { useEndOtherSessionsMutation, useEndSessionMutation, useSessionsQuery } from '../api.ts'
import { isPhone, useDeviceName } from '../useDeviceName.ts'
import { CardTitle } from './CardTitle.tsx'

const TITLE = 'security-sessions'

/** Where the member is signed in, and the ways to end that. */
export function SessionsCard() {
  const { t } = useTranslation('identity/security')
  const [page, setPage] = useQueryState('sessions', parseAsPage)
  const list = useSessionsQuery(page)
  const hasOthers = (list.data?.count ?? 0) > 1
  return (
    <section className="card" aria-labelledby={TITLE}>
      <div className="security-list-head">
        <CardTitle id={TITLE} icon={<IconDeviceDesktop size={20} stroke={1.6} />} text={t('sessions.title')}>
          {hasOthers ? <EndOthers /> : null}
        </CardTitle>
        <p className="muted small">{t('sessions.text')}</p>
      </div>
      <PagedTable
        list={list}
        caption={t('sessions.title')}
        columns={useColumns()}
        rowKey={(row) => row.id}
        page={page}
        onPage={setPage}
        empty={<EmptyState text={t('sessions.empty')} />}
      />
    </section>
  )
}

function useColumns(): Column<SessionItem>[] {
  const { t } = useTranslation('identity/security')
  return [
    { key: 'device', header: t('sessions.device'), cell: (row) => <DeviceCell session={row} /> },
    {
      key: 'ip',
      header: t('sessions.ip'),
      cell: (row) => <span className="security-ip">{row.ip || '–'}</span>,
    },
    { key: 'started', header: t('sessions.started'), cell: (row) => formats.dateTime(row.started_at) },
    { key: 'used', header: t('sessions.used'), cell: (row) => formats.dateTime(row.last_used_at) },
    {
      key: 'end',
      header: t('sessions.action'),
      figure: true,
      cell: (row) =>
        row.current ? <span className="muted">{t('sessions.here')}</span> : <EndOne session={row} />,
    },
  ]
}

function DeviceCell({ session }: { session: SessionItem }) {
  const { t } = useTranslation('identity/security')
  const nameOf = useDeviceName()
  const Icon = isPhone(session.device) ? IconDeviceMobile : IconDeviceDesktop
  return (
    <span className="security-device">
      <Icon size={18} stroke={1.5} aria-hidden="true" />
      <span>{nameOf(session.device)}</span>
      {session.current ? <span className="badge badge-ok">{t('sessions.current')}</span> : null}
    </span>
  )
}

/** The row is gone afterwards, so the focus goes to the heading above it. */
const focusTitle = () => document.getElementById(TITLE)?.focus()

function EndOne({ session }: { session: SessionItem }) {
  const { t } = useTranslation('identity/security')
  const sayFailure = useFailureText()
  const nameOf = useDeviceName()
  const [end, { isLoading }] = useEndSessionMutation()
  const press = async () => {
    const answer = await end(session.id)
    if (answer.error !== undefined) return toast.error(sayFailure(answer.error as Failure))
    toast.success(answer.data.message)
    focusTitle()
  }
  return (
    <Button
      size="small"
      busy={isLoading}
      aria-label={t('sessions.endNamed', { device: nameOf(session.device) })}
      onClick={() => void press()}
    >
      {t('sessions.end')}
    </Button>
  )
}

function EndOthers() {
  const { t } = useTranslation('identity/security')
  const sayFailure = useFailureText()
  const [asking, setAsking] = useState(false)
  const [end, { isLoading }] = useEndOtherSessionsMutation()
  const confirm = async () => {
    const answer = await end()
    setAsking(false)
    if (answer.error !== undefined) return toast.error(sayFailure(answer.error as Failure))
    toast.success(answer.data.message)
    focusTitle()
  }
  return (
    <>
      <Button size="small" className="security-others" onClick={() => setAsking(true)}>
        {t('sessions.endOthers')}
      </Button>
      {asking ? (
        <Dialog title={t('sessions.endOthers')} onClose={() => setAsking(false)} width={420}>
          <p className="muted">{t('sessions.endOthersText')}</p>
          <div className="security-actions security-choice">
            <Button onClick={() => setAsking(false)}>{t('cancel')}</Button>
            <Button kind="danger" busy={isLoading} onClick={() => void confirm()}>
              {t('sessions.endOthers')}
            </Button>
          </div>
        </Dialog>
      ) : null}
    </>
  )
}
