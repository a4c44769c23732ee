/**
 * Sending mail.
 *
 * The promise: a queued message is tried for at least three days, one with a code for as long as the code is valid, and is
 * then sent or visibly given up, never lost. It is delivered once, unless it cannot be known whether a delivery succeeded:
 * the process died or lost the database for minutes between the mail server's answer and the mark, or the connection broke
 * before that answer. Then it is sent again under the same Message-ID, by which mail programs recognise a duplicate.
 *
 * A delivery begins with a claim, one short statement that only one worker's passes, and ends with a mark. No transaction
 * is open in between. A claim lapses, so the messages of a dead process are taken up by the next catch-up.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { LOCALES } from '@aval/contract'
import { readRegion } from '@aval/contract/regions'
import { inTransaction, isOutage } from '@aval/db'
import { z } from 'zod'
import type { Context } from '../../core/context.ts'
import { eachIsolated } from '../../core/isolated.ts'
import { readerOf } from '../../core/messages.ts'
import { enqueueSending, enqueueSendingDue } from './mail.commands.ts'
import { compose, renderMail } from './mail.presenter.ts'
import { isTooLate, nextTry, oneLine } from './mail.rules.ts'
import { claimMessage, giveUp, type MessageKey, markSent, putOff, selectDue } from './mail.sql.ts'
import { readContent } from './mail.templates.ts'
import { storeInOutbox } from './outbox.ts'
import { DeliveryError, smtpTransport, type Transport } from './transport.ts'

/** Longer than any delivery takes, the mark included, unless the database is away. */
const CLAIM_MS = 120_000
/** Messages of one catch-up, and how long it takes at most, so that what is queued meanwhile has its turn: a code waits so long. */
const CATCH_UP_LIMIT = 100
const CATCH_UP_MS = 1_000
/** Between two catch-ups of a day with thousands of notices: what moves money needs the processors more. */
const REST_MS = 1_000
/** The mark is retried for about five minutes: the database is away for everybody, so no other worker can claim. */
const MARK_PAUSES_MS = [100, 200, 500, 1000, 2000, ...Array.from({ length: 60 }, () => 5000)]

/** What sending needs beside the messages themselves. */
export interface MailSender {
  readonly context: Context
  readonly transport: Transport
  /** In which a member reads times. */
  timeZone(memberId: bigint): Promise<string>
  /** System time. */
  now(): Date
  pause(ms: number): Promise<unknown>
}

/** Sends to the mail server of the configuration; without one, into the outbox. */
export function mailSender(context: Context, timeZone: MailSender['timeZone']): MailSender {
  const { smtp, dataDir } = context.config
  const transport: Transport =
    smtp === null ? { deliver: (mail) => storeInOutbox(dataDir, mail) } : smtpTransport(smtp)
  return { context, transport, timeZone, now: () => new Date(), pause: (ms) => pause(ms) }
}

export type SendOutcome =
  /** `none`: it is not due, sent already, or claimed by another worker. */
  | { readonly result: 'sent' | 'none' }
  | {
      readonly result: 'put_off' | 'given_up'
      readonly reason: string
      /** The next delivery would fail in the same way. */
      readonly isServerAway: boolean
    }

/**
 * Sends one message if it is due.
 * @throws when the database is away, or stays away for the mark; the claim then lapses
 */
export async function sendMessage(sender: MailSender, key: MessageKey): Promise<SendOutcome> {
  const { db, config } = sender.context
  const token = randomUUID()
  const host = config.mailFrom.address.split('@')[1] ?? 'localhost'
  const now = sender.now()
  const until = new Date(now.getTime() + CLAIM_MS)
  const claimed = await claimMessage(db, key, { token, host, now, until })
  if (claimed === undefined) return { result: 'none' }
  if (isTooLate(carriesCode(claimed), claimed.createdAt, now)) {
    await giveUp(db, key, { token, error: TOO_LATE })
    return { result: 'given_up', reason: TOO_LATE, isServerAway: false }
  }
  try {
    await deliver(sender, key, claimed)
  } catch (error) {
    return untilMarked(sender, () => markFailed(sender, key, { token, attempts: claimed.attempts, error }))
  }
  await untilMarked(sender, () => markSent(db, key, sender.now()))
  return { result: 'sent' }
}

const TOO_LATE = 'its code has lapsed'

type Claimed = NonNullable<Awaited<ReturnType<typeof claimMessage>>>

const carriesCode = ({ params }: Claimed): boolean =>
  typeof params === 'object' && params !== null && 'code' in params

async function deliver({ context, transport, timeZone }: MailSender, key: MessageKey, claimed: Claimed) {
  const { mailFrom: from } = context.config
  const locale = z.enum(LOCALES).parse(claimed.locale)
  const content = readContent(claimed.template, claimed.params)
  const envelope = { ...claimed, from, locale }
  const reader = readerOf(locale, readRegion(claimed.region))
  const raw = await compose(envelope, renderMail(content, reader, await timeZone(key.memberId)))
  await transport.deliver({ ...key, ...envelope, from: from.address, raw })
}

async function markFailed(
  { context, now }: MailSender,
  key: MessageKey,
  { token, attempts, error }: { token: string; attempts: number; error: unknown },
): Promise<SendOutcome> {
  const reason = oneLine(String(error), 500)
  const scope = error instanceof DeliveryError ? error.scope : 'try'
  const at = scope === 'message' ? null : nextTry(attempts, now())
  await inTransaction(context.db, async (tx) => {
    if (at === null) await giveUp(tx, key, { token, error: reason })
    else if (await putOff(tx, key, { token, error: reason, nextTryAt: at }))
      await enqueueSending(tx, key.memberId, key.id, at)
  })
  return { result: at === null ? 'given_up' : 'put_off', reason, isServerAway: scope === 'server' }
}

async function untilMarked<Result>(sender: MailSender, mark: () => Promise<Result>): Promise<Result> {
  for (const ms of MARK_PAUSES_MS) {
    try {
      return await mark()
    } catch (error) {
      if (!isOutage(error)) throw error
      await sender.pause(ms)
    }
  }
  return mark()
}

/**
 * Sends what is due, whether its job is still to come or was lost, until the server refuses everything.
 * @param report is called with the outcome of each message
 * @returns whether more is due that could be sent
 */
export async function sendDue(
  sender: MailSender,
  report: (key: MessageKey, outcome: SendOutcome) => void = () => undefined,
): Promise<boolean> {
  let isServerAway = false
  let left = false
  const begun = sender.now().getTime()
  const due = await selectDue(sender.context.db, sender.now(), CATCH_UP_LIMIT)
  await eachIsolated(due, async (key) => {
    left ||= sender.now().getTime() - begun > CATCH_UP_MS
    if (isServerAway || left) return
    const outcome = await sendMessage(sender, key)
    report(key, outcome)
    isServerAway = 'reason' in outcome && outcome.isServerAway
  })
  return !isServerAway && (left || due.length === CATCH_UP_LIMIT)
}

/** Sends what is due; where that is more than has its turn, a job goes on a moment later. */
export async function catchUp(
  sender: MailSender,
  report?: (key: MessageKey, outcome: SendOutcome) => void,
): Promise<void> {
  if (!(await sendDue(sender, report))) return
  const at = new Date(sender.now().getTime() + REST_MS)
  await inTransaction(sender.context.db, (tx) => enqueueSendingDue(tx, at))
}
