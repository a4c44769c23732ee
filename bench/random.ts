/** Chance that comes out the same every time: two runs of a benchmark work on the same network. */

export type Chance = ReturnType<typeof chanceFrom>

/** Mulberry32: 32 bits of state, a few operations a draw; good enough for shapes of trees, never for secrets. */
export function chanceFrom(seed: number) {
  let state = seed | 0
  const draw = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  return {
    /** A whole number from 0 to `limit` - 1. */
    below: (limit: number): number => Math.floor(draw() * limit),
    /** True in this share of all cases, 0 to 1. */
    happens: (share: number): boolean => draw() < share,
  }
}
