/** Has prepared payments signed, as long as there is time for them to enter the chain. */
import { readAhead } from '../chain/read-ahead.ts'
import type { ChainView } from '../chain/standing.rules.ts'
import type { SignerPort, SignerReply } from '../signer/protocol.ts'
import { buryUnsigned, type ObstacleCode, type OpenPayment } from './agenda.sql.ts'
import { clearAll, holdAll, isSigners, tellObstacles } from './obstacles.ts'
import type { PayoutParts } from './parts.ts'

const IN_FLIGHT = 8

export type Unsigned = Pick<OpenPayment, 'txid' | 'memberId' | 'withdrawalId'>

/** Whether a payment is worth a signature: the last quarter of its life is left for the nodes and the chain. */
export function isFresh(expiresAt: Date, view: ChainView, lifetimeMs: number): boolean {
  return expiresAt.getTime() - view.headAt > lifetimeMs / 4
}

/**
 * Asks for these signatures; the signer itself stores them. What it will not sign is buried at once, because nobody else
 * can have signed it, and is due again when it would have expired.
 * @param known what held up all of them so far
 */
export async function signPayments(
  parts: PayoutParts,
  signer: SignerPort,
  unsigned: readonly Unsigned[],
  known: ObstacleCode | null,
  now: Date,
): Promise<void> {
  let standing = known
  const replies = readAhead(0, unsigned.length - 1, IN_FLIGHT, async (place) => {
    const payment = unsigned[place]
    if (payment === undefined) throw new RangeError('no such payment')
    return { payment, reply: await signer.sign(payment.txid) }
  })
  for await (const { payment, reply } of replies) {
    if (reply.signed) {
      if (isSigners(standing)) await clearAll(parts, standing)
      standing = null
      continue
    }
    if (await isEndOfRound(parts, payment, reply, now)) return
  }
}

type Refusal = Extract<SignerReply, { signed: false }>

/** Deals with a refusal; whether it will be the same for all others. */
async function isEndOfRound(
  parts: PayoutParts,
  payment: Unsigned,
  { code, message }: Refusal,
  now: Date,
): Promise<boolean> {
  switch (code) {
    case 'signer_unavailable':
    case 'signer_failed':
      await holdAll(parts, { code: 'signer_away', detail: message }, now)
      return true
    case 'stopped':
      return true
    case 'closed':
    case 'not_found':
      return false
    case 'cap_reached':
      await buryUnsigned(parts.db, parts.network, payment.txid)
      await holdAll(parts, { code: 'signer_cap', detail: message }, now)
      return true
    default:
      return refuseOne(parts, payment, { code, message }, now)
  }
}

async function refuseOne(
  parts: PayoutParts,
  { txid, memberId, withdrawalId }: Unsigned,
  { code, message }: Pick<Refusal, 'code' | 'message'>,
  now: Date,
): Promise<boolean> {
  await buryUnsigned(parts.db, parts.network, txid)
  parts.log.error('payment.unsigned', { txid, code, message })
  if (withdrawalId !== null) {
    const detail = `${code}: ${message}`
    await tellObstacles(parts, [{ memberId, withdrawalId, code: 'signer_refused', detail }], now)
  }
  return false
}
