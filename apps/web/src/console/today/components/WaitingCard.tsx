import type { OperatorWaiting } from '@aval/contract'
import { WITHDRAWAL_HOURS } from '@aval/contract/deadlines'
import { parseMicro } from '@aval/money'
import type { ComponentType, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { isSome } from '../../../ui/amount.ts'
import { formats } from '../../../ui/format.ts'
import {
  IconAlertTriangle,
  IconArrowDownLeft,
  IconChevronRight,
  IconCircleCheck,
  IconClipboardList,
  IconClock,
  IconCoins,
  IconMessageCircle,
  IconPigMoney,
  type IconProps,
  IconTool,
  IconWallet,
} from '../../../ui/icons.ts'
import { Link } from '../../../ui/Link.tsx'
import { useAbilities } from '../../shared/abilities.ts'
import { useDueWords } from '../../shared/DueMark.tsx'
import { placeLink } from '../../shared/place.ts'

interface WaitingRow {
  key: string
  Icon: ComponentType<IconProps>
  /** Something is wrong, rather than to be done. */
  bad?: boolean
  title: ReactNode
  /** Since when, how much, and what to do. */
  text: ReactNode
  to: string
}

interface Counted {
  count: number
  more: boolean
  oldest_at: string | null
}

/** Between two facts; never the first of a line. */
const DOT = '\u00a0· '

/** A count that stopped at a thousand says so. */
const shown = ({ count, more }: Counted) => `${formats.count(count)}${more ? '+' : ''}`

/** What needs somebody now, each with the way to it; or that nothing does. */
export function WaitingCard({ waiting }: { waiting: OperatorWaiting }) {
  const { t } = useTranslation('console/today')
  const { may } = useAbilities()
  const [late, soon] = [useDeadlines(waiting, 'late'), useDeadlines(waiting, 'soon')]
  const rows = [...late, ...useBroken(waiting), ...soon, ...useToDo(waiting)]
  const allowed = rows.filter(({ to }) => may('treasury.read') || !/treasury|reserves/.test(to))
  return (
    <section className="card waiting-card" aria-labelledby="waiting-title">
      <h2 id="waiting-title" className="table-title">
        {t('waiting.title')}
      </h2>
      {allowed.length === 0 ? (
        <p className="waiting-none row-8 muted">
          <IconCircleCheck size={20} stroke={1.6} aria-hidden="true" />
          <span>{t('waiting.none')}</span>
        </p>
      ) : (
        <ul className="waiting-list">
          {allowed.map((row) => (
            <li key={row.key}>
              <Link to={row.to} className="waiting-row row-12" data-bad={row.bad}>
                <span className="centred waiting-icon" aria-hidden="true">
                  <row.Icon size={20} stroke={1.6} />
                </span>
                <span className="waiting-words">
                  <strong>{row.title}</strong>
                  <span className="muted small">{row.text}</span>
                </span>
                <IconChevronRight size={18} stroke={1.6} aria-hidden="true" className="faint" />
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** Withdrawals that are past what their members were promised, or will be within hours. */
function useDeadlines({ deadlines }: OperatorWaiting, due: 'late' | 'soon'): WaitingRow[] {
  const { t } = useTranslation('console/today')
  const sayDue = useDueWords()
  return deadlines
    .filter((each) => each.due === due)
    .map(({ state, seconds, sum, ...counted }) => ({
      key: `${due} ${state}`,
      Icon: due === 'late' ? IconAlertTriangle : IconClock,
      bad: due === 'late',
      title: t(`deadline.${due}`, { count: counted.count, shown: shown(counted), hours: WITHDRAWAL_HOURS }),
      text: [sayDue({ state: due, seconds }), formats.money(sum), t(`deadline.${state}`)].join(DOT),
      to: placeLink('withdrawals', { state: state === 'requested' ? null : state }),
    }))
}

/** What stopped, or does not work. */
function useBroken({ stop, failing, pools }: OperatorWaiting): WaitingRow[] {
  const { t } = useTranslation('console/today')
  const rows: WaitingRow[] = []
  if (stop !== null) {
    const { operator, causes, since } = stop
    const why =
      operator === null
        ? causes.map((cause) => t(`cause.${cause}`)).join(' ')
        : t('stop.operator', { name: operator.username, reason: operator.reason })
    rows.push({
      key: 'stop',
      Icon: IconAlertTriangle,
      bad: true,
      title: t('stop.title'),
      text: `${t('since', { date: formats.shortStamp(since) })}${DOT}${why}`,
      to: placeLink(operator === null ? 'reserves' : 'treasury'),
    })
  }
  for (const { what, since, detail } of failing)
    rows.push({
      key: `${what} ${detail}`,
      Icon: IconTool,
      bad: true,
      title: t(`failing.${what}.title`),
      text: [
        ...(since === null ? [] : [t('since', { date: formats.shortStamp(since) })]),
        t(`failing.${what}.text`),
        ...(what.startsWith('node_') ? [detail] : []),
        ...(what === 'chain_behind' ? [t('blocks', { count: Number(detail) })] : []),
      ].join(DOT),
      to: placeLink(/^(reserves|database)/.test(what) ? 'reserves' : 'treasury'),
    })
  for (const { pool, days, amount, awaiting } of pools)
    rows.push({
      key: pool,
      Icon: IconPigMoney,
      bad: (parseMicro(awaiting) ?? 0n) > (parseMicro(amount) ?? 0n),
      title: t(`low.${pool}`),
      text: [
        days === null ? formats.money(amount) : t('low.days', { count: days, amount: formats.money(amount) }),
        ...(isSome(awaiting) ? [t('low.awaiting', { amount: formats.money(awaiting) })] : []),
      ].join(DOT),
      to: placeLink('treasury', { pool }),
    })
  return rows
}

/** What is to be decided, answered, or looked into. */
function useToDo({ withdrawals, runs, decisions, chats, deposits }: OperatorWaiting): WaitingRow[] {
  const { t } = useTranslation('console/today')
  const oldest = ({ oldest_at }: Counted) =>
    oldest_at === null ? '' : t('since', { date: formats.shortStamp(oldest_at) })
  const row = (
    key: 'withdrawals' | 'runs' | 'decisions' | 'chats',
    Icon: WaitingRow['Icon'],
    counted: Counted,
    to: string,
    ...facts: string[]
  ): WaitingRow[] =>
    counted.count === 0
      ? []
      : [
          {
            key,
            Icon,
            title: t(`todo.${key}`, { count: counted.count, shown: shown(counted) }),
            text: [...facts, oldest(counted), t(`todo.${key}Do`)].filter((text) => text !== '').join(DOT),
            to,
          },
        ]
  return [
    ...row('withdrawals', IconWallet, withdrawals, placeLink('withdrawals'), formats.money(withdrawals.sum)),
    ...row(
      'runs',
      IconCoins,
      runs,
      placeLink('runs', { state: 'open' }),
      ...(isSome(runs.missing) ? [t('missing', { amount: formats.money(runs.missing) })] : []),
    ),
    ...row('decisions', IconClipboardList, decisions, placeLink('runs')),
    ...row('chats', IconMessageCircle, chats, placeLink('support')),
    ...deposits.map((counted) => ({
      key: counted.fate,
      Icon: IconArrowDownLeft,
      title: t(`deposits.${counted.fate}`, { count: counted.count, shown: shown(counted) }),
      text: `${oldest(counted)}${DOT}${t(`deposits.${counted.fate}Do`)}`,
      to: placeLink('deposits', { fate: counted.fate, open: '1' }),
    })),
  ]
}
