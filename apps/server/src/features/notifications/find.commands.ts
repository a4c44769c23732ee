/** Finds from the rows what needs a person, once a minute: what is new is e-mailed, what no longer holds is over. */
import { type NotificationKind, readLocale, WITHDRAWAL_HOURS, withdrawalDue } from '@aval/contract'
import { readRegion } from '@aval/contract/regions'
import { type Database, type Db, inTransaction, type Tx } from '@aval/db'
import { formatAmount, type Micro, micro, parseMicro } from '@aval/money'
import type { Clock } from '../../core/context.ts'
import { type MessageKey, type Reader, readerOf, say } from '../../core/messages.ts'
import { FEW_ADDRESSES, readStock } from '../deposit-addresses/deposit-addresses.queries.ts'
import { queueMail } from '../mail/mail.commands.ts'
import { isMailed } from './notifications.rules.ts'
import * as store from './notifications.sql.ts'

const HOUR = 3_600_000
/** Withdrawals that nobody decides, and messages that nobody answers. */
const WITHDRAWAL_WAITS = 24 * HOUR
const CHAT_WAITS = 2 * HOUR
/** The auditor takes seconds. */
const AUDIT_WAITS = 5 * 60_000
/** The gateway asks its nodes every few seconds. */
const CHAIN_SILENT = 10 * 60_000
const SIGNER_STARTS = 5 * 60_000

const OF_SIGNER: readonly string[] = [
  'signer_away',
  'signer_refused',
  'signer_cap',
  'earlier_transfer_unseen',
  'earlier_transfer_arrived',
]
const OF_CHAIN: readonly string[] = ['chain_unhealthy', 'nodes_disagree']

async function findDelays(db: Db, now: Date): Promise<store.Condition[]> {
  const delays = await store.selectDelays(db, now)
  const countOf = (codes: readonly string[]) =>
    delays.filter(({ code }) => codes.includes(code)).reduce((sum, { count }) => sum + count, 0)
  const [signer, chain] = [countOf(OF_SIGNER), countOf(OF_CHAIN)]
  const seen = await store.selectLastSeen(db)
  const isSilent =
    (seen !== null && now.getTime() - seen.getTime() > CHAIN_SILENT) || (await store.hasNodeFault(db))
  const words = (count: number) => ({ count: String(count) })
  return [
    ...(signer > 0 ? [{ kind: 'signer_failing', subject: '', words: words(signer) } as const] : []),
    ...(chain > 0 || isSilent ? [{ kind: 'chain_failing', subject: '', words: words(chain) } as const] : []),
  ]
}

/** Not in the first minutes of an installation, in which the signer derives the first. @param before business time */
async function findFewAddresses(db: Db, before: Date): Promise<store.Condition[]> {
  const { unclaimed, underived } = await readStock(db)
  const isFew = unclaimed < FEW_ADDRESSES || underived > 0
  if (!isFew || !(await store.hasMemberSince(db, before))) return []
  return [
    { kind: 'addresses_low', subject: '', words: { left: String(unclaimed), underived: String(underived) } },
  ]
}

/** Withdrawals that are due soon, and that are late: each by itself, so that a second one is notified like the first. */
async function findDeadlines(db: Db, at: Date): Promise<store.Condition[]> {
  return (await store.selectDueWithdrawals(db, at)).map(({ id, username, amount, requested_at }) => {
    const { state, at: due } = withdrawalDue(requested_at, at)
    return {
      kind: state === 'late' ? 'withdrawal_late' : 'withdrawal_soon',
      subject: `withdrawal:${id}`,
      words: { number: String(id), member: username, amount: formatAmount(amount), due: due.toISOString() },
    }
  })
}

/**
 * What holds at this moment.
 * @param at business time, by which requests and messages are dated; @param now system time
 */
async function findConditions(db: Db, at: Date, now: Date): Promise<store.Condition[]> {
  const before = (milliseconds: number) => new Date(at.getTime() - milliseconds)
  const waiting = await store.countWaitingWithdrawals(db, before(WITHDRAWAL_WAITS))
  return [
    ...(await store.selectWaitingRuns(db, new Date(now.getTime() - AUDIT_WAITS))).map(
      ({ id, kind, period, why }) => ({
        kind: why,
        subject: `run:${id}`,
        words: { run: String(id), kind, period },
      }),
    ),
    ...(waiting === 0
      ? []
      : [{ kind: 'withdrawal_waits' as const, subject: '', words: { count: String(waiting) } }]),
    ...(await findDeadlines(db, at)),
    ...(await store.selectStop(db)).map(({ reason }) => ({
      kind: 'payments_stopped' as const,
      subject: '',
      words: { reason: reason ?? '' },
    })),
    ...(await store.selectWaitingReleases(db, now)).map(({ member_id: id, username, asked_by, by }) => ({
      kind: 'release_waits' as const,
      subject: `member:${id}`,
      words: { member: username, by },
      doneBy: asked_by,
    })),
    ...(await store.selectWaitingDecisions(db, now)).map(({ id, kind, about, proposed_by: doneBy }) => ({
      kind: 'decision_waits' as const,
      subject: `decision:${id}`,
      words: { kind, about },
      doneBy,
    })),
    ...(await store.selectWaitingChats(db, before(CHAT_WAITS))).map(({ member_id: id, username }) => ({
      kind: 'chat_waits' as const,
      subject: `member:${id}`,
      words: { member: username },
    })),
    ...(await store.selectLowPools(db)).map(({ pool, amount, last }) => ({
      kind: 'pool_low' as const,
      subject: `pool:${pool}`,
      words: { pool, amount: formatAmount(amount), last: formatAmount(last) },
    })),
    ...(await findDelays(db, now)),
    ...(await findFewAddresses(db, before(SIGNER_STARTS))),
  ]
}

