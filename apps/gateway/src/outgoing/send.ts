/**
 * Sends approved withdrawals: prepares a transfer, has it signed, and broadcasts it. Ingest settles or expires it by
 * reading the chain. No step depends on what an earlier one remembers: each starts with what the database says.
 *
 * A withdrawal is due again only when its transfer has expired (see `ingest/record.ts`), so two transfers of one
 * withdrawal are never valid at the same time.
 */
import { inSpan, recordSpan } from '@aval/tracing'
import { encodeSigned, type NodeClient, NodeError } from '@aval/tron'
import { type ChainStatus, unhealthyReason } from '../chain/health.rules.ts'
import { ChainFault, nodeErrorKind, nodeName, UNASKED } from '../chain/nodes.ts'
import { mapInOrder } from '../core/in-order.ts'
import { describeError } from '../core/log.ts'
import type { SignerPort, SignerReply } from '../signer/socket.ts'
import type { OutgoingContext } from './context.ts'
import { delayAll, delayEach, isSignerDelay, resumeAll } from './delays.ts'
import {
  clearDelays,
  type DelayCode,
  deleteStaleDelays,
  expireUnsigned,
  findDue,
  findOpen,
  findSigned,
  noteBroadcasts,
  type OpenTransfer,
  readWork,
  type SignedTransfer,
  type Work,
} from './outgoing.sql.ts'
import { prepareWithdrawals } from './prepare.ts'

/** How many withdrawals are prepared in a round, how many transfers may be open at once, and how many are sent in a round. */
const PREPARE_LIMIT = 100
const OPEN_LIMIT = 1_000
const BROADCAST_LIMIT = 200
/** How many transfers are on their way to the nodes at once. */
const IN_FLIGHT = 8
/** As many requests as the signer handles together. */
const SIGNING = 64
const REPLY_LENGTH = 300

interface Round {
  readonly work: Work
  readonly open: readonly OpenTransfer[]
  readonly status: ChainStatus
  readonly signer: SignerPort
  readonly now: Date
}

interface Sent {
  readonly changed: boolean
  readonly busy: boolean
}
const NOTHING: Sent = { changed: false, busy: false }

export function createSender(context: OutgoingContext) {
  const { db } = context
  const broadcast = createBroadcast(context)
  return {
    /**
     * One round. `busy` says whether there is more to do right now.
     * @param now the system's time
     * @throws what the database throws; the next round starts from what it says
     */
    async step(now: Date): Promise<{ readonly busy: boolean }> {
      const work = await readWork(db)
      if (!work.hasOpen && !work.hasApproved && !work.hasDelays) return { busy: false }
      if (work.hasDelays) await deleteStaleDelays(db)
      const open = await findOpen(db)
      // What earlier rounds signed is broadcast meanwhile: of thousands, a hundred are on their way while the next are tried and signed.
      const [sent] = await bothEnded(send(context, work, open, now), broadcast(open, work.stopped, now))
      if (sent.changed && !sent.busy) await broadcast(await findOpen(db), work.stopped, now)
      return { busy: sent.busy }
    },
  }
}

/** Both results once both have ended, so that a round that failed does nothing any more. @throws the first failure */
async function bothEnded<One, Other>(one: Promise<One>, other: Promise<Other>): Promise<[One, Other]> {
  await Promise.allSettled([one, other])
  return [await one, await other]
}

/** Prepares and signs, if the chain is healthy and nothing is stopped. */
async function send(
  context: OutgoingContext,
  work: Work,
  open: readonly OpenTransfer[],
  now: Date,
): Promise<Sent> {
  const { signer } = context
  const status = context.status()
  if (signer === null || work.stopped) return NOTHING
  const unhealthy = unhealthyReason(status, context.healthLimits, now.getTime())
  if (unhealthy !== null || status === null) {
    if (work.hasApproved && isRecheckDue(work, 'chain_unhealthy', context.retry.recheckMs, now)) {
      await delayAll(context, { code: 'chain_unhealthy', detail: unhealthy ?? '' }, now)
    }
    return NOTHING
  }
  try {
    return await prepareAndSign(context, { work, open, status, signer, now })
  } catch (error) {
    if (nodeErrorKind(error) === null) throw error
    const code = error instanceof ChainFault ? 'nodes_disagree' : 'chain_unhealthy'
    await delayAll(context, { code, detail: describeError(error) }, now)
    return NOTHING
  }
}

