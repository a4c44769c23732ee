/**
 * Stands between a node and all that asks it. Nothing is asked before the node has shown that it is of our network, and again from time
 * to time (decision 090). The meter says whether it may be asked at all.
 */
import { type BlockHeader, compareNetwork, type NodeClient, NodeError, type TronAddress } from '@aval/tron'
import { createMeter, type MeterOptions } from './meter.ts'

/** What every node of ours has to show. */
export interface OwnNetwork {
  readonly name: string
  readonly token: TronAddress
  /** The id of our first block; null where none is known yet. */
  genesis(): Promise<string | null>
  /** From now on it is this one; gives what another process may have pinned before. */
  pin(met: string): Promise<string>
}

export interface GuardOptions extends MeterOptions {
  readonly network: OwnNetwork
}

export type Guard = ReturnType<typeof guardNode>
type Asked = ReturnType<typeof createMeter>['asked']

/** A node that has shown its network is believed for so long; 432 calls a day. */
const BELIEVED_MS = 600_000
const OTHER_NETWORK_REST_MS = 60_000
/** Solid blocks come one by one: a leap is no proof of another chain, and a reason to ask. */
const LEAP_BLOCKS = 100

/** What tells a node's network from ours; null where nothing does. */
async function differenceOf(
  client: NodeClient,
  asked: Asked,
  { name, token, genesis, pin }: OwnNetwork,
): Promise<string | null> {
  const metered: Pick<NodeClient, 'genesis' | 'hasContract' | 'constantCall'> = {
    genesis: () => asked(() => client.genesis()),
    hasContract: (address) => asked(() => client.hasContract(address)),
    constantCall: (...call) => asked(() => client.constantCall(...call)),
  }
  const known = await genesis()
  const met = await compareNetwork(metered, { name, token, genesis: known })
  if (met.difference !== null) return met.difference
  const pinned = known ?? (await pin(met.genesis))
  return pinned === met.genesis ? null : `its first block is ${met.genesis}, that of ${name} is ${pinned}`
}

export function guardNode(client: NodeClient, options: GuardOptions) {
  const { network, now = Date.now } = options
  let believedUntil = 0
  let verifying: Promise<void> | null = null
  let solid: BlockHeader | null = null
  const doubt = () => {
    believedUntil = 0
  }
  const meter = createMeter(options, doubt)
  const { asked } = meter
  const verify = async () => {
    const difference = await differenceOf(client, asked, network)
    if (difference !== null) {
      meter.turn('other_network', difference, OTHER_NETWORK_REST_MS)
      throw new NodeError('other_network', 'not asked', difference)
    }
    believedUntil = now() + BELIEVED_MS
    meter.turn('ok', '')
  }
  const ensureOwn = async (): Promise<void> => {
    if (now() < believedUntil) return
    verifying ??= verify().finally(() => {
      verifying = null
    })
    await verifying
  }
  const ask = async <Answer>(question: () => Promise<Answer>): Promise<Answer> => {
    await ensureOwn()
    return asked(question)
  }
  /** A chain that fell back, leapt, or has another block at its end may be another one: that is found out before it is believed. */
  const solidBlock = async (): Promise<BlockHeader> => {
    const block = await ask(() => client.solidBlock())
    const leap = solid === null ? 0 : block.number - solid.number
    if (leap < 0 || leap > LEAP_BLOCKS || (leap === 0 && solid !== null && block.id !== solid.id)) {
      doubt()
      await ensureOwn()
    }
    solid = block
    return block
  }
  const node = new Proxy(client, {
    get(target, key) {
      if (key === 'solidBlock') return solidBlock
      const value: unknown = Reflect.get(target, key)
      if (typeof value !== 'function') return value
      return (...given: unknown[]) => ask(async () => Reflect.apply(value, target, given) as unknown)
    },
  })
  const { restMs, paceMs, resume, standing } = meter
  /** `doubt`: what was read does not fit together; the node shows its network before it is asked again. */
  return { node, doubt, restMs, paceMs, resume, standing }
}
