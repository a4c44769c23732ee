import type { MemberFile } from '@aval/contract'
import { parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../../../api/failure.ts'
import { language } from '../../../api/language.ts'
import { Address } from '../../../ui/Address.tsx'
import { Fact } from '../../../ui/Fact.tsx'
import { formats } from '../../../ui/format.ts'
import { IconChevronLeft } from '../../../ui/icons.ts'
import { Link } from '../../../ui/Link.tsx'
import { LockedParts } from '../../../ui/LockedParts.tsx'
import { Name } from '../../../ui/Name.tsx'
import { PageHead } from '../../../ui/PageHead.tsx'
import { EmptyState, ErrorState, SkeletonCard } from '../../../ui/States.tsx'
import { Tabs } from '../../../ui/Tabs.tsx'
import { CopiedFact } from '../../shared/CopiedFact.tsx'
import { MemberName } from '../../shared/MemberName.tsx'
import { Notes } from '../../shared/Notes.tsx'
import { MEMBER_TABS, type MemberTab, pagePath } from '../../shared/place.ts'
import { useMemberFileQuery } from '../api.ts'
import { Marks } from './MembersPage.tsx'
import { MoneyTab } from './MoneyTab.tsx'
import { Movements } from './Movements.tsx'
import { Network } from './Network.tsx'
import { Looks, Mails } from './Records.tsx'
import { Security } from './Security.tsx'
import './members.css'

interface MemberPageProps {
  id: string
  /** What an operator may do with the member. */
  acts: (member: { id: number; username: string }) => ReactNode
  /** The conversation with a member. */
  chat: (member: number) => ReactNode
  /** Both trees below a member. */
  trees: (member: { id: string; username: string }) => ReactNode
}

/** Everything about one member. */
export function MemberPage({ id, acts, chat, trees }: MemberPageProps) {
  const { t } = useTranslation('console/members')
  const query = useMemberFileQuery(id)
  const file = query.currentData
  const failure = query.error as Failure | undefined
  const title = file === undefined ? t('one') : file.username
  return (
    <div className="page-stack">
      <Link to={pagePath('members')} className="back-link">
        <IconChevronLeft size={16} stroke={1.8} aria-hidden="true" />
        <span>{t('all')}</span>
      </Link>
      <PageHead
        title={title}
        heading={<Name text={title} />}
        text={file === undefined ? undefined : <Name text={file.name === '' ? file.email : file.name} />}
      />
      {file !== undefined ? (
        <>
          <Head file={file} />
          {acts({ id: file.id, username: file.username })}
          <MemberTabs id={id} chat={chat} trees={trees({ id, username: file.username })} />
        </>
      ) : failure === undefined || query.isFetching ? (
        <SkeletonCard bars={HOLD} />
      ) : failure.status === 404 ? (
        <EmptyState text={t('nobody')} />
      ) : (
        <ErrorState failure={failure} onRetry={() => void query.refetch()} />
      )}
    </div>
  )
}

const LANGUAGE_NAMES = new Intl.DisplayNames(language, { type: 'language' })

const HOLD = [
  [240, 24],
  ['80%', 44],
  ['60%', 44],
] as const

function Head({ file }: { file: MemberFile }) {
  return (
    <div className="member-head">
      <Who file={file} />
      <Has file={file} />
    </div>
  )
}

/** Identity, contact and place. */
function Who({ file }: { file: MemberFile }) {
  const { t } = useTranslation('console/members')
  const yes = (is: boolean) => t(is ? 'yes' : 'no')
  return (
    <section className="card card-pad stack-8" aria-label={t('who.title')}>
      <p className="member-marks">
        <span className={file.principal === '0.00' ? 'badge' : 'badge badge-ok'}>
          {t(file.principal === '0.00' ? 'badge.inactive' : 'badge.active')}
        </span>
        {file.is_master ? <span className="badge">{t('badge.master')}</span> : null}
        <Marks row={file} />
      </p>
      <dl className="figures">
        <Fact name={t('who.number')}>{file.id}</Fact>
        <Fact name={t('who.email')} note={file.email_proven ? undefined : t('who.unproven')}>
          <Name text={file.email} />
        </Fact>
        <Fact name={t('who.phone')}>{file.phone === '' ? '–' : file.phone}</Fact>
        <Fact name={t('who.joined')}>{formats.dateTime(file.joined_at)}</Fact>
        <Fact name={t('sponsor')}>
          {file.sponsor === null ? '–' : <MemberName id={file.sponsor.id} username={file.sponsor.username} />}
        </Fact>
        <Fact name={t('who.refCode')}>{file.ref_code}</Fact>
        <Fact name={t('who.language')}>
          {[LANGUAGE_NAMES.of(file.locale), file.time_zone].filter((text) => text != null).join(' · ')}
        </Fact>
        <Fact name={t('who.twoFactor')}>{yes(file.two_factor)}</Fact>
        <Fact name={t('who.passkeys')}>{file.passkeys}</Fact>
      </dl>
      <CopiedFact
        name={t('who.wallet')}
        value={file.wallet}
        copy={t('who.copyWallet')}
        confirmation={t('who.copied')}
      >
        <Address value={file.wallet} />
      </CopiedFact>
      <CopiedFact
        name={t('who.deposit')}
        value={file.deposit_address}
        copy={t('who.copyDeposit')}
        confirmation={t('who.copied')}
      >
        <Address value={file.deposit_address} />
      </CopiedFact>
    </section>
  )
}

/** What the member has, and what keeps it in. */
function Has({ file }: { file: MemberFile }) {
  const { t } = useTranslation('console/members')
  return (
    <section className="card card-pad stack-8" aria-label={t('has.title')}>
      <h2 className="overview-label">{t('has.unit')}</h2>
      <dl className="figures">
        <Fact name={t('balance')}>{formats.money(file.balance)}</Fact>
        <Fact
          name={t('principal')}
          note={
            file.unlocks_at === null ? undefined : (
              <LockedParts locked={file.locked}>
                {t(file.locked.count === 0 ? 'has.free' : 'has.unlocks', {
                  date: formats.date(file.unlocks_at),
                  amount: formats.money(file.unlocked),
                })}
              </LockedParts>
            )
          }
        >
          {formats.money(file.principal)}
        </Fact>
        <Fact name={t('has.held')}>{formats.money(file.on_hold)}</Fact>
        <Fact name={t('has.pending')}>{formats.money(file.pending)}</Fact>
        <Fact name={t('has.owed')}>{formats.money(file.owed)}</Fact>
        <Fact name={t('has.earned')}>{formats.money(file.earned)}</Fact>
        <Fact name={t('has.referrals')}>{formats.count(file.direct)}</Fact>
        <Fact name={t('has.team')}>{formats.count(file.team)}</Fact>
        {file.cools_until === null ? null : (
          <Fact name={t('has.cools')}>{formats.dateTime(file.cools_until)}</Fact>
        )}
      </dl>
    </section>
  )
}

/** The tab, and where its lists stand: another tab begins with its first page. */
const PLACE = {
  tab: parseAsStringLiteral(MEMBER_TABS).withDefault(MEMBER_TABS[0]),
  page: parseAsString,
  after: parseAsString,
  invoices: parseAsString,
  deposits: parseAsString,
  sessions: parseAsString,
  led: parseAsString,
}
const BEGINNING = { page: null, after: null, invoices: null, deposits: null, sessions: null, led: null }

interface MemberTabsProps extends Pick<MemberPageProps, 'id' | 'chat'> {
  trees: ReactNode
}

function MemberTabs({ id, chat, trees }: MemberTabsProps) {
  const { t } = useTranslation('console/members')
  const [{ tab }, setPlace] = useQueryStates(PLACE)
  const shown: Record<MemberTab, () => ReactNode> = {
    movements: () => <Movements id={id} />,
    investments: () => <MoneyTab id={id} of="investments" />,
    payments: () => <MoneyTab id={id} of="payments" />,
    withdrawals: () => <MoneyTab id={id} of="withdrawals" />,
    network: () => <Network id={id} trees={trees} />,
    security: () => <Security id={id} />,
    mails: () => <Mails id={id} />,
    chat: () => chat(Number(id)),
    notes: () => <Notes member={Number(id)} />,
    looks: () => <Looks id={id} />,
  }
  return (
    <Tabs
      label={t('sections')}
      tabs={MEMBER_TABS.map((key) => ({ key, label: t(`tab.${key}`) }))}
      current={tab}
      onChange={(next) => void setPlace({ ...BEGINNING, tab: next })}
    >
      <div className="page-stack">{shown[tab]()}</div>
    </Tabs>
  )
}