async function prepareAndSign(context: OutgoingContext, round: Round): Promise<Sent> {
  const { work, status, signer, now, open } = round
  const known = work.delay?.code ?? null
  const limit = prepareLimit(context, round)
  const before = new Date(now.getTime() - context.retry.recheckMs)
  const due = limit > 0 ? await findDue(context.db, new Date(status.headAt), before, limit) : []
  if (limit > 0 && due.length === 0 && !isSignerDelay(known)) await resumeAll(context, known)
  const fresh = due.length > 0 ? await prepareWithdrawals(context, status, due, open, known, now) : []
  for (const { txid, traceparent } of fresh)
    recordSpan('outgoing.prepare', { parent: traceparent, since: now, attributes: { 'aval.txid': txid } })
  const unsigned: Unsigned[] = [...leftUnsigned(context, round), ...fresh]
  if (unsigned.length > 0) await signTransfers(context, signer, unsigned, known, now)
  return { changed: unsigned.length > 0, busy: fresh.length === PREPARE_LIMIT }
}

/**
 * How many withdrawals to prepare now. While the signer signs nothing, one at a time, to find out when it does again: more
 * would only fill the table.
 */
function prepareLimit({ retry }: OutgoingContext, { work, open, now }: Round): number {
  const room = Math.min(PREPARE_LIMIT, OPEN_LIMIT - open.length)
  const code = work.delay?.code
  if (code === undefined) return room
  if (!isRecheckDue(work, code, code === 'signer_cap' ? retry.capMs : retry.recheckMs, now)) return 0
  if (!isSignerDelay(code)) return room
  return open.some((each) => isUnsigned(each) && each.purpose === 'withdrawal') ? 0 : Math.min(room, 1)
}

/** Transfers of earlier rounds that were not signed and still may be: the last quarter of their lifetime is the chain's. */
function leftUnsigned(
  { retry, lifetimeMs }: OutgoingContext,
  { work, open, status, now }: Round,
): readonly OpenTransfer[] {
  if (work.delay?.code === 'signer_away' && !isRecheckDue(work, 'signer_away', retry.recheckMs, now))
    return []
  const isUnseen = ({ unseenAt }: OpenTransfer) =>
    unseenAt !== null && now.getTime() - unseenAt.getTime() < retry.recheckMs
  const isCapped = work.delay?.code === 'signer_cap' && !isRecheckDue(work, 'signer_cap', retry.capMs, now)
  return open.filter(
    (each) =>
      isUnsigned(each) &&
      !isUnseen(each) &&
      each.expiresAt.getTime() - status.headAt > lifetimeMs / 4 &&
      !(isCapped && each.purpose === 'withdrawal'),
  )
}

function isUnsigned({ isSigned, offline }: OpenTransfer): boolean {
  return !isSigned && !offline
}

/** Whether it is time to check this delay again; one that did not exist is always due. */
function isRecheckDue({ delay }: Work, code: string, everyMs: number, now: Date): boolean {
  if (delay === null || delay.code !== code) return true
  return now.getTime() - delay.checkedAt.getTime() >= everyMs
}

type Unsigned = Pick<OpenTransfer, 'txid' | 'memberId' | 'withdrawalId' | 'traceparent'> &
  Partial<Pick<OpenTransfer, 'unseenAt'>>

/**
 * Asks for these signatures; the signer stores them itself. A transfer that it refuses is expired at once, because nobody
 * else can have signed it; its withdrawal is due again when the transfer would have expired.
 * @param known what delayed all of them so far
 */
async function signTransfers(
  context: OutgoingContext,
  signer: SignerPort,
  unsigned: readonly Unsigned[],
  known: DelayCode | null,
  now: Date,
): Promise<void> {
  let delay = known
  const replies = mapInOrder(unsigned, SIGNING, async (transfer) => ({
    transfer,
    reply: await sign(signer, transfer),
  }))
  for await (const { transfer, reply } of replies) {
    if (reply.signed) {
      if (isSignerDelay(delay)) await resumeAll(context, delay)
      delay = null
      const { memberId, withdrawalId, unseenAt } = transfer
      if (unseenAt != null && withdrawalId !== null)
        await clearDelays(context.db, [{ memberId, withdrawalId }])
    } else if (await handleRefusal(context, transfer, reply, now)) return
  }
}

/** What is known of the signer stands here: it is told of no trace, and sends none (decision 065). */
function sign(signer: SignerPort, { txid, traceparent }: Unsigned): Promise<SignerReply> {
  const options = { kind: 'client', parent: traceparent, attributes: { 'aval.txid': txid } } as const
  return inSpan('outgoing.sign', options, async (span) => {
    const reply = await signer.sign(txid)
    span.set('aval.signer', reply.signed ? 'signed' : reply.code)
    return reply
  })
}

