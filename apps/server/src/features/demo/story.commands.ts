/**
 * Lives through what the demo's story says, by the commands that the calls of members and operators run. Each act happens once, also where
 * the seeding was interrupted and is called again: it has a key, as a call has.
 */
import { createHash } from 'node:crypto'
import { inTransaction, type Tx } from '@aval/db'
import { formatMicro, type Micro, micro, ONE } from '@aval/money'
import { addDays, type Day, DEFAULT_PLAN, dayAt, dayStart } from '@aval/plan'
import { addressFromHex } from '@aval/tron'
import { type AuditEntry, recordAudit } from '../../core/audit.sql.ts'
import { commitOnRefusal } from '../../core/committed-refusal.ts'
import type { Context } from '../../core/context.ts'
import type { Device } from '../../core/device.ts'
import { reviewTransfer } from '../deposits/review.commands.ts'
import { askForEmail, correctPhone } from '../identity/contact-correction/contact-correction.commands.ts'
import { askRelease } from '../identity/factor-release/factor-release.commands.ts'
import { setFrozen } from '../identity/freezing/freezing.commands.ts'
import { findByUsername } from '../identity/members/members.queries.ts'
import { invite } from '../identity/operators/changes.commands.ts'
import { applyGuarded } from '../identity/profile/profile.commands.ts'
import { assignTotpSecret } from '../identity/second-factor/totp-setup.commands.ts'
import { openSession } from '../identity/sessions/sessions.commands.ts'
import { claimAddress, createInvoice } from '../investments/invoices.commands.ts'
import { writeNote } from '../members/members.commands.ts'
import { findNotifications } from '../notifications/find.commands.ts'
import { declare } from '../payout-runs/rates/rates.commands.ts'
import { proposePlan } from '../plan-versions/plan-versions.commands.ts'
import { readStop } from '../reserves/reserves.queries.ts'
import { assignThread } from '../support/conversations.commands.ts'
import { answerMember, askSupport, closeThread } from '../support/support.commands.ts'
import { addTemplate } from '../support/templates.commands.ts'
import { proposeFunding, proposeResumption, stopPayments } from '../treasury/treasury.commands.ts'
import { decide } from '../withdrawals/decide.commands.ts'
import { requestWithdrawal, sendCode } from '../withdrawals/request.commands.ts'
import { approveAs, signProposed } from './approving.commands.ts'
import {
  beginAct,
  countCredits,
  selectAssignee,
  selectLastSession,
  selectPhone,
  selectRequested,
  selectTransfer,
  selectWithdrawalCode,
} from './demo.sql.ts'
import { DEMO_DAYS } from './demo-network.ts'
import { signInSecret } from './demo-secrets.ts'
import { DEMO_STORY, type StoryAct, type StoryEvent } from './demo-story.ts'
import type { DevnetCalls } from './devnet-calls.ts'
import { until } from './patience.ts'

export interface Story {
  readonly context: Context
  readonly devnet: DevnetCalls
  /** The day on which the history ends. */
  readonly today: Day
  readonly timeZone: string
  /** Whether the signer knows the demo's operators: else nobody approves in its past. */
  readonly approving: Promise<boolean>
}

/** What all acts need. */
interface Moment extends Story {
  readonly key: string
  /** When it happens, for what the company dates by the system's time. */
  readonly at: Date
}

interface Act<Name extends StoryAct['act']> extends Moment {
  readonly event: Extract<StoryAct, { act: Name }>
}

const usd = (dollars: number): Micro => micro((BigInt(Math.round(dollars * 100)) * ONE) / 100n)

/** Of a range for documentation; a phone. */
const PHONE: Device = {
  userAgent:
    'Mozilla/5.0 (Linux; Android 15; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36',
  ip: '203.0.113.24',
}

async function idOf({ context: { db } }: Story, username: string): Promise<bigint> {
  const id = await findByUsername(db, username)
  if (id === null) throw new Error(`the story names ${username}, who is no member`)
  return id
}

async function operatorOf(story: Story, username: string) {
  return { id: await idOf(story, username), username }
}

/** Does it where it was not done before. */
async function once({ context: { db }, key, at }: Moment, work: (tx: Tx) => Promise<unknown>) {
  await inTransaction(db, async (tx) => {
    if (await beginAct(tx, key, at)) await work(tx)
  })
}

