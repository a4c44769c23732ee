/**
 * Carries approved withdrawals out: prepares a payment, has it signed, hands it to the nodes, and buries it when the chain
 * is past it. Nothing here settles anything (the follower does, by reading), and no step depends on what an earlier one
 * remembers: each begins with what the database says.
 *
 * Why there is never a second transfer before the first is certainly void: a transfer enters a block only while that
 * block's parent is older than the transfer's expiration. The follower skips no solid block, so once it has read one that
 * is newer than the expiration and has not met the transfer, no block can have it any more; only then is it buried, and
 * only then the withdrawal is due again.
 */
import { NodeError } from '@aval/tron'
import { ChainFault } from '../chain/fault.ts'
import { NodesSilent } from '../chain/nodes.ts'
import { type ChainView, unsoundness } from '../chain/standing.rules.ts'
import { describeError } from '../core/log.ts'
import type { SignerPort } from '../signer/protocol.ts'
import {
  type Agenda,
  buryExpired,
  dropStaleObstacles,
  findDue,
  findOpen,
  type OpenPayment,
  readAgenda,
} from './agenda.sql.ts'
import { createBroadcasting } from './broadcasting.ts'
import { clearAll, holdAll, isSigners } from './obstacles.ts'
import type { PayoutParts } from './parts.ts'
import { prepareDue } from './preparing.ts'
import { isFresh, signPayments, type Unsigned } from './signing.ts'

/** How many withdrawals are prepared in a round, and how many payments may live at once. */
const A_ROUND = 100
const MOST_LIVE = 1_000

export interface Payouts {
  /**
   * One round. Tells whether there is more to do right now.
   * @param now the system's time
   * @throws what the database throws; the next round begins from what it says
   */
  step(now: Date): Promise<{ readonly busy: boolean }>
}

interface Round {
  readonly agenda: Agenda
  readonly open: readonly OpenPayment[]
  readonly view: ChainView
  readonly signer: SignerPort
  readonly now: Date
}

export function createPayouts(parts: PayoutParts): Payouts {
  const { db, network, log } = parts
  const broadcasting = createBroadcasting(parts)
  return {
    async step(now) {
      const agenda = await readAgenda(db)
      if (!agenda.hasLive && !agenda.hasApproved && !agenda.hasObstacles) return { busy: false }
      if (agenda.hasObstacles) await dropStaleObstacles(db)
      if (agenda.hasLive) {
        for (const txid of await buryExpired(db, network)) log.warn('payment.buried', { txid })
      }
      const open = await findOpen(db)
      const done = await send(parts, agenda, open, now)
      await broadcasting.round(done.changed ? await findOpen(db) : open, agenda.stopped, now)
      return { busy: done.busy }
    },
  }
}

interface Done {
  readonly changed: boolean
  readonly busy: boolean
}
const NOTHING: Done = { changed: false, busy: false }

/** Prepares and signs, if everything is as it has to be. */
async function send(
  parts: PayoutParts,
  agenda: Agenda,
  open: readonly OpenPayment[],
  now: Date,
): Promise<Done> {
  const { signer } = parts
  const view = parts.view()
  if (signer === null || agenda.stopped) return NOTHING
  const unsound = unsoundness(view, parts.soundness, now.getTime())
  if (unsound !== null || view === null) {
    if (agenda.hasApproved && isDue(agenda, 'chain_unhealthy', parts.pace.recheckMs, now)) {
      await holdAll(parts, { code: 'chain_unhealthy', detail: unsound ?? '' }, now)
    }
    return NOTHING
  }
  try {
    return await prepareAndSign(parts, { agenda, open, view, signer, now })
  } catch (error) {
    if (error instanceof ChainFault) {
      await holdAll(parts, { code: 'nodes_disagree', detail: describeError(error) }, now)
    } else if (error instanceof NodeError || error instanceof NodesSilent) {
      await holdAll(parts, { code: 'chain_unhealthy', detail: describeError(error) }, now)
    } else throw error
    return NOTHING
  }
}

async function prepareAndSign(parts: PayoutParts, round: Round): Promise<Done> {
  const { agenda, view, signer, now, open } = round
  const known = agenda.obstacle?.code ?? null
  const limit = howMany(parts, round)
  const before = new Date(now.getTime() - parts.pace.recheckMs)
  const due = limit > 0 ? await findDue(parts.db, new Date(view.headAt), before, limit) : []
  if (limit > 0 && due.length === 0 && !isSigners(known)) await clearAll(parts, known)
  const fresh = due.length > 0 ? await prepareDue(parts, view, due, open, known, now) : []
  const unsigned: Unsigned[] = [...worthSigning(parts, round), ...fresh]
  if (unsigned.length > 0) await signPayments(parts, signer, unsigned, known, now)
  return { changed: unsigned.length > 0, busy: fresh.length === A_ROUND }
}

/**
 * How many withdrawals to prepare now. While the signer signs nothing, one at a time, to find out when it does again: what
 * is prepared in vain would only fill the table.
 */
function howMany({ pace }: PayoutParts, { agenda, open, now }: Round): number {
  const room = Math.min(A_ROUND, MOST_LIVE - open.length)
  const code = agenda.obstacle?.code
  if (code === undefined) return room
  if (!isDue(agenda, code, code === 'signer_cap' ? pace.capMs : pace.recheckMs, now)) return 0
  if (!isSigners(code)) return room
  return open.some((each) => isUnsigned(each) && each.purpose === 'withdrawal') ? 0 : Math.min(room, 1)
}

/** Those that were left unsigned and can still make it. */
function worthSigning(
  { pace, lifetimeMs }: PayoutParts,
  { agenda, open, view, now }: Round,
): readonly OpenPayment[] {
  if (agenda.obstacle?.code === 'signer_away' && !isDue(agenda, 'signer_away', pace.recheckMs, now)) return []
  const isCapped = agenda.obstacle?.code === 'signer_cap' && !isDue(agenda, 'signer_cap', pace.capMs, now)
  return open.filter(
    (each) =>
      isUnsigned(each) &&
      isFresh(each.expiresAt, view, lifetimeMs) &&
      !(isCapped && each.purpose === 'withdrawal'),
  )
}

function isUnsigned({ isSigned, offline }: OpenPayment): boolean {
  return !isSigned && !offline
}

/** Whether it is time to look at this obstacle again; one that was not there yet is always due. */
function isDue({ obstacle }: Agenda, code: string, everyMs: number, now: Date): boolean {
  if (obstacle === null || obstacle.code !== code) return true
  return now.getTime() - obstacle.checkedAt.getTime() >= everyMs
}