const keyOf = ({ kind, subject }: Pick<store.Condition, 'kind' | 'subject'>) => `${kind} ${subject}`

/** An amount that a condition keeps as decimal text. */
const figureOf = (text: string | undefined): Micro => parseMicro(text) ?? micro(0n)

function sentenceOf(reader: Reader, { kind, words }: store.Condition, timeZone: string | null): string {
  if (kind === 'withdrawal_soon' || kind === 'withdrawal_late') {
    const named = { ...words, at: new Date(words['due'] ?? ''), hours: WITHDRAWAL_HOURS }
    return say(reader, `notification_${kind}`, named, timeZone ?? undefined)
  }
  const named =
    kind === 'decision_waits'
      ? { what: say(reader, `notification_decision_${words['kind']}` as MessageKey, words) }
      : kind === 'run_held' || kind === 'run_differs' || kind === 'run_unaudited'
        ? { ...words, kind: say(reader, `notification_run_${words['kind']}` as MessageKey) }
        : kind === 'pool_low'
          ? {
              pool: say(reader, `notification_pool_${words['pool']}` as MessageKey),
              amount: figureOf(words['amount']),
              last: figureOf(words['last']),
            }
          : words
  return say(reader, `notification_${kind}`, named)
}

type Added = store.Condition & { readonly id: bigint }

/** One mail for each operator, with all that is new and that they get by mail. */
async function mailAdded(tx: Tx, added: readonly Added[], publicUrl: string, now: Date): Promise<void> {
  const [first] = added
  if (first === undefined) return
  for (const recipient of await store.selectRecipients(tx)) {
    const { id: memberId, email: to, locale, region, time_zone, role, choices } = recipient
    const reader = readerOf(readLocale(locale), readRegion(region))
    const own = added.filter(({ kind, doneBy }) => doneBy !== memberId && isMailed(kind, role, choices))
    if (own.length === 0) continue
    const subject = say(reader, own.length === 1 ? 'notification_subject_one' : 'notification_subject', {
      count: own.length,
    })
    const lines = own.map((each) => sentenceOf(reader, each, time_zone))
    const text = [...lines, `${publicUrl}/operator`].join('\n')
    const params = { subject, text }
    const event = `notification:${first.id}`
    await queueMail(tx, { memberId, to, locale, event, template: 'operator_alert', params }, now)
  }
}

const LASTING: readonly NotificationKind[] = [
  'run_held',
  'run_differs',
  'run_unaudited',
  'withdrawal_waits',
  'withdrawal_soon',
  'withdrawal_late',
  'payments_stopped',
  'release_waits',
  'decision_waits',
  'chat_waits',
  'pool_low',
  'addresses_low',
  'chain_failing',
  'signer_failing',
]

/** What comes and goes by itself: within an hour it is the same again, and nobody is mailed a second time. */
const COMING_AND_GOING: readonly NotificationKind[] = [
  'pool_low',
  'addresses_low',
  'chain_failing',
  'signer_failing',
]

/** Compares what holds with what was open. @param now system time */
export async function findNotifications(
  {
    db,
    clock,
    config,
  }: { readonly db: Database; readonly clock: Clock; readonly config: { publicUrl: string } },
  now: Date,
): Promise<void> {
  const at = await clock.now()
  await inTransaction(db, async (tx) => {
    const holding = new Map((await findConditions(tx, at, now)).map((each) => [keyOf(each), each]))
    const open = await store.selectOpen(tx)
    for (const row of open.filter(({ kind }) => LASTING.includes(kind))) {
      const still = holding.get(keyOf(row))
      if (still === undefined) await store.endNotification(tx, row.id, now)
      else if (JSON.stringify(still.words) !== JSON.stringify(row.words))
        await store.setWords(tx, row.id, still.words)
    }
    const known = new Set(open.map(keyOf))
    const lately = new Map(
      (await store.selectOverSince(tx, COMING_AND_GOING, new Date(now.getTime() - HOUR)))
        .toReversed()
        .map((row) => [keyOf(row), row.id]),
    )
    const added: Added[] = []
    for (const each of [...holding.values()].filter((one) => !known.has(keyOf(one)))) {
      const before = lately.get(keyOf(each))
      if (before !== undefined) {
        await store.reopenNotification(tx, before, each.words)
        continue
      }
      const id = await store.insertNotification(tx, each, now)
      if (id !== null) added.push({ ...each, id })
    }
    await mailAdded(tx, added, config.publicUrl, now)
  })
}

/** Somebody accepted to work here: an event, over at once. The mail about it is an alert of its own. */
export async function noteJoined(
  tx: Tx,
  { memberId, username, role, by }: { memberId: bigint; username: string; role: string; by: string },
  now: Date,
): Promise<void> {
  const words = { username, role, by }
  await store.insertNotification(
    tx,
    { kind: 'operator_joined', subject: `member:${memberId}`, words },
    now,
    now,
  )
}

const KEPT = 90 * 24 * HOUR

/** What was seen to three months ago. @param now system time */
export const purgeNotifications = (db: Database, now: Date): Promise<void> =>
  store.deleteNotificationsOverBefore(db, new Date(now.getTime() - KEPT))
