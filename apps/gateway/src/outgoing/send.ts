/**
 * Sends approved withdrawals: prepares a transfer, has it signed, and broadcasts it. Ingest settles or expires it by
 * reading the chain. No step depends on what an earlier one remembers: each starts with what the database says.
 *
 * A withdrawal is due again only when its transfer has expired (see `ingest/record.ts`), so two transfers of one
 * withdrawal are never valid at the same time.
 */

import { type ChainStatus, unhealthyReason } from '../chain/health.rules.ts'
import { ChainFault, nodeErrorKind } from '../chain/nodes.ts'
import { describeError } from '../core/log.ts'
import type { SignerPort } from '../signer/protocol.ts'
import { createBroadcast } from './broadcast.ts'
import type { OutgoingContext } from './context.ts'
import { delayAll, isSignerDelay, resumeAll } from './delays.ts'
import {
  deleteStaleDelays,
  findDue,
  findOpen,
  type OpenTransfer,
  readWork,
  type Work,
} from './outgoing.sql.ts'
import { prepareWithdrawals } from './prepare.ts'
import { isFresh, signTransfers, type Unsigned } from './sign.ts'

/** How many withdrawals are prepared in a round, and how many transfers may be open at once. */
const ROUND_LIMIT = 100
const OPEN_LIMIT = 1_000

export interface Sender {
  /**
   * One round. `busy` says whether there is more to do right now.
   * @param now the system's time
   * @throws what the database throws; the next round starts from what it says
   */
  step(now: Date): Promise<{ readonly busy: boolean }>
}

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

export function createSender(context: OutgoingContext): Sender {
  const { db } = context
  const broadcast = createBroadcast(context)
  return {
    async step(now) {
      const work = await readWork(db)
      if (!work.hasOpen && !work.hasApproved && !work.hasDelays) return { busy: false }
      if (work.hasDelays) await deleteStaleDelays(db)
      const open = await findOpen(db)
      const sent = await send(context, work, open, now)
      await broadcast(sent.changed ? await findOpen(db) : open, work.stopped, now)
      return { busy: sent.busy }
    },
  }
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
  const unsigned: Unsigned[] = [...leftUnsigned(context, round), ...fresh]
  if (unsigned.length > 0) await signTransfers(context, signer, unsigned, known, now)
  return { changed: unsigned.length > 0, busy: fresh.length === ROUND_LIMIT }
}

/**
 * How many withdrawals to prepare now. While the signer signs nothing, one at a time, to find out when it does again: more
 * would only fill the table.
 */
function prepareLimit({ retry }: OutgoingContext, { work, open, now }: Round): number {
  const room = Math.min(ROUND_LIMIT, OPEN_LIMIT - open.length)
  const code = work.delay?.code
  if (code === undefined) return room
  if (!isRecheckDue(work, code, code === 'signer_cap' ? retry.capMs : retry.recheckMs, now)) return 0
  if (!isSignerDelay(code)) return room
  return open.some((each) => isUnsigned(each) && each.purpose === 'withdrawal') ? 0 : Math.min(room, 1)
}

/** Transfers of earlier rounds that were not signed and still may be. */
function leftUnsigned(
  { retry, lifetimeMs }: OutgoingContext,
  { work, open, status, now }: Round,
): readonly OpenTransfer[] {
  if (work.delay?.code === 'signer_away' && !isRecheckDue(work, 'signer_away', retry.recheckMs, now))
    return []
  const isCapped = work.delay?.code === 'signer_cap' && !isRecheckDue(work, 'signer_cap', retry.capMs, now)
  return open.filter(
    (each) =>
      isUnsigned(each) &&
      isFresh(each.expiresAt, status, lifetimeMs) &&
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