/** The entry that the route of a decision writes. */
const decided = (
  tx: Tx,
  actorId: bigint,
  at: Date,
  action: AuditEntry['action'],
  subject: string,
  details: object,
) => recordAudit(tx, { at, actorId, action, outcome: 'done', subject, details: { ...details } })

const walletOf = (username: string) =>
  addressFromHex(createHash('sha256').update(`aval demo wallet ${username}`).digest('hex').slice(0, 40))

/** The session that the member signs in to now. */
async function sessionOf({ context, at }: Moment, tx: Tx, memberId: bigint): Promise<string> {
  await openSession(context, tx, { memberId, ...PHONE }, at)
  return selectLastSession(tx, memberId)
}

/** With the code that the member is e-mailed, which proves the mailbox as well. */
async function withdraw(act: Act<'withdraw'>): Promise<void> {
  const { context, event, key, at } = act
  const memberId = await idOf(act, event.member)
  const now = await context.clock.now()
  const wanted = { amount: usd(event.amount), wallet: walletOf(event.member) }
  await commitOnRefusal(context.db, async (tx) => {
    if (!(await beginAct(tx, key, at))) return
    const sessionId = await sessionOf(act, tx, memberId)
    const asking = { memberId, sessionId, device: PHONE, now, systemNow: at }
    await sendCode(context, tx, asking, wanted)
    const code = await selectWithdrawalCode(tx, memberId)
    const codes = { code, otp: null, attempt: null, passkey: null }
    await requestWithdrawal(context, tx, { ...asking, ...wanted }, codes)
  })
}

async function approve(act: Act<'approve'>): Promise<void> {
  if (!(await act.approving)) return
  const operator = await operatorOf(act, act.event.by)
  const members = await Promise.all(act.event.members.map((username) => idOf(act, username)))
  await approveAs(act.context, act.devnet, operator, members)
}

async function pay(act: Act<'pay'>): Promise<void> {
  const { context, devnet, event, key } = act
  const { db } = context
  const memberId = await idOf(act, event.member)
  const address = await inTransaction(db, (tx) => claimAddress(tx, memberId))
  await devnet.pay(address, formatMicro(usd(event.amount)), key)
  await devnet.solidify()
  await until(
    `the payment of ${event.member}`,
    async () => (await countCredits(db, memberId, event.becomes)) > 0,
  )
}

async function freeze(act: Act<'freeze'>): Promise<void> {
  const { context, event, at } = act
  const { id: operatorId } = await operatorOf(act, event.by)
  const memberId = await idOf(act, event.member)
  const { frozen, reason } = event
  const details = { reason, before: { frozen: !frozen }, after: { frozen } }
  await once(act, async (tx) => {
    await setFrozen(context, tx, { memberId, operatorId, reason, frozen }, at)
    await decided(
      tx,
      operatorId,
      at,
      frozen ? 'member.freeze' : 'member.unfreeze',
      `member:${memberId}`,
      details,
    )
  })
}

async function stopOrResume(act: Act<'stop'>): Promise<void> {
  const { event, at } = act
  const { id: operatorId } = await operatorOf(act, event.by)
  const { reason } = event
  await once(act, async (tx) => {
    if (event.stopped) {
      await stopPayments(tx, { operatorId, reason }, at)
      return decided(tx, operatorId, at, 'payments.stop', 'payments:all', { reason })
    }
    const { byOperator } = await readStop(tx)
    if (byOperator === null) throw new Error('the story resumes payments that nobody stopped')
    const now = await act.context.clock.now()
    await proposeResumption(tx, { stopId: byOperator.id, operatorId, reason, now })
    return decided(tx, operatorId, at, 'payments.propose_resume', `payments_stop:${byOperator.id}`, {
      reason,
    })
  })
}

async function fund(act: Act<'fund'>): Promise<void> {
  const { event, at, context } = act
  const { id: operatorId } = await operatorOf(act, event.by)
  const { pool, reason } = event
  const amount = usd(event.amount)
  const now = await context.clock.now()
  const details = { amount: formatMicro(amount), reason }
  await once(act, async (tx) => {
    await proposeFunding(tx, { pool, amount, operatorId, reason, now })
    await decided(tx, operatorId, at, 'pool.propose', `pool:${pool}`, details)
  })
}

