/** Has prepared transfers signed, as long as there is time for them to enter the chain. */
import type { ChainStatus } from '../chain/health.rules.ts'
import { mapInOrder } from '../core/in-order.ts'
import type { SignerPort, SignerReply } from '../signer/protocol.ts'
import type { OutgoingContext } from './context.ts'
import { delayAll, delayEach, isSignerDelay, resumeAll } from './delays.ts'
import { type DelayCode, expireUnsigned, type OpenTransfer } from './outgoing.sql.ts'

const IN_FLIGHT = 8

export type Unsigned = Pick<OpenTransfer, 'txid' | 'memberId' | 'withdrawalId'>

/** Whether a transfer may still be signed: the last quarter of its lifetime is left for the nodes and the chain. */
export function isFresh(expiresAt: Date, status: ChainStatus, lifetimeMs: number): boolean {
  return expiresAt.getTime() - status.headAt > lifetimeMs / 4
}

/**
 * Asks for these signatures; the signer stores them itself. A transfer that it refuses is expired at once, because nobody
 * else can have signed it; its withdrawal is due again when the transfer would have expired.
 * @param known what delayed all of them so far
 */
export async function signTransfers(
  context: OutgoingContext,
  signer: SignerPort,
  unsigned: readonly Unsigned[],
  known: DelayCode | null,
  now: Date,
): Promise<void> {
  let delay = known
  const replies = mapInOrder(unsigned, IN_FLIGHT, async (transfer) => ({
    transfer,
    reply: await signer.sign(transfer.txid),
  }))
  for await (const { transfer, reply } of replies) {
    if (reply.signed) {
      if (isSignerDelay(delay)) await resumeAll(context, delay)
      delay = null
    } else if (await handleRefusal(context, transfer, reply, now)) return
  }
}

/** Whether the refusal ends the round, because it concerns all transfers. */
async function handleRefusal(
  context: OutgoingContext,
  { txid, memberId, withdrawalId }: Unsigned,
  { code, message }: Extract<SignerReply, { signed: false }>,
  now: Date,
): Promise<boolean> {
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
    case 'cap_reached':
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
