/** An address in groups of four, so that a person can compare it with what the wallet shows. */
export const groupsOfFour = (address: string): { text: string; at: number }[] =>
  [...address.matchAll(/.{1,4}/gsu)].map(({ 0: text, index }) => ({ text, at: index }))

/** First and last characters of a hash, for tables where the whole one is a link away. */
export function shortHash(hash: string): string {
  return hash.length <= 14 ? hash : `${hash.slice(0, 6)}…${hash.slice(-6)}`
}
