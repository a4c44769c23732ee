import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { formats } from '../../../ui/format.ts'
import { Link } from '../../../ui/Link.tsx'
import { EmptyState, Loaded, Skeleton } from '../../../ui/States.tsx'
import { memberLink, pagePath, placeLink, runLink } from '../../shared/place.ts'
import { type OperatorNotification, useMarkNotificationsReadMutation, useNotificationsQuery } from '../api.ts'
import { MailSettings } from './MailSettings.tsx'

/** What needs somebody first, then what was; each leads to its rows. */
export function NotificationsDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('console/notifications')
  const query = useNotificationsQuery()
  const [markRead, { isLoading }] = useMarkNotificationsReadMutation()
  const [isSetting, setSetting] = useState(false)
  const follow = (row: OperatorNotification) => {
    if (!row.read) void markRead([row.id])
    onClose()
  }
  return (
    <Dialog title={t('title')} width={560} onClose={onClose}>
      <div className="stack-14">
        {isSetting ? (
          <MailSettings />
        ) : (
          <Loaded query={query} hold={<Skeleton width="100%" height={120} />}>
            {({ results }) =>
              results.length === 0 ? (
                <EmptyState text={t('none')} />
              ) : (
                <ul className="notifications">
                  {results.map((row) => (
                    <Row key={row.id} row={row} onFollow={() => follow(row)} />
                  ))}
                </ul>
              )
            }
          </Loaded>
        )}
        <div className="dialog-actions row-8 row-apart">
          <Button size="small" onClick={() => setSetting(!isSetting)}>
            {t(isSetting ? 'toList' : 'toSettings')}
          </Button>
          {isSetting || (query.data?.unread ?? 0) === 0 ? null : (
            <Button size="small" busy={isLoading} onClick={() => void markRead(null)}>
              {t('readAll')}
            </Button>
          )}
        </div>
      </div>
    </Dialog>
  )
}

function Row({ row, onFollow }: { row: OperatorNotification; onFollow: () => void }) {
  const { t } = useTranslation('console/notifications')
  return (
    <li data-unread={!row.read} data-over={row.over_at !== null}>
      <Link to={placeOf(row)} onClick={onFollow}>
        {row.read ? null : <span className="visually-hidden">{`${t('isUnread')} `}</span>}
        <span>{useSentence(row)}</span>
        <span className="muted small">
          {`${formats.shortStamp(row.at)}${
            row.over_at === null
              ? ''
              : row.kind === 'operator_joined'
                ? ''
                : ` · ${t('over', { at: formats.shortStamp(row.over_at) })}`
          }`}
        </span>
      </Link>
    </li>
  )
}

function useSentence({ kind, words }: OperatorNotification): string {
  const { t } = useTranslation(['console/notifications', 'console/shared'])
  const word = (name: string) => words[name] ?? ''
  switch (kind) {
    case 'run_held':
    case 'run_differs':
    case 'run_unaudited': {
      const run = RUNS.find((each) => each === word('kind'))
      const named = run === undefined ? word('kind') : t(`run.${run}`)
      return t(`kind.${kind}`, { run: word('run'), kind: named, period: word('period') })
    }
    case 'pool_low': {
      const pool = POOLS.find((each) => each === word('pool'))
      const [amount, last] = [formats.money(word('amount')), formats.money(word('last'))]
      return t('kind.pool_low', { pool: pool === undefined ? word('pool') : t(`pool.${pool}`), amount, last })
    }
    case 'release_waits':
      return t('kind.release_waits', { member: word('member'), by: word('by') })
    case 'decision_waits': {
      const decision = DECISIONS.find((each) => each === word('kind'))
      const about = word('about')
      return t('kind.decision_waits', {
        what: decision === undefined ? about : t(`decision.${decision}`, { about }),
      })
    }
    case 'withdrawal_soon':
    case 'withdrawal_late': {
      const [number, member, amount] = [word('number'), word('member'), formats.money(word('amount'))]
      return t(`kind.${kind}`, { number, member, amount, at: formats.shortStamp(word('due')) })
    }
    case 'chat_waits':
      return t('kind.chat_waits', { member: word('member') })
    case 'operator_joined':
      return t('kind.operator_joined', { member: word('username') })
    case 'addresses_low': {
      const [left, underived] = [word('left'), word('underived')].map((each) => formats.count(Number(each)))
      return t('kind.addresses_low', { left, underived })
    }
    case 'payments_stopped':
      return t('kind.payments_stopped')
    default:
      return t(`kind.${kind}`, { number: formats.count(Number(word('count'))) })
  }
}

const RUNS = ['passive', 'direct', 'binary'] as const
const DECISIONS = ['run_release', 'run_prorate', 'plan', 'member_key'] as const
const POOLS = ['profit', 'commission'] as const

function placeOf({ kind, subject, words }: OperatorNotification): string {
  const [, id = ''] = subject.split(':')
  switch (kind) {
    case 'release_waits':
      return memberLink(id, 'security')
    case 'decision_waits':
      return words['kind'] === 'plan'
        ? pagePath('plan')
        : words['kind'] === 'member_key'
          ? memberLink(words['about'] ?? '', 'security')
          : runLink(Number(words['about']))
    case 'withdrawal_soon':
    case 'withdrawal_late':
      return placeLink('withdrawals', { withdrawal: id })
    case 'run_held':
    case 'run_differs':
    case 'run_unaudited':
      return runLink(Number(id))
    case 'chat_waits':
      return placeLink('support', { member: id })
    case 'pool_low':
      return placeLink('treasury', { pool: id })
    case 'addresses_low':
      return pagePath('treasury')
    case 'operator_joined':
      return pagePath('operators')
    case 'payments_stopped':
      return pagePath('reserves')
    case 'chain_failing':
    case 'signer_failing':
      return placeLink('withdrawals', { state: 'approved' })
    default:
      return pagePath('withdrawals')
  }
}
