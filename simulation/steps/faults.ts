/** What can be wrong with the world, and its healing. */
import type { NodeFaultInput } from '@aval/devnet'
import type { World } from '../world.ts'

const TROUBLES: readonly ((world: World) => NodeFaultInput)[] = [
  () => ({ kind: 'lag', blocks: 4 }),
  () => ({ kind: 'fork', depth: 2 }),
  () => ({ kind: 'fork', depth: 1, transactions: 'moved' }),
  () => ({ kind: 'drop', times: 2 }),
  () => ({ kind: 'duplicate', times: 2 }),
  () => ({ kind: 'timeout_after_acceptance', as: 'close', times: 2 }),
  () => ({ kind: 'refuse', code: 'SERVER_BUSY', times: 2 }),
  () => ({ kind: 'error', as: 'error_field', times: 3 }),
  () => ({ kind: 'error', as: 'text', times: 3 }),
  () => ({ kind: 'error', as: 'html', times: 3 }),
  () => ({ kind: 'error', as: 'empty', times: 3 }),
  () => ({ kind: 'error', as: 'http500', times: 3 }),
  () => ({ kind: 'error', as: 'cut_json', times: 3 }),
  () => ({ kind: 'error', as: 'close', times: 2 }),
  (world) => ({ kind: 'lie', about: 'hidden', to: world.template.investors[0]?.wallet ?? '' }),
  () => ({ kind: 'lie', about: 'receipt_success', times: 4 }),
  () => ({ kind: 'lie', about: 'receipt_failure', times: 4 }),
  (world) => ({ kind: 'lie', about: 'phantom', to: world.template.company, value: '123.45' }),
]

/** One node goes wrong; the other stays as it is. */
export async function troubleNode(world: World): Promise<string> {
  const { devnet, chance } = world
  const node = devnet.nodes[chance.below(devnet.nodes.length)]
  const trouble = TROUBLES[chance.below(TROUBLES.length)]?.(world)
  if (node === undefined || trouble === undefined) return 'no trouble'
  // Only one lies at a time: that both agree on the same lie is another world.
  for (const each of devnet.nodes) each.clear()
  try {
    node.fault(trouble)
  } catch (error) {
    return `no ${trouble.kind}: ${error instanceof Error ? error.message.slice(0, 60) : ''}`
  }
  return `node ${devnet.nodes.indexOf(node)}: ${trouble.kind}`
}

/** Both nodes lose what is handed to them, until something else is the matter. */
export async function troubleBroadcasts(world: World): Promise<string> {
  const kind = (['drop', 'duplicate', 'refuse'] as const)[world.chance.below(3)] ?? 'drop'
  for (const node of world.devnet.nodes) {
    node.clear()
    node.fault(kind === 'refuse' ? { kind, code: 'SERVER_BUSY' } : { kind })
  }
  return `both nodes: ${kind}`
}

type ChainTrouble = readonly [
  kind: string,
  on: Readonly<Record<string, unknown>>,
  off: Readonly<Record<string, unknown>>,
]

const chainTroubles = (world: World): readonly ChainTrouble[] => [
  ['pause', { paused: true }, { paused: false }],
  ['fee', { basis_points: 10, maximum_fee: '2' }, { basis_points: 0, maximum_fee: '0' }],
  [
    'blacklist',
    { address: world.template.investors[1]?.wallet, listed: true },
    { address: world.template.investors[1]?.wallet, listed: false },
  ],
  ['energy', { factor: 20 }, { factor: 1 }],
  ['empty_blocks', { on: true }, { on: false }],
  ['stall', { on: true }, { on: false }],
  ['solid_stall', { on: true }, { on: false }],
]

/** Something of the whole chain is switched on or off. */
export async function troubleChain(world: World, active: Set<string>): Promise<string> {
  const all = chainTroubles(world)
  const trouble = all[world.chance.below(all.length)]
  if (trouble === undefined) return 'no trouble'
  const [kind, on, off] = trouble
  const isOn = active.has(kind)
  await world.devnet.fault(kind, isOn ? off : on)
  if (isOn) active.delete(kind)
  else active.add(kind)
  return `chain: ${kind} ${isOn ? 'off' : 'on'}`
}

/** Everything is as it should be again. */
export async function healAll(world: World, active: Set<string>): Promise<void> {
  for (const node of world.devnet.nodes) node.clear()
  for (const [kind, , off] of chainTroubles(world)) if (active.has(kind)) await world.devnet.fault(kind, off)
  active.clear()
}

export async function forgetPool(world: World): Promise<string> {
  await world.devnet.fault('drop_pending')
  return 'the pool is forgotten'
}
