import type { SupportAbout } from '@aval/contract'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Fact } from '../../../ui/Fact.tsx'
import { formats } from '../../../ui/format.ts'
import { Link } from '../../../ui/Link.tsx'
import { Money } from '../../../ui/Money.tsx'
import { Name } from '../../../ui/Name.tsx'
import { Loaded, Skeleton } from '../../../ui/States.tsx'
import { memberLink, placeLink } from '../../shared/place.ts'
import { quiet, usePolling } from '../../shared/useLive.ts'
import { useSupportAboutQuery } from '../api.ts'

const EVERY = 30_000

/** The member beside the conversation: who it is, what they have, what is under way. Each leads to its page. */
export function AboutMember({ member }: { member: number }) {
  const shown = quiet(useSupportAboutQuery(member, usePolling(EVERY)))
  return (
    <section className="card card-pad stack-14" aria-labelledby="about-title">
      <Loaded query={shown} hold={<Skeleton width="100%" height={260} />}>
        {(about) => (
          <>
            <Identity about={about} />
            <dl className="figures">
              <Has about={about} />
            </dl>
            <UnderWay about={about} />
          </>
        )}
      </Loaded>
    </section>
  )
}

function Identity({ about }: { about: SupportAbout }) {
  const { t } = useTranslation('console/support')
  const { sponsor } = about
  return (
    <div className="stack-6">
      <h2 id="about-title" className="side-title">
        <Link to={memberLink(about.member_id)}>
          <Name text={about.name === '' ? about.username : about.name} />
        </Link>
      </h2>
      <p className="small">
        <Name text={about.email} />{' '}
        <span className="muted">{t(about.email_proven ? 'about.proven' : 'about.unproven')}</span>
      </p>
      {about.phone === '' ? null : (
        <p className="small">
          <a href={`tel:${about.phone}`}>{about.phone}</a>
        </p>
      )}
      <p className="muted small">
        {`${t('about.since', { date: formats.date(about.joined_at) })} · ${t(`about.speaks.${about.locale}`)}${about.time_zone === null ? '' : ` · ${about.time_zone}`}`}
      </p>
      {sponsor === null ? null : (
        <p className="muted small">
          <span>{t('about.sponsor')}</span>{' '}
          <Link to={memberLink(sponsor.member_id)}>
            <Name text={sponsor.username} />
          </Link>
        </p>
      )}
      <Marks about={about} />
    </div>
  )
}

function Marks({ about }: { about: SupportAbout }) {
  const { t } = useTranslation('console/support')
  const { cools_until: until } = about
  return (
    <p className="about-marks">
      {about.closed_at === null ? (
        <span className={`badge ${about.principal === '0.00' ? '' : 'badge-ok'}`}>
          {t(about.principal === '0.00' ? 'about.inactive' : 'about.active')}
        </span>
      ) : (
        <span className="badge badge-bad">{t('about.closed')}</span>
      )}
      <span className="badge">{t(about.two_factor ? 'about.twoFactor' : 'about.noTwoFactor')}</span>
      {until === null ? null : (
        <span className="badge badge-wait">
          {/* The year 9999: until the password is reset. */}
          {until.startsWith('9999')
            ? t('about.locked')
            : t('about.cooling', { time: formats.shortStamp(until) })}
        </span>
      )}
    </p>
  )
}

function Has({ about }: { about: SupportAbout }) {
  const { t } = useTranslation('console/support')
  const amounts = ['principal', 'balance', 'held', 'pending', 'owed'] as const
  // What there is always, and of the rest what is not nothing.
  const shown = amounts.filter((name, at) => at < 2 || about[name] !== '0.00')
  return shown.map((name) => (
    <Fact key={name} name={t(`about.${name}`)}>
      <Money amount={about[name]} />
    </Fact>
  ))
}

function UnderWay({ about }: { about: SupportAbout }) {
  const { t } = useTranslation('console/support')
  const { withdrawals, invoices, payments } = about
  return (
    <>
      <Lines title={t('about.withdrawals')} none={t('about.noWithdrawals')} count={withdrawals.length}>
        {withdrawals.map((each) => (
          <Line
            key={each.id}
            to={placeLink('withdrawals', {
              state: each.state === 'approved' ? 'approved' : null,
              withdrawal: String(each.id),
            })}
            text={`${t(`about.state.${each.state}`)} · ${formats.shortStamp(each.date)}`}
            amount={each.amount}
          />
        ))}
      </Lines>
      <Lines title={t('about.invoices')} none={t('about.noInvoices')} count={invoices.length}>
        {invoices.map((each) => (
          <Line
            key={each.txn_id}
            to={memberLink(about.member_id, 'investments')}
            text={t('about.received', {
              amount: formats.money(each.received),
              time: formats.shortStamp(each.expires_at),
            })}
            amount={each.amount}
          />
        ))}
      </Lines>
      <Lines title={t('about.payments')} none={t('about.noPayments')} count={payments.length}>
        {payments.map((each) => (
          <Line
            key={`${each.date} ${each.kind} ${each.amount}`}
            to={memberLink(about.member_id, 'payments')}
            text={`${t(`about.kind.${each.kind}`)} · ${formats.date(each.date)}`}
            amount={each.amount}
          />
        ))}
      </Lines>
    </>
  )
}

interface LinesProps {
  title: string
  none: string
  count: number
  children: ReactNode
}

function Lines({ title, none, count, children }: LinesProps) {
  return (
    <div className="stack-6">
      <h3 className="small">{title}</h3>
      {count === 0 ? <p className="muted small">{none}</p> : <ul className="about-lines">{children}</ul>}
    </div>
  )
}

function Line({ to, text, amount }: { to: string; text: string; amount: string }) {
  return (
    <li>
      <Link to={to} className="small">
        {text}
      </Link>
      <span className="small">{formats.money(amount)}</span>
    </li>
  )
}
