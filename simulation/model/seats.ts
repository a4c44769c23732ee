/** The members of a history as the engine knows networks: arrays by id. */
import type { Plan, Upline } from '@aval/plan'
import type { Network } from '../../apps/server/src/features/payout-runs/calculate/engine.rules.ts'
import type { Member } from './history.ts'

/** Ids have gaps, and those of more than a few members do not fit into one block. */
export const STRIDE = 211

export function seatOf(memberId: number): number {
  return 1 + (memberId - 1) * STRIDE
}

export function idOf(seat: number): number {
  return 1 + (seat - 1) / STRIDE
}

export interface Seats {
  readonly network: Network
  readonly extraPercents: Map<number, string>
  /** One more than the highest seat. */
  readonly size: number
}

export function seatsOf(members: readonly Member[]): Seats {
  const size = seatOf(members.length) + 1
  const network = {
    parent: new Int32Array(size),
    leg: new Uint8Array(size),
    sponsor: new Int32Array(size),
    master: new Uint8Array(size),
  }
  for (const { id, sponsorId, parentId, side } of members) {
    const seat = seatOf(id)
    if (sponsorId === null || parentId === null) continue
    network.sponsor[seat] = seatOf(sponsorId)
    network.parent[seat] = seatOf(parentId)
    network.leg[seat] = side === 'L' ? 1 : 2
  }
  return { network, extraPercents: new Map(), size }
}

/** Chains walked one sponsor after the other, as they are read for a few investments. */
export function walkerOf(
  { network, extraPercents }: Seats,
  plan: Plan,
  active: (seat: number) => boolean,
): (memberId: bigint) => Upline[] {
  const { levels, compression } = plan.direct
  const step = (below: number, level: number): Upline[] => {
    const up = network.sponsor[below] ?? 0
    if (up === 0) return []
    const masterLink = network.master[below] === 1
    const upline = {
      memberId: BigInt(up),
      level,
      active: active(up),
      extraPercent: extraPercents.get(up) ?? '0',
      masterLink,
    }
    const isRead = compression || level <= levels.length || masterLink
    return [...(isRead ? [upline] : []), ...step(up, level + 1)]
  }
  return (memberId) => step(Number(memberId), 1)
}
