/** What members ask of their downline, as HTTP calls: who asks, for what, how often. */
import type { Api } from '../apps/server/src/http/server.ts'
import { FIRST_NAMES, LAST_NAMES } from './names.ts'
import type { Chance } from './random.ts'
import { type Spread, spreadOf } from './timing.ts'

export interface Asker {
  readonly memberId: number
  readonly authorization: string
}

/** The first member of all, whoever has the largest downline below, and others taken by chance. */
export interface Askers {
  readonly root: Asker
  readonly leader: Asker
  readonly typical: readonly Asker[]
}

export interface Places {
  readonly members: number
  /** Who introduced most. */
  readonly star: { readonly memberId: number; readonly direct: number }
}

interface Call {
  readonly name: string
  readonly times: number
  readonly ask: (turn: number) => { asker: Asker; url: string }
}

/** Two letters are the least that can be searched for, and find a great many. */
const BEGINNING = 2

export function callsOf({ root, leader, typical }: Askers, places: Places, chance: Chance): Call[] {
  const { members, star } = places
  const somebody = () => `O-${1 + chance.below(members)}`
  const one = (turn: number): Asker => typical[turn % typical.length] ?? root
  const pick = (names: readonly string[]) => names[chance.below(names.length)] ?? ''
  const texts = [
    () => pick(FIRST_NAMES),
    () => pick(LAST_NAMES).slice(0, BEGINNING + chance.below(4)),
    () => `m${1 + chance.below(members)}`,
    () => `${pick(FIRST_NAMES)} ${pick(LAST_NAMES)}`,
    () => `m${1 + chance.below(members)}@bench.example`,
    () => 'nobody is called so',
  ]
  const query = (turn: number) => encodeURIComponent(texts[turn % texts.length]?.() ?? '')
  const by = (asker: (turn: number) => Asker, url: (turn: number) => string): Call['ask'] => {
    return (turn) => ({ asker: asker(turn), url: url(turn) })
  }
  const rootAsks = (url: (turn: number) => string) => by(() => root, url)
  const tree = '/api/tree/get-binary-tree/'
  const view = (turn: number) => (turn % 2 === 0 ? 'unilevel' : 'binary')
  return [
    { name: 'dashboard, root', times: 300, ask: rootAsks(() => '/api/core/dashboard/') },
    { name: 'dashboard, typical', times: 500, ask: by(one, () => '/api/core/dashboard/') },
    { name: 'tree, root', times: 100, ask: rootAsks(() => tree) },
    { name: 'tree, root, binary', times: 100, ask: rootAsks(() => `${tree}?view=binary`) },
    { name: 'tree, typical', times: 200, ask: by(one, () => tree) },
    {
      name: 'tree, three levels of somebody',
      times: 200,
      ask: rootAsks((turn) => `${tree}?root=${somebody()}&depth=3&view=${view(turn)}`),
    },
    {
      name: 'tree, root, as of a day',
      times: 50,
      ask: rootAsks((turn) => `${tree}?as_of=2026-0${1 + (turn % 5)}-15`),
    },
    {
      name: 'children of somebody',
      times: 300,
      ask: rootAsks(() => `${tree}?children_of=${somebody()}`),
    },
    {
      name: 'children of who has most',
      times: 300,
      ask: rootAsks(() => `${tree}?children_of=O-${star.memberId}&offset=${chance.below(star.direct)}`),
    },
    {
      name: 'search, root',
      times: 300,
      ask: rootAsks((turn) => `/api/tree/search/?q=${query(turn)}&view=${view(turn)}`),
    },
    {
      name: 'search, leader',
      times: 300,
      ask: by(
        () => leader,
        (turn) => `/api/tree/search/?q=${query(turn)}`,
      ),
    },
    { name: 'search, typical', times: 300, ask: by(one, (turn) => `/api/tree/search/?q=${query(turn)}`) },
    {
      name: 'way to somebody',
      times: 300,
      ask: rootAsks((turn) => `/api/tree/path/?id=${somebody()}&view=${view(turn)}`),
    },
    { name: 'one member', times: 300, ask: rootAsks(() => `/api/tree/members/${somebody()}/`) },
    {
      name: 'referrals of who has most',
      times: 100,
      ask: rootAsks(() => `/api/tree/get-referrals/`),
    },
  ]
}

const WARM_UPS = 5

/** One call after the other. @throws when one is not answered with 200 */
export async function measureCalls(api: Api, calls: readonly Call[]): Promise<Map<string, Spread>> {
  const spreads = new Map<string, Spread>()
  for (const { name, times, ask } of calls) {
    const all: number[] = []
    for (let turn = -WARM_UPS; turn < times; turn += 1) {
      const { asker, url } = ask(Math.abs(turn))
      const begun = performance.now()
      const answer = await api.inject({ url, headers: { authorization: asker.authorization } })
      if (turn >= 0) all.push(performance.now() - begun)
      if (answer.statusCode !== 200) throw new Error(`${url} answered ${answer.statusCode}: ${answer.body}`)
    }
    spreads.set(name, spreadOf(all))
  }
  return spreads
}
