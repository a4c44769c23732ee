/**
 * Integrity: what the catalog of the database says, against what it says of a database that was only migrated. A *fact* is a subject
 * with its attributes; a *difference* is one line that names what is missing, added or other than it was made.
 */

type Attributes = Readonly<Record<string, string>>

export interface Fact {
  readonly subject: string
  /** The partition it is about. Its subject ends with "partition of" and the parent's name. */
  readonly part: string | null
  readonly attributes: Attributes
}

/** What is to be, by subject. */
export type Catalog = Readonly<Record<string, Attributes>>

const PARTITION = /partition of (\S+)$/
/** Longer ones are not shown: that they differ says as much. */
const SAID_IN_FULL = 80
/** Digests: nobody reads them. */
const UNREADABLE = new Set(['text'])

function sayAttribute(name: string, is: string | undefined, meant: string | undefined): string {
  if (name === 'enabled' && is === 'no') return 'disabled'
  if (is === 'yes' && meant !== undefined) return name
  if (is === 'no') return `not ${name}`
  const both = `${is ?? 'nothing'} instead of ${meant ?? 'nothing'}`
  return UNREADABLE.has(name) || both.length > SAID_IN_FULL ? `${name} differs` : `${name} ${both}`
}

/** Which attributes differ, in words; nothing where none does. */
function compareAttributes(is: Attributes, meant: Attributes): string[] {
  const names = [...new Set([...Object.keys(is), ...Object.keys(meant)])].sort()
  return names
    .filter((name) => is[name] !== meant[name])
    .map((name) => sayAttribute(name, is[name], meant[name]))
}

function compareAll(
  facts: ReadonlyMap<string, Attributes>,
  meant: ReadonlyMap<string, Attributes>,
  nameOf: (subject: string) => string,
): string[] {
  const subjects = [...new Set([...facts.keys(), ...meant.keys()])].sort()
  return subjects.flatMap((subject) => {
    const [is, should] = [facts.get(subject), meant.get(subject)]
    if (is === undefined) return [`${nameOf(subject)}: missing`]
    if (should === undefined) return [`${nameOf(subject)}: not of ours`]
    return compareAttributes(is, should).map((difference) => `${nameOf(subject)}: ${difference}`)
  })
}

const parentOf = (subject: string): string | undefined => PARTITION.exec(subject)?.[1]

/** How many partitions there are, and where each ends, is a job's to decide; each is guarded as those are that a migration made. */
function comparePartitions(facts: readonly Fact[], meant: ReadonlyMap<string, Attributes>): string[] {
  const parts = Map.groupBy(
    facts.filter(({ part }) => part !== null),
    ({ part }) => part ?? '',
  )
  const found = [...parts].flatMap(([part, its]) => {
    const parent = parentOf(its[0]?.subject ?? '')
    const alike = new Map([...meant].filter(([subject]) => parentOf(subject) === parent))
    if (alike.size === 0) return [`table ${part}: not of ours`]
    const own = new Map(its.map(({ subject, attributes }) => [subject, attributes]))
    return compareAll(own, alike, (subject) => subject.replace(PARTITION, part))
  })
  const parents = new Set([...parts.values()].map(([first]) => parentOf(first?.subject ?? '')))
  const gone = [...meant.keys()].filter((subject) => subject.startsWith('table partition of '))
  return [
    ...found,
    ...gone
      .filter((subject) => !parents.has(parentOf(subject)))
      .map((subject) => `${subject.replace('table partition', 'partitions')}: missing`),
  ]
}

/** Every difference, a line each; none where the database is as its migrations made it. */
export function compareCatalog(facts: readonly Fact[], expected: Catalog): string[] {
  const meant = new Map(Object.entries(expected))
  const wholeMeant = new Map([...meant].filter(([subject]) => parentOf(subject) === undefined))
  const whole = new Map(
    facts.filter(({ part }) => part === null).map(({ subject, attributes }) => [subject, attributes]),
  )
  return [...compareAll(whole, wholeMeant, (subject) => subject), ...comparePartitions(facts, meant)]
}

const MOST = 200
const LONGEST = 300

/** As they are kept: so many lines, each of so many characters. Payments stop however many there were. */
export function keptDifferences(differences: readonly string[]): string[] {
  const lines = differences.slice(0, MOST).map((line) => line.slice(0, LONGEST))
  const more = differences.length - lines.length
  return more === 0 ? lines : [...lines, `and ${more} more`]
}
