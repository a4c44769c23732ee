/** Whether the chain, as we see it, is one to send money on. Reading goes on whatever this says. */

/** What the last looks saw. Times are milliseconds since 1970. */
export interface ChainView {
  readonly head: number
  readonly headId: string
  /** By the chain's own clock. */
  readonly headAt: number
  readonly solid: number
  readonly solidId: string
  readonly scanned: number
  /** By the system's clock: when this head was first seen. */
  readonly advancedAt: number
  /** Whether the last look failed: the nodes are silent, contradict each other, or tell what cannot be. */
  readonly failed: boolean
  /** By the system's clock: when the chain's clock was last seen to leap ahead; absent when it never was. */
  readonly leaptAt?: number
}

export interface Soundness {
  /** How many solid blocks may be unread. */
  readonly unread: number
  /** How many blocks may not be solid. */
  readonly unsolid: number
  /** How long the head may stand still. */
  readonly stillMs: number
  /** How far the head's time may be from the system's; null where the chain has a clock of its own. */
  readonly skewMs: number | null
  /** How long after the chain's clock has leapt; a transfer built in the midst of leaps only expires. */
  readonly calmMs?: number
}

/** How much faster than ours the chain's clock may run between two looks before it is called a leap. */
const LEAP_MS = 30_000

/** Whether the chain's clock has leapt ahead from one look to the next; `passedMs` lie between them. */
export function hasLeapt(before: Pick<ChainView, 'headAt'>, headAt: number, passedMs: number): boolean {
  return headAt - before.headAt - passedMs > LEAP_MS
}

/** Why no money is sent now; null when it may be. */
export function unsoundness(view: ChainView | null, limits: Soundness, now: number): string | null {
  if (view === null) return 'the chain was not read yet'
  if (view.failed) return 'the last look at the chain failed'
  if (view.solid - view.scanned > limits.unread)
    return `${view.solid - view.scanned} solid blocks are not read`
  if (view.solid < view.scanned) return 'the nodes are behind what was read'
  if (view.head - view.solid > limits.unsolid) return `${view.head - view.solid} blocks are not solid`
  if (now - view.advancedAt > limits.stillMs)
    return `no block for ${Math.floor((now - view.advancedAt) / 1_000)} s`
  const calm = now - (view.leaptAt ?? Number.NEGATIVE_INFINITY)
  if (calm < (limits.calmMs ?? 0)) return 'the chain’s clock has just leapt ahead'
  const skew = Math.abs(now - view.headAt)
  if (limits.skewMs !== null && skew > limits.skewMs) {
    return `the newest block is ${Math.floor(skew / 1_000)} s away from this machine's clock`
  }
  return null
}
