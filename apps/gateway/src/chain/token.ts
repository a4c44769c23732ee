/** Reads of the token contract. All throw NodeError. */
import { encodeAddressWord, type NodeClient, NodeError, type TronAddress, type View } from '@aval/tron'

/** In micro-USDT. */
export async function tokenBalance(
  node: NodeClient,
  token: TronAddress,
  owner: TronAddress,
  view: View,
): Promise<bigint> {
  const { result } = await node.constantCall(token, 'balanceOf(address)', encodeAddressWord(owner), { view })
  return word(result, 'balanceOf')
}

export async function isBlacklisted(
  node: NodeClient,
  token: TronAddress,
  address: TronAddress,
): Promise<boolean> {
  const { result } = await node.constantCall(token, 'isBlackListed(address)', encodeAddressWord(address))
  return word(result, 'isBlackListed') !== 0n
}

/** Whether transfers are paused, and the fee the token takes of each, in hundredths of a percent. */
export async function tokenRules(
  node: NodeClient,
  token: TronAddress,
): Promise<{ readonly paused: boolean; readonly feeRate: bigint }> {
  const [paused, rate] = await Promise.all([
    node.constantCall(token, 'paused()', ''),
    node.constantCall(token, 'basisPointsRate()', ''),
  ])
  return { paused: word(paused.result, 'paused') !== 0n, feeRate: word(rate.result, 'basisPointsRate') }
}

function word(result: string, name: string): bigint {
  if (!/^[0-9a-f]{64}$/.test(result)) throw new NodeError('bad_answer', name, 'no 32-byte word')
  return BigInt(`0x${result}`)
}
