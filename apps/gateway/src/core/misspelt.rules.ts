/** Names in an environment that nothing reads, and that somebody meant to be settings of ours. */

/** What container platforms name after services of theirs. */
const OF_PLATFORMS = /_(SERVICE_(HOST|PORT)(_\w+)?|PORT(_\d+_(TCP|UDP)(_\w+)?)?)$/

export interface Settings {
  /** Names that are read. */
  readonly ours: readonly string[]
  /** Names that other programs of ours read: they may stand in the same file. */
  readonly others?: readonly string[]
  /** What begins so is nobody else's. */
  readonly prefixes: readonly string[]
}

/** @returns a line for each, with the name that was meant where that can be told */
export function misspeltSettings(
  names: readonly string[],
  { ours, others = [], prefixes }: Settings,
): string[] {
  const given = new Set(names)
  const known = new Set([...ours, ...others])
  return names.flatMap((name) => {
    if (known.has(name) || OF_PLATFORMS.test(name)) return []
    // Where the right name is there as well, this one is somebody else's.
    const meant = nearest(
      name,
      ours.filter((each) => !given.has(each)),
    )
    if (meant !== null) return [`${name}: is no setting; did you mean ${meant}?`]
    const isOurs = prefixes.some((prefix) => name.toUpperCase().startsWith(prefix))
    return isOurs ? [`${name}: is no setting; README.md lists those that there are`] : []
  })
}

/** The longer a name, the more of it may be wrong. Short ones are like many other names: letters in the wrong order only. */
function nearest(name: string, candidates: readonly string[]): string | null {
  const text = name.toUpperCase()
  const [best] = candidates
    .map((candidate) => ({ candidate, steps: distance(text, candidate) }))
    .filter(({ candidate: { length }, steps }) => steps <= (length > 7 ? 2 : length > 5 ? 1 : 0))
    .sort((a, b) => a.steps - b.steps)
  const isTurned = (candidate: string) => candidate.length === text.length && distance(text, candidate) === 1
  return best?.candidate ?? candidates.find((each) => isTurned(each) && sorted(each) === sorted(text)) ?? null
}

const sorted = (text: string): string => [...text].sort().join('')

/** Letters to add, leave out, replace, or swap with their neighbour. */
function distance(from: string, to: string): number {
  const rows: number[][] = [Array.from({ length: to.length + 1 }, (_, column) => column)]
  const at = (row: number, column: number): number => rows[row]?.[column] ?? Number.POSITIVE_INFINITY
  for (let row = 1; row <= from.length; row += 1) {
    const line = [row]
    rows.push(line)
    for (let column = 1; column <= to.length; column += 1) {
      const replaced = at(row - 1, column - 1) + (from[row - 1] === to[column - 1] ? 0 : 1)
      const isSwap = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      const swapped = isSwap ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY
      line.push(Math.min(at(row - 1, column) + 1, at(row, column - 1) + 1, replaced, swapped))
    }
  }
  return at(from.length, to.length)
}
