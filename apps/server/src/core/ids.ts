/** Reads the number of something from a path; null for what no number of ours can be. */
export function readId(text: string): bigint | null {
  return /^[1-9]\d{0,17}$/.test(text) ? BigInt(text) : null
}
