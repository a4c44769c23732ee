/**
 * Handing messages over.
 *
 * What is promised: a message that was queued is tried for at least three days, one with a code for as long as the code
 * lives, and is sent or visibly given up, never lost. It is handed over once, except where it cannot be known whether a hand-over succeeded: the process died, or lost
 * the database for minutes, after the mail server took the message and before that was written down; or the connection
 * broke after the message was out and before the server's answer was in. Then it is handed over again under the same
 * Message-ID, by which mail programs recognise it.
 *
 * A hand-over begins with a claim, one short statement that nobody else's passes; it ends with a mark. No transaction is
 * open in between. A claim lapses, so a dead process's messages are taken up by whoever looks next.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { LOCALES } from '@aval/contract'
import { inTransaction, isOutage } from '@aval/db'
import { z } from 'zod'
import type { Context } from '../../core/context.ts'
import { eachIsolated } from '../../core/isolated.ts'
import { isPlanned, planAt } from '../plan-versions/plan-versions.queries.ts'
import { type Carrier, NotTaken } from './carrier.ts'
import { compose } from './compose.ts'
import { enqueueSending } from './mail.commands.ts'
import { renderMail } from './mail.presenter.ts'
import { isTooLate, nextTry, oneLine } from './mail.rules.ts'
import {
  type Claimed,
  claimMessage,
  giveUp,
  type MessageKey,
  markSent,
  putOff,
  selectDue,
} from './mail.sql.ts'
import { readContent } from './mail.templates.ts'
import { keepInOutbox } from './outbox.ts'
import { smtpCarrier } from './smtp.ts'

/** Longer than any hand-over takes, the mark included, unless the database is away. */
const CLAIM_MS = 120_000
/** As many as one sweep sends, so that what is queued meanwhile has its turn. */
const SWEEP = 100
/** The mark is tried again for some five minutes: the database is away for everybody, so nobody else can claim. */
const MARK_PAUSES_MS = [100, 200, 500, 1000, 2000, ...Array.from({ length: 60 }, () => 5000)]

/** What sending needs: where messages stand, who takes them, the system's time, and how to wait for the database. */
export interface MailRoom {
  readonly context: Context
  readonly carrier: Carrier
  now(): Date
  rest(ms: number): Promise<unknown>
}

/** To the mail server of the configuration; without one, into the outbox. */
export function mailRoom(context: Context): MailRoom {
  const { smtp, dataDir } = context.config
  const carrier: Carrier =
    smtp === null ? { take: (parcel) => keepInOutbox(dataDir, parcel) } : smtpCarrier(smtp)
  return { context, carrier, now: () => new Date(), rest: (ms) => pause(ms) }
}

export type Outcome =
  /** `none`: it is not due, out already, or somebody else's. */
  | { readonly result: 'sent' | 'none' }
  | {
      readonly result: 'put_off' | 'given_up'
      readonly reason: string
      /** What is handed over next would fail in the same way. */
      readonly serverAway: boolean
    }

/** What whoever runs the product should read about it, or null. */
export function troubleOf({ memberId, id }: MessageKey, outcome: Outcome): string | null {
  if (!('reason' in outcome)) return null
  const became = outcome.result === 'given_up' ? 'given up' : 'put off'
  return `mail ${id} to member ${memberId} is ${became}: ${outcome.reason}`
}

/**
 * Hands one message over where it is due.
 * @throws when the database is away, or stays away for the mark: the claim then lapses
 */
export async function sendMessage(room: MailRoom, key: MessageKey): Promise<Outcome> {
  const { db, config } = room.context
  const token = randomUUID()
  const host = config.mailFrom.address.split('@')[1] ?? 'localhost'
  const now = room.now()
  const until = new Date(now.getTime() + CLAIM_MS)
  const claimed = await claimMessage(db, key, { token, host, now, until })
  if (claimed === undefined) return { result: 'none' }
  if (isTooLate(carriesCode(claimed), claimed.createdAt, now)) {
    await giveUp(db, key, { token, error: TOO_LATE })
    return { result: 'given_up', reason: TOO_LATE, serverAway: false }
  }
  try {
    await handOver(room, key, claimed)
  } catch (error) {
    return marked(room, () => markFailed(room, key, { token, attempts: claimed.attempts, error }))
  }
  await marked(room, () => markSent(db, key, room.now()))
  return { result: 'sent' }
}

const TOO_LATE = 'its code has lapsed'

const carriesCode = ({ params }: Claimed): boolean =>
  typeof params === 'object' && params !== null && 'code' in params

async function handOver({ context, carrier }: MailRoom, key: MessageKey, claimed: Claimed): Promise<void> {
  const { mailFrom: from } = context.config
  const { to, messageId, createdAt } = claimed
  const locale = z.enum(LOCALES).parse(claimed.locale)
  const content = readContent(claimed.template, claimed.params)
  const rendered = renderMail(content, locale, await timeZoneOf(context))
  const raw = await compose({ from, to, messageId, locale, createdAt }, rendered)
  await carrier.take({ ...key, createdAt, from: from.address, to, raw })
}

/** The company's time zone, in which its days turn. */
async function timeZoneOf({ db, clock }: Context): Promise<string> {
  const now = await clock.now()
  return (await isPlanned(db, now)) ? (await planAt(db, now)).plan.timeZone : 'UTC'
}

async function markFailed(
  { context, now }: MailRoom,
  key: MessageKey,
  failure: { token: string; attempts: number; error: unknown },
): Promise<Outcome> {
  const { token, attempts } = failure
  const reason = oneLine(String(failure.error), 500)
  const refuses = failure.error instanceof NotTaken ? failure.error.refuses : 'try'
  const at = refuses === 'message' ? null : nextTry(attempts, now())
  await inTransaction(context.db, async (tx) => {
    if (at === null) await giveUp(tx, key, { token, error: reason })
    else if (await putOff(tx, key, { token, error: reason, nextTryAt: at }))
      await enqueueSending(tx, key.memberId, key.id, at)
  })
  return { result: at === null ? 'given_up' : 'put_off', reason, serverAway: refuses === 'server' }
}

async function marked<Result>(room: MailRoom, mark: () => Promise<Result>): Promise<Result> {
  for (const ms of MARK_PAUSES_MS) {
    try {
      return await mark()
    } catch (error) {
      if (!isOutage(error)) throw error
      await room.rest(ms)
    }
  }
  return mark()
}

/**
 * Hands over what is due, whether its job is to come or was lost, until the server refuses everything.
 * @param tell hears what became of each
 */
export async function sendDue(
  room: MailRoom,
  tell: (key: MessageKey, outcome: Outcome) => void = () => undefined,
): Promise<void> {
  let serverAway = false
  await eachIsolated(await selectDue(room.context.db, room.now(), SWEEP), async (key) => {
    if (serverAway) return
    const outcome = await sendMessage(room, key)
    tell(key, outcome)
    serverAway = 'reason' in outcome && outcome.serverAway
  })
}
