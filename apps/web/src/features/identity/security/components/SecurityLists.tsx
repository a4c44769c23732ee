import type { SecurityEventItem, SessionItem } from '@aval/contract'
import { useQueryState } from 'nuqs'
import { type ComponentType, useState } from 'react'
import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../../../../api/failure.ts'
import { Address } from '../../../../ui/Address.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { type Column, column, figureColumn, PagedTable } from '../../../../ui/DataTable.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { Fact } from '../../../../ui/Fact.tsx'
import {
  IconAlertTriangle,
  IconDeviceDesktop,
  IconDeviceMobile,
  IconDownload,
  IconFingerprint,
  IconHistory,
  IconKey,
  IconLogout,
  IconMail,
  type IconProps,
  IconShieldCheck,
  IconUser,
  IconUsers,
  IconWallet,
  IconX,
} from '../../../../ui/icons.ts'
import { Name } from '../../../../ui/Name.tsx'
import { parseAsPage } from '../../../../ui/place.ts'
import { EmptyState } from '../../../../ui/States.tsx'
import { useFailureText } from '../../../../ui/useFailureText.ts'
import { focusHeading, SecurityListCard } from '../../SecurityCard.tsx'
import { When } from '../../When.tsx'
import {
  useEndOtherSessionsMutation,
  useEndSessionMutation,
  useSecurityEventsQuery,
  useSessionsQuery,
} from '../api.ts'

const SESSIONS = 'security-sessions'

export function SessionsCard() {
  const { t } = useTranslation('identity/security')
  const [page, setPage] = useQueryState('sessions', parseAsPage)
  const list = useSessionsQuery(page)
  const hasOthers = (list.data?.count ?? 0) > 1
  const isOperator = list.data?.results.some((row) => row.operator) === true
  return (
    <SecurityListCard
      id={SESSIONS}
      icon={IconDeviceDesktop}
      title={t('sessions.title')}
      action={hasOthers ? <EndOthers /> : null}
      text={t('sessions.text')}
      note={isOperator ? t('sessions.operatorNote') : null}
    >
      <PagedTable
        list={list}
        caption={t('sessions.title')}
        columns={useSessionColumns()}
        rowKey={(row) => row.id}
        page={page}
        onPage={setPage}
        empty={<EmptyState text={t('sessions.empty')} />}
      />
    </SecurityListCard>
  )
}

function useSessionColumns(): Column<SessionItem>[] {
  const { t } = useTranslation('identity/security')
  return [
    column(t('sessions.device'), (row) => <DeviceCell session={row} />),
    column(t('sessions.ip'), (row) => <Ip text={row.ip || '–'} />),
    column(t('sessions.started'), (row) => <When at={row.started_at} />),
    column(t('sessions.used'), (row) => <When at={row.last_used_at} />),
    figureColumn(t('sessions.action'), (row) =>
      row.current ? <span className="muted">{t('sessions.here')}</span> : <EndOne session={row} />,
    ),
  ]
}

/** One of four numbers stays whole; a longer one breaks at its colons. */
function Ip({ text }: { text: string }) {
  const isShort = /^[\d.]+$/.test(text)
  return (
    <span className="security-ip" data-short={isShort}>
      {isShort ? text : <Name text={text} />}
    </span>
  )
}

function DeviceCell({ session }: { session: SessionItem }) {
  const { t } = useTranslation('identity/security')
  const nameOf = useDeviceName()
  const Icon = isPhone(session.device) ? IconDeviceMobile : IconDeviceDesktop
  return (
    <span className="row-8 security-device">
      <Icon size={18} stroke={1.5} aria-hidden="true" />
      <span>{nameOf(session.device)}</span>
      {session.current ? <span className="badge badge-ok">{t('sessions.current')}</span> : null}
      {session.operator ? <span className="badge badge-accent">{t('sessions.operator')}</span> : null}
    </span>
  )
}

