import { isDeepStrictEqual } from 'node:util'
import type { Account, History, Step } from './history.ts'

const INVESTS: ReadonlySet<Step['kind']> = new Set(['invest', 'reinvest', 'complete'])

type Line = Readonly<Record<string, unknown>>

/**
 * Where two accounts of the same history part, a sentence each: which run, which line of it. Empty where they are
 * the same to the last micro-USDT, in the same order.
 */
export function differences(model: Account, engine: Account): string[] {
  if (isDeepStrictEqual(model, engine)) return []
  const found = [
    ...inOrder('runs', model.runs, engine.runs, ({ kind, period }) => `${kind} run ${period}`, [
      'items',
      'missed',
    ]),
    ...inOrder(
      'reversals',
      model.reversals,
      engine.reversals,
      ({ investment }) => `reversal of #${investment}`,
      ['taken'],
    ),
    ...lines('totals', model.totals, engine.totals),
  ]
  return found.length > 0 ? found : ['They differ in what nobody compares.']
}

/** What happened, one after the other: what it was called, and the lists it consists of. */
function inOrder<Event extends object>(
  what: string,
  model: readonly Event[],
  engine: readonly Event[],
  nameOf: (event: Event) => string,
  lists: readonly (keyof Event & string)[],
): string[] {
  const names = model.map(nameOf)
  const engineNames = engine.map(nameOf)
  if (!isDeepStrictEqual(names, engineNames))
    return [`${what}: the model has ${names.join(', ')}; the engine ${engineNames.join(', ')}`]
  return model.flatMap((event, at) =>
    lists.flatMap((list) => lines(`${names[at]}, ${list}`, event[list], engine[at]?.[list])),
  )
}

function lines(where: string, model: unknown, engine: unknown): string[] {
  const [expected, played] = [rowsOf(model), rowsOf(engine)]
  return Array.from({ length: Math.max(expected.length, played.length) }, (_, at) => at).flatMap((at) =>
    isDeepStrictEqual(expected[at], played[at])
      ? []
      : [`${where} [${at}]: the model has ${asText(expected[at])}; the engine ${asText(played[at])}`],
  )
}

function rowsOf(list: unknown): readonly Line[] {
  return Array.isArray(list) ? list : []
}

function asText(line: Line | undefined): string {
  if (line === undefined) return 'nothing'
  const shown = Object.entries(line).flatMap(([name, value]) => (value === null ? [] : [`${name} ${value}`]))
  return shown.sort().join(', ')
}

/**
 * An account without the runs of the days before the first investment: a database counts its days from the first investment
 * on, and the model from the first day on.
 * @throws when there was anything in them
 */
export function fromFirstInvestment({ steps }: History, account: Account): Account {
  const first = steps.findIndex(({ kind }) => INVESTS.has(kind))
  const before = first === -1 ? steps : steps.slice(0, first)
  const runs = before.filter(({ kind }) => kind === 'day').length * 2
  if (account.runs.slice(0, runs).some(({ items, missed }) => items.length + missed.length > 0))
    throw new Error('a member was paid before the first investment')
  return { ...account, runs: account.runs.slice(runs) }
}

/** A history as JSON, amounts in micro-USDT as text. */
export function asJson(history: unknown): string {
  return JSON.stringify(
    history,
    (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value),
    1,
  )
}
