/** Whether the chain, as the gateway sees it, is healthy enough to send money. Reading goes on in any case. */

/** One reading of the chain. */
export interface ChainReading {
  readonly head: number
  readonly headId: string
  /** By the chain's own clock. */
  readonly headAt: Date
  readonly solid: number
  readonly solidId: string
  readonly scanned: number
}

/** The chain as last read. Times are milliseconds since 1970. */
export interface ChainStatus extends Omit<ChainReading, 'headAt'> {
  /** By the chain's own clock. */
  readonly headAt: number
  /** By the system's clock: when this head was first seen. */
  readonly advancedAt: number
  /** Whether the last poll failed: nodes silent or contradicting each other, or an impossible answer. */
  readonly failed: boolean
  /** By the system's clock: when the chain's clock last jumped ahead; absent when it never did. */
  readonly clockJumpedAt?: number
}

export interface HealthLimits {
  /** How many solid blocks may be unread. */
  readonly maxUnread: number
  /** How many blocks may not be solid. */
  readonly maxUnsolid: number
  /** How long the head may stay the same. */
  readonly maxHeadAgeMs: number
  /** How far the head's time may be from the system's; null where the chain has a clock of its own. */
  readonly maxSkewMs: number | null
  /** How long to wait after the chain's clock has jumped; a transfer built between jumps would only expire. */
  readonly afterJumpMs?: number
}

/** How much faster than the system's the chain's clock may advance between two polls. */
const JUMP_MS = 30_000

/** Whether the chain's clock has jumped ahead between two polls that are `passedMs` apart. */
export function clockJumped(before: Pick<ChainStatus, 'headAt'>, headAt: number, passedMs: number): boolean {
  return headAt - before.headAt - passedMs > JUMP_MS
}

/** Why no money is sent now; null when it may be. */
export function unhealthyReason(
  status: ChainStatus | null,
  limits: HealthLimits,
  now: number,
): string | null {
  if (status === null) return 'the chain was not read yet'
  if (status.failed) return 'the last poll of the chain failed'
  const unread = status.solid - status.scanned
  if (unread > limits.maxUnread) return `${unread} solid blocks are not read`
  if (unread < 0) return 'the nodes are behind what was read'
  const unsolid = status.head - status.solid
  if (unsolid > limits.maxUnsolid) return `${unsolid} blocks are not solid`
  const headAge = now - status.advancedAt
  if (headAge > limits.maxHeadAgeMs) return `no block for ${Math.floor(headAge / 1_000)} s`
  const sinceJump = now - (status.clockJumpedAt ?? Number.NEGATIVE_INFINITY)
  if (sinceJump < (limits.afterJumpMs ?? 0)) return 'the chain’s clock has just jumped ahead'
  const skew = Math.abs(now - status.headAt)
  if (limits.maxSkewMs !== null && skew > limits.maxSkewMs) {
    return `the newest block is ${Math.floor(skew / 1_000)} s away from this machine's clock`
  }
  return null
}

/** Keeps the status of the chain between polls. */
export function createChainMonitor() {
  let status: ChainStatus | null = null
  let updatedAt = 0
  return {
    /** After each poll; null when it failed. */
    update(reading: ChainReading | null, now: Date): void {
      if (reading === null) {
        status = status === null ? null : { ...status, failed: true }
        return
      }
      const at = now.getTime()
      const headAt = reading.headAt.getTime()
      const advancedAt = status?.headId === reading.headId ? status.advancedAt : at
      const jumped = status !== null && clockJumped(status, headAt, at - updatedAt)
      const clockJumpedAt = jumped ? at : status?.clockJumpedAt
      status = {
        ...reading,
        headAt,
        advancedAt,
        failed: false,
        ...(clockJumpedAt !== undefined && { clockJumpedAt }),
      }
      updatedAt = at
    },
    status: (): ChainStatus | null => status,
  }
}
