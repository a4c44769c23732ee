/** What is done to the cluster: its leader is killed, and the parts are cut off from each other. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Cluster } from './cluster.ts'
import { type Cut, cutOff, HERE, type Node, nodes } from './machine.ts'

export interface Fault {
  readonly name: string
  /** @returns mends it, at a time of its own or when the database has moved */
  do(cluster: Cluster, leader: Node): Promise<Mending>
}

interface Mending {
  /** The database does not come back before this is mended. */
  readonly isNeeded: boolean
  mend(): Promise<void>
}

/** How long the parts stay apart where the database cannot move. */
const APART_MS = 12_000
/** Longer than a leader without the others may stay one. */
const ALL_APART_MS = 25_000

const ETCD = '2379,2380'
const others = (node: Node): Cut[] =>
  nodes.filter(({ name }) => name !== node.name).map(({ address }) => ({ address }))

export const KILL: Fault = {
  name: 'the leader killed (SIGKILL of Patroni and PostgreSQL)',
  async do(cluster, leader) {
    await cluster.kill(leader)
    return { isNeeded: false, mend: async () => void cluster.startPatroni(leader) }
  },
}

const cut = (name: string, cutsOf: (leader: Node) => readonly Cut[], apartMs: number | null): Fault => ({
  name,
  async do(_, leader) {
    const join = await cutOff(leader, cutsOf(leader))
    if (apartMs === null) return { isNeeded: false, mend: join }
    await pause(apartMs)
    return { isNeeded: true, mend: join }
  },
})

export const CUTS: readonly Fault[] = [
  cut('the leader cut off from the other nodes', others, null),
  cut('the product cut off from the leader', () => [{ address: HERE }], APART_MS),
  cut(
    'etcd cut off from the leader',
    (leader) => others(leader).map((far) => ({ ...far, ports: ETCD })),
    null,
  ),
  cut('the leader cut off from everything', (leader) => [...others(leader), { address: HERE }], null),
  {
    name: 'every node cut off from every other one',
    async do() {
      const joins = await Promise.all(nodes.map((node) => cutOff(node, others(node))))
      await pause(ALL_APART_MS)
      return { isNeeded: true, mend: async () => void (await Promise.all(joins.map((join) => join()))) }
    },
  },
]