async function assign(act: Act<'assign'>): Promise<void> {
  const operator = await operatorOf(act, act.event.by)
  const memberId = await idOf(act, act.event.member)
  await once(act, async (tx) => {
    const from = await selectAssignee(tx, memberId)
    await assignThread(tx, { operator, memberId, to: act.event.to, from, now: act.at })
  })
}

async function answer(act: Act<'answer'>): Promise<void> {
  const { context, event, at: now } = act
  const handling = { operator: await operatorOf(act, event.by), memberId: await idOf(act, event.member) }
  await once(act, (tx) => answerMember(context, tx, { ...handling, text: event.text, seen: null, now }))
}

async function refuse(act: Act<'refuse'>): Promise<void> {
  const { context, event, at: systemNow } = act
  const { id: operatorId } = await operatorOf(act, event.by)
  const memberId = await idOf(act, event.member)
  const now = await context.clock.now()
  await once(act, async (tx) => {
    const ids = (await selectRequested(tx, [memberId])).map(({ id }) => id)
    await decide(tx, { ids, reason: event.reason }, { operatorId, now, systemNow })
    const subject = `withdrawals:${ids.join()}`
    await decided(tx, operatorId, systemNow, 'withdrawal.decide', subject, { decision: 'refuse' })
  })
}

async function review(act: Act<'review'>): Promise<void> {
  const { event, at } = act
  const { id: operatorId } = await operatorOf(act, event.by)
  const memberId = await idOf(act, event.member)
  await once(act, async (tx) => {
    const transfer = await selectTransfer(tx, memberId, event.fate)
    await reviewTransfer(tx, { ...transfer, operatorId, note: event.note }, at)
  })
}

async function release(act: Act<'release'>): Promise<void> {
  const { context, event, at } = act
  const { id: operatorId } = await operatorOf(act, event.by)
  const memberId = await idOf(act, event.member)
  const { reason, identified } = event
  await once(act, async (tx) => {
    await askRelease(context, tx, { memberId, operatorId, reason, identified }, at)
    const details = { reason, identified }
    await decided(tx, operatorId, at, 'two_factor.ask_release', `member:${memberId}`, details)
  })
}

async function phone(act: Act<'phone'>): Promise<void> {
  const { context, event, at } = act
  const { id: operatorId } = await operatorOf(act, event.by)
  const memberId = await idOf(act, event.member)
  const { phone: next, reason } = event
  await once(act, async (tx) => {
    const was = await selectPhone(tx, memberId)
    await correctPhone(context, tx, { memberId, operatorId, phone: next, was }, at)
    const details = { reason, before: { phone: was }, after: { phone: next } }
    await decided(tx, operatorId, at, 'member.correct_phone', `member:${memberId}`, details)
  })
}

async function email(act: Act<'email'>): Promise<void> {
  const { context, event, at } = act
  const { id: operatorId } = await operatorOf(act, event.by)
  const memberId = await idOf(act, event.member)
  await once(act, async (tx) => {
    await askForEmail(context, tx, { memberId, operatorId, email: event.email }, at)
    const details = { reason: event.reason, email: event.email }
    await decided(tx, operatorId, at, 'member.ask_email', `member:${memberId}`, details)
  })
}

async function inviteMember(act: Act<'invite'>): Promise<void> {
  const { event, at } = act
  const { id: by } = await operatorOf(act, event.by)
  const memberId = await idOf(act, event.member)
  const { role, reason } = event
  await once(act, async (tx) => {
    await invite(tx, { by, memberId, role }, at)
    await decided(tx, by, at, 'operator.invite', `member:${memberId}`, { role, reason })
  })
}

async function plan(act: Act<'plan'>): Promise<void> {
  const { context, event, at } = act
  const { id: operatorId } = await operatorOf(act, event.by)
  const now = await context.clock.now()
  const startsOn = addDays(dayAt(now, act.timeZone), event.inDays)
  const document = {
    ...DEFAULT_PLAN,
    withdrawals: { ...DEFAULT_PLAN.withdrawals, minimum: '25', dailyLimit: '8000' },
  }
  await once(act, async (tx) => {
    await proposePlan(tx, { startsOn, document, operatorId, now })
    await decided(tx, operatorId, at, 'plan.propose', `day:${startsOn}`, {})
  })
}

