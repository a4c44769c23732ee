/** Whether a node is of our network: by its first block, and by the token that is money there. */
import type { TronAddress } from './address.ts'
import type { NodeClient } from './node-client.ts'

const TOKEN_DECIMALS = 6n

/**
 * The node's first block, and what tells its network from ours: null where nothing does.
 * @param own `genesis` is the id of our first block; null where none is known yet
 * @throws NodeError
 */
export async function compareNetwork(
  node: Pick<NodeClient, 'genesis' | 'hasContract' | 'constantCall'>,
  own: { readonly name: string; readonly token: TronAddress; readonly genesis: string | null },
): Promise<{ readonly genesis: string; readonly difference: string | null }> {
  const { name, token } = own
  const genesis = await node.genesis()
  if (own.genesis !== null && own.genesis !== genesis)
    return { genesis, difference: `its first block is ${genesis}, that of ${name} is ${own.genesis}` }
  if (!(await node.hasContract(token))) return { genesis, difference: `it has no contract ${token}` }
  const { result } = await node.constantCall(token, 'decimals()', '')
  const isSame = BigInt(`0x${result}0`) === 16n * TOKEN_DECIMALS
  return { genesis, difference: isSame ? null : `its token has other decimals than ${TOKEN_DECIMALS}` }
}