/** Whether the refusal ends the round, because it concerns all transfers. */
async function handleRefusal(
  context: OutgoingContext,
  { txid, memberId, withdrawalId }: Unsigned,
  { code, message }: Extract<SignerReply, { signed: false }>,
  now: Date,
): Promise<boolean> {
  // Nothing at all is signed until a person has acknowledged it.
  if (/^(journal|key_file)_/.test(code)) {
    await delayAll(context, { code: 'signer_away', detail: `${code}: ${message}` }, now)
    return true
  }
  // It stays prepared, and is asked for again: the signer may see it in a moment.
  if (withdrawalId !== null && /^(nodes_|earlier_transfer_(unread|arrived)$)/.test(code)) {
    const reason = code === 'earlier_transfer_arrived' ? code : 'earlier_transfer_unseen'
    await delayEach(context, [{ memberId, withdrawalId, code: reason, detail: `${code}: ${message}` }], now)
    return false
  }
  switch (code) {
    case 'signer_unavailable':
    case 'signer_failed':
      await delayAll(context, { code: 'signer_away', detail: message }, now)
      return true
    case 'stopped':
      return true
    case 'closed':
    case 'not_found':
      return false
    case 'frozen':
      // It is due again once the account is free.
      await expireUnsigned(context.db, context.network, txid)
      return false
    case 'cap_reached':
    case 'hour_cap_reached':
      await expireUnsigned(context.db, context.network, txid)
      await delayAll(context, { code: 'signer_cap', detail: message }, now)
      return true
    default:
      await expireUnsigned(context.db, context.network, txid)
      context.log.error('outgoing.refused_by_signer', { txid, code, message })
      if (withdrawalId === null) return false
      await delayEach(
        context,
        [{ memberId, withdrawalId, code: 'signer_refused', detail: `${code}: ${message}` }],
        now,
      )
      return false
  }
}

/**
 * Broadcasts what is signed to all nodes, repeatedly, until it is seen in a block. Only bytes with a stored signature are
 * sent. A node's reply is noted and settles nothing: accepted transfers vanish, and refused ones arrive.
 */
function createBroadcast({ db, nodes, retry }: OutgoingContext) {
  // Only when to repeat: after a restart everything is sent once more.
  let sentAt = new Map<string, number>()
  /** One round for the open transfers. While money out is `stopped`, what was never sent stays unsent. */
  return async (open: readonly OpenTransfer[], stopped: boolean, now: Date): Promise<void> => {
    const signed = open.filter((each) => each.isSigned)
    const isOpen = new Set(signed.map(({ txid }) => txid))
    sentAt = new Map([...sentAt].filter(([txid]) => isOpen.has(txid)))
    const due = signed.filter(({ txid, isSeen, broadcasts }) => {
      if (isSeen || (stopped && broadcasts === 0)) return false
      const last = sentAt.get(txid)
      return last === undefined || now.getTime() - last >= retry.rebroadcastMs
    })
    const txids = due.slice(0, BROADCAST_LIMIT).map(({ txid }) => txid)
    const transfers = await findSigned(db, txids)
    for (const { txid } of transfers) sentAt.set(txid, now.getTime())
    const available = nodes.available()
    const sent = mapInOrder(transfers, IN_FLIGHT, async (transfer) => ({
      txid: transfer.txid,
      reply: await broadcastOne(available, transfer),
    }))
    // What no node was asked to take was not sent: it may still be stopped.
    const noted = (await Array.fromAsync(sent)).flatMap(({ txid, reply }) =>
      reply === '' ? [] : [{ txid, reply }],
    )
    await noteBroadcasts(db, noted, now)
  }
}

/** The replies of the nodes that were asked, for operators; empty where none was. */
async function broadcastOne(
  nodes: readonly NodeClient[],
  { txid, raw, signature, traceparent }: SignedTransfer,
): Promise<string> {
  const hex = Buffer.from(encodeSigned({ raw, signatures: [signature] })).toString('hex')
  const options = { kind: 'client', parent: traceparent, attributes: { 'aval.txid': txid } } as const
  return inSpan('outgoing.broadcast', options, async (span) => {
    const replies = await Promise.all(
      nodes.map(async (node) => {
        const reply = await replyOf(node, hex)
        return reply === null ? [] : [`${nodeName(node)}: ${reply}`]
      }),
    )
    const reply = replies.flat().join('; ').slice(0, REPLY_LENGTH)
    span.set('aval.reply', reply)
    return reply
  })
}

async function replyOf(node: NodeClient, hex: string): Promise<string | null> {
  try {
    const reply = await node.broadcast(hex)
    return reply.accepted ? 'SUCCESS' : `${reply.code} ${reply.message}`.trim()
  } catch (error) {
    if (error instanceof NodeError) return UNASKED.has(error.code) ? null : error.message
    throw error
  }
}
