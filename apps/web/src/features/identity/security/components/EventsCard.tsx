import type { SecurityEventItem } from '@aval/contract'
import { useQueryState } from 'nuqs'
import type { ComponentType } from 'react'
import { useTranslation } from 'react-i18next'
import { Address } from '../../../../ui/Address.tsx'
import { type Column, PagedTable } from '../../../../ui/DataTable.tsx'
import { formats } from '../../../../ui/format.ts'
import {
  IconAlertTriangle,
  IconDeviceDesktop,
  IconHistory,
  IconKey,
  IconLogout,
  IconMail,
  type IconProps,
  IconShieldCheck,
  IconWallet,
} from '../../../../ui/icons.ts'
import { Name } from '../../../../ui/Name.tsx'
import { parseAsPage } from '../../../../ui/place.ts'
import { EmptyState } from '../../../../ui/States.tsx'
import { useSecurityEventsQuery } from '../api.ts'
import { useDeviceName } from '../useDeviceName.ts'
import { CardTitle } from './CardTitle.tsx'

const TITLE = 'security-events'

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
}

/** What happened to the account. What surprises is answered by the link in the e-mail about it, or by a new password. */
export function EventsCard() {
  const { t } = useTranslation('identity/security')
  const [page, setPage] = useQueryState('page', parseAsPage)
  const list = useSecurityEventsQuery(page)
  return (
    <section className="card" aria-labelledby={TITLE}>
      <div className="security-list-head">
        <CardTitle id={TITLE} icon={<IconHistory size={20} stroke={1.6} />} text={t('events.title')} />
        <p className="muted small">{t('events.text')}</p>
      </div>
      <PagedTable
        list={list}
        caption={t('events.title')}
        columns={useColumns()}
        rowKey={(row) => row.id}
        note={(row) => (row.next === null && row.previous === null ? null : <Change event={row} />)}
        page={page}
        onPage={setPage}
        empty={
          <EmptyState
            icon={<IconShieldCheck size={26} stroke={1.4} aria-hidden="true" />}
            text={t('events.empty')}
          />
        }
      />
    </section>
  )
}

function useColumns(): Column<SecurityEventItem>[] {
  const { t } = useTranslation('identity/security')
  const nameOf = useDeviceName()
  return [
    { key: 'what', header: t('events.what'), cell: (row) => <What event={row} /> },
    { key: 'date', header: t('events.date'), cell: (row) => formats.dateTime(row.date) },
    {
      key: 'device',
      header: t('sessions.device'),
      cell: (row) => (row.by_operator ? t('events.byUs') : nameOf(row.device)),
    },
    {
      key: 'ip',
      header: t('sessions.ip'),
      cell: (row) => <span className="security-ip">{row.ip || '–'}</span>,
    },
  ]
}

function What({ event }: { event: SecurityEventItem }) {
  const { t } = useTranslation('identity/security')
  const Icon = ICONS[event.kind]
  return (
    <span className="security-device" data-alarm={event.kind === 'not_me'}>
      <Icon size={18} stroke={1.5} aria-hidden="true" />
      <span>
        {event.kind === 'sessions_ended'
          ? t('kind.sessions_ended', { count: event.count ?? 1 })
          : t(`kind.${event.takes_back ? 'taken_back' : event.kind}`)}
      </span>
    </span>
  )
}

/** An e-mail or a wallet, before and after. */
function Change({ event }: { event: SecurityEventItem }) {
  const { t } = useTranslation('identity/security')
  const show = (value: string | null) => {
    if (value === null) return <span className="muted">{t('events.nothing')}</span>
    return event.kind === 'wallet_changed' ? <Address value={value} /> : <Name text={value} />
  }
  return (
    <dl className="security-change">
      <div>
        <dt>{t('events.before')}</dt>
        <dd>{show(event.previous)}</dd>
      </div>
      <div>
        <dt>{t('events.after')}</dt>
        <dd>{show(event.next)}</dd>
      </div>
    </dl>
  )
}