async function rate(act: Act<'rate'>): Promise<void> {
  const { context, event, at } = act
  const { id: operatorId } = await operatorOf(act, event.by)
  const now = await context.clock.now()
  const { percentage, reason } = event
  const day = addDays(dayAt(now, act.timeZone), event.inDays)
  await once(act, async (tx) => {
    await declare(tx, { day, percentage, reason, operatorId, now })
    await decided(tx, operatorId, at, 'rate.declare', `day:${day}`, { percentage, reason })
  })
}

async function wallet(act: Act<'wallet'>): Promise<void> {
  const { context, event, at } = act
  const memberId = await idOf(act, event.member)
  const change = { email: null, wallet: walletOf(event.member) }
  await once(act, (tx) =>
    applyGuarded(context, tx, memberId, change, { device: PHONE, now: at, undoes: null }),
  )
}

type Acts = { readonly [Name in StoryAct['act']]: (act: Act<Name>) => Promise<void> }

const ACTS: Acts = {
  answer,
  approve,
  assign,
  email,
  freeze,
  fund,
  invite: inviteMember,
  pay,
  phone,
  plan,
  rate,
  refuse,
  release,
  review,
  wallet,
  withdraw,
  stop: stopOrResume,
  ask: async (act) => {
    const { text, topic = null, member } = act.event
    const memberId = await idOf(act, member)
    await once(act, (tx) => askSupport(tx, { memberId, text, topic, now: act.at }))
  },
  close: async (act) => {
    const handling = {
      operator: await operatorOf(act, act.event.by),
      memberId: await idOf(act, act.event.member),
    }
    await once(act, (tx) => closeThread(tx, { ...handling, seen: null, now: act.at }))
  },
  invoice: async (act) => {
    const memberId = await idOf(act, act.event.member)
    const now = await act.context.clock.now()
    await once(act, (tx) => createInvoice(tx, memberId, usd(act.event.amount), now))
  },
  look: ({ context, at }) => findNotifications(context, at),
  note: async (act) => {
    const { id: authorId } = await operatorOf(act, act.event.by)
    const memberId = await idOf(act, act.event.member)
    await once(act, (tx) => writeNote(tx, { memberId, authorId, text: act.event.text }, act.at))
  },
  sign_in: async (act) => {
    const memberId = await idOf(act, act.event.member)
    await once(act, (tx) => openSession(act.context, tx, { memberId, ...PHONE }, act.at))
  },
  second_factor: async (act) => {
    const { config } = act.context
    const memberId = await idOf(act, act.event.member)
    const secret = signInSecret(config, act.event.member)
    await once(act, (tx) => assignTotpSecret({ db: tx, config }, memberId, secret, act.at))
  },
  sign: async (act) => signProposed(act.context, await operatorOf(act, act.event.by), await act.approving),
  template: async (act) => {
    const operator = await operatorOf(act, act.event.by)
    await once(act, (tx) => addTemplate(tx, { operator, now: act.at }, act.event.answer))
  },
}

/** Which acts of the story are due: of a day those before or after its members act, or those of the present. */
export type Part = { readonly day: number; readonly when: 'before' | 'after' } | 'present'

/** By when the members of a day act, on the company's clock. */
export const OPENING = '10:00'

function isOf(event: StoryEvent, part: Part): boolean {
  if ('ago' in event) return part === 'present'
  if (part === 'present' || event.day !== part.day) return false
  return event.at < OPENING === (part.when === 'before')
}

function timeOf(event: StoryEvent, { today, timeZone }: Story, present: Date): Date {
  if ('ago' in event) return new Date(present.getTime() - event.ago * 60_000)
  const [hours = 0, minutes = 0] = event.at.split(':').map(Number)
  const begun = dayStart(addDays(today, event.day - DEMO_DAYS), timeZone)
  return new Date(begun.getTime() + (hours * 60 + minutes) * 60_000)
}

/** Lives through a part of the story. Can be called again. */
export async function liveStory(story: Story, part: Part): Promise<void> {
  const present = new Date()
  for (const [index, event] of DEMO_STORY.entries()) {
    if (!isOf(event, part)) continue
    const act = ACTS[event.act] as (act: Act<StoryAct['act']>) => Promise<void>
    await act({ ...story, event, key: `demo:story:${index}`, at: timeOf(event, story, present) })
  }
}