function EndOne({ session }: { session: SessionItem }) {
  const { t } = useTranslation('identity/security')
  const sayFailure = useFailureText()
  const nameOf = useDeviceName()
  const [end, { isLoading }] = useEndSessionMutation()
  const press = async () => {
    const answer = await end(session.id)
    if (answer.error !== undefined) return toast.error(sayFailure(answer.error as Failure))
    toast.success(answer.data.message)
    focusHeading(SESSIONS)
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
    focusHeading(SESSIONS)
  }
  return (
    <>
      <Button size="small" className="security-others" onClick={() => setAsking(true)}>
        {t('sessions.endOthers')}
      </Button>
      {asking ? (
        <Dialog title={t('sessions.endOthers')} onClose={() => setAsking(false)} width={420}>
          <p className="muted">{t('sessions.endOthersText')}</p>
          <div className="row-16 row-end security-choice">
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

const EVENTS = 'security-events'

const ICONS: Readonly<Record<SecurityEventItem['kind'], ComponentType<IconProps>>> = {
  wallet_changed: IconWallet,
  email_changed: IconMail,
  password_changed: IconKey,
  password_reset: IconKey,
  two_factor_on: IconShieldCheck,
  two_factor_off: IconShieldCheck,
  recovery_code_used: IconShieldCheck,
  recovery_codes_renewed: IconShieldCheck,
  signed_in_new: IconDeviceDesktop,
  sessions_ended: IconLogout,
  not_me: IconAlertTriangle,
  fundator_on: IconUsers,
  fundator_off: IconUsers,
  passkey_added: IconFingerprint,
  passkey_removed: IconFingerprint,
  passkey_refused: IconAlertTriangle,
  passkey_only_on: IconFingerprint,
  passkey_only_off: IconFingerprint,
  passkey_only_replaced: IconFingerprint,
  passkey_only_lost: IconAlertTriangle,
  data_downloaded: IconDownload,
  account_closed: IconX,
  account_reopened: IconUser,
  account_frozen: IconAlertTriangle,
  account_unfrozen: IconShieldCheck,
  extra_points_set: IconUsers,
  phone_corrected: IconUser,
  release_asked: IconAlertTriangle,
  sign_in_failed: IconAlertTriangle,
  second_factor_failed: IconAlertTriangle,
  reset_failed: IconAlertTriangle,
}

/** What happened to the account. What surprises is answered by the link in the e-mail about it, or by a new password. */
export function EventsCard() {
  const { t } = useTranslation('identity/security')
  const [page, setPage] = useQueryState('page', parseAsPage)
  const list = useSecurityEventsQuery(page)
  return (
    <SecurityListCard id={EVENTS} icon={IconHistory} title={t('events.title')} text={t('events.text')}>
      <PagedTable
        list={list}
        caption={t('events.title')}
        columns={useEventColumns()}
        rowKey={(row) => row.id}
        note={(row) => (row.next === null && row.previous === null ? null : <Change event={row} />)}
        page={page}
        onPage={setPage}
        empty={<EmptyState icon={IconShieldCheck} text={t('events.empty')} />}
      />
    </SecurityListCard>
  )
}

function useEventColumns(): Column<SecurityEventItem>[] {
  const { t } = useTranslation('identity/security')
  return [
    column(t('events.what'), (row) => <What event={row} />),
    column(t('events.date'), (row) => <When at={row.date} />),
    column(t('sessions.device'), (row) => (isFailedTry(row.kind) ? '–' : <By event={row} />)),
    column(t('sessions.ip'), (row) => (
      <Ip text={row.ip || (isFailedTry(row.kind) ? t('events.manyNetworks') : '–')} />
    )),
  ]
}

function By({ event }: { event: SecurityEventItem }) {
  const { t } = useTranslation('identity/security')
  const nameOf = useDeviceName()
  if (!event.by_operator) return <span>{nameOf(event.device)}</span>
  // Only the second factor is turned off because the member asked for it.
  return <span>{t(event.kind === 'two_factor_off' ? 'events.byUs' : 'events.byCompany')}</span>
}

const COUNTED = ['sessions_ended', 'sign_in_failed', 'second_factor_failed', 'reset_failed'] as const
const isCounted = (kind: string): kind is (typeof COUNTED)[number] =>
  COUNTED.some((counted) => counted === kind)
const isFailedTry = (kind: string) => isCounted(kind) && kind !== 'sessions_ended'

function What({ event }: { event: SecurityEventItem }) {
  const { t } = useTranslation('identity/security')
  const Icon = ICONS[event.kind]
  return (
    <span className="row-8 security-device" data-alarm={event.kind === 'not_me'}>
      <Icon size={18} stroke={1.5} aria-hidden="true" />
      <span>
        {isCounted(event.kind)
          ? t(`kind.${event.kind}`, { count: event.count ?? 1 })
          : t(`kind.${event.takes_back ? 'taken_back' : event.kind}`)}
      </span>
    </span>
  )
}

function Change({ event }: { event: SecurityEventItem }) {
  const { t } = useTranslation('identity/security')
  const show = (value: string | null) => {
    if (value === null) return <span className="muted">{t('events.nothing')}</span>
    return event.kind === 'wallet_changed' ? <Address value={value} /> : <Name text={value} />
  }
  return (
    <dl className="row-16 small security-change">
      <Fact name={t('events.before')}>{show(event.previous)}</Fact>
      <Fact name={t('events.after')}>{show(event.next)}</Fact>
    </dl>
  )
}

/** `Firefox on Linux`, as far as it is known. */
function useDeviceName(): (device: DeviceNames) => string {
  const { t } = useTranslation('identity/security')
  return ({ browser, system }) => {
    if (browser !== null && system !== null) return t('device.both', { browser, system })
    return browser ?? system ?? t('device.unknown')
  }
}

type DeviceNames = SessionItem['device']

const HANDHELD: readonly (string | null)[] = ['iPhone', 'iPad', 'Android']

const isPhone = ({ system }: DeviceNames): boolean => HANDHELD.includes(system)
