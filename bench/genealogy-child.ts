/**
 * What members ask of their downline, as HTTP calls: who asks, for what, how often. Measured in a process of its own, as the
 * product runs the API, with nothing else in its memory.
 */
import { REFERRAL_SORTS, REFERRALS_LOOKED_AT } from '@aval/contract'
import { type Connection, connect, inTransaction } from '@aval/db'
import type pg from 'pg'
import { z } from 'zod'
import { openSession } from '../apps/server/src/features/identity/sessions/sessions.commands.ts'
import { features, parts } from '../apps/server/src/features.ts'
import type { Api } from '../apps/server/src/http/api.ts'
import { buildServer } from '../apps/server/src/http/server.ts'
import { testConfig } from '../apps/server/src/testing/server.ts'
import { NOW } from './day.ts'
import { FIRST_NAMES, LAST_NAMES } from './load.sql.ts'
import { type Spread, spreadOf } from './measures.ts'
import { answerParent } from './processes.ts'
import { type Chance, chanceFrom } from './random.ts'

/** The sign-ins of the first member of all, of the one with the largest downline below, and of others taken by chance. */
interface Askers {
  readonly root: string
  readonly leader: string
  readonly typical: readonly string[]
  /** Of those whose referrals can be searched and put in order, the one with most. */
  readonly sponsor: string
}

interface Places {
  readonly members: number
  /** Who introduced most. */
  readonly star: { readonly memberId: number; readonly direct: number }
}

interface Call {
  readonly name: string
  readonly times: number
  readonly ask: (turn: number) => { authorization: string; url: string }
}

/** Two letters are the least that can be searched for, and find a great many. */
const BEGINNING = 2

/** What people type, one kind after the other. */
function textsOf(members: number, chance: Chance): (turn: number) => string {
  const pick = (names: readonly string[]) => names[chance.below(names.length)] ?? ''
  const texts = [
    () => pick(FIRST_NAMES),
    () => pick(LAST_NAMES).slice(0, BEGINNING + chance.below(4)),
    () => `m${1 + chance.below(members)}`,
    () => `${pick(FIRST_NAMES)} ${pick(LAST_NAMES)}`,
    () => `m${1 + chance.below(members)}@bench.example`,
    () => 'nobody is called so',
  ]
  return (turn) => encodeURIComponent(texts[turn % texts.length]?.() ?? '')
}

type Who = (turn: number) => string

const call = (name: string, times: number, who: Who, url: (turn: number) => string): Call => ({
  name,
  times,
  ask: (turn) => ({ authorization: who(turn), url: url(turn) }),
})

const TREE = '/api/tree/get-binary-tree/'
const REFERRALS = '/api/tree/get-referrals/'
const view = (turn: number) => (turn % 2 === 0 ? 'unilevel' : 'binary')

function callsOf(askers: Askers, { members, star }: Places, chance: Chance): Call[] {
  const somebody = () => `O-${1 + chance.below(members)}`
  const root: Who = () => askers.root
  const leader: Who = () => askers.leader
  const sponsor: Who = () => askers.sponsor
  const typical: Who = (turn) => askers.typical[turn % askers.typical.length] ?? askers.root
  const text = textsOf(members, chance)
  const search = (turn: number) => `/api/tree/search/?q=${text(turn)}&view=${view(turn)}`
  const dashboard = () => '/api/core/dashboard/'
  const whole = () => TREE
  const most = `O-${star.memberId}`
  return [
    call('dashboard, root', 300, root, dashboard),
    call('dashboard, typical', 500, typical, dashboard),
    call('tree, root', 100, root, whole),
    call('tree, root, binary', 100, root, () => `${TREE}?view=binary`),
    call('tree, typical', 200, typical, whole),
    call('tree, three levels', 200, root, (turn) => `${TREE}?root=${somebody()}&depth=3&view=${view(turn)}`),
    call('tree, root, as of a day', 50, root, (turn) => `${TREE}?as_of=2026-0${1 + (turn % 5)}-15`),
    call('children of somebody', 300, root, () => `${TREE}?children_of=${somebody()}`),
    call('children of who has most', 300, root, () => {
      return `${TREE}?children_of=${most}&offset=${chance.below(star.direct)}`
    }),
    call('search, root', 300, root, search),
    call('search, leader', 300, leader, search),
    call('search, typical', 300, typical, search),
    call('way to somebody', 300, root, (turn) => `/api/tree/path/?id=${somebody()}&view=${view(turn)}`),
    call('one member', 300, root, () => `/api/tree/members/${somebody()}/`),
    call('referrals, root', 100, root, () => REFERRALS),
    call('referrals, sponsor', 100, sponsor, () => REFERRALS),
    call('referrals, sponsor, search', 100, sponsor, (turn) => `${REFERRALS}?q=${text(turn)}`),
    ...REFERRAL_SORTS.map((sort) =>
      call(`referrals, sponsor, by ${sort}`, 100, sponsor, () => `${REFERRALS}?sort=-${sort}`),
    ),
  ]
}

/** Each connection plans a kept statement again a few times before it keeps the plan. */
const WARM_UPS = 50

/** One call after the other. @throws when one is not answered with 200 */
async function measureCalls(api: Api, calls: readonly Call[]): Promise<Map<string, Spread>> {
  const spreads = new Map<string, Spread>()
  for (const { name, times, ask } of calls) {
    const all: number[] = []
    for (let turn = -WARM_UPS; turn < times; turn += 1) {
      const { authorization, url } = ask(Math.abs(turn))
      const begun = performance.now()
      const answer = await api.inject({ url, headers: { authorization } })
      if (turn >= 0) all.push(performance.now() - begun)
      if (answer.statusCode !== 200) throw new Error(`${url} answered ${answer.statusCode}: ${answer.body}`)
    }
    spreads.set(name, spreadOf(all))
  }
  return spreads
}

async function selectMostReferrals(
  pool: pg.Pool,
  atMost = 2_000_000_000,
): Promise<{ memberId: number; direct: number }> {
  const { rows } = await pool.query<{ memberId: number; direct: number }>(
    `SELECT member_id::int AS "memberId", left_referrals + right_referrals AS direct FROM placement
     WHERE left_referrals + right_referrals <= $1 ORDER BY left_referrals + right_referrals DESC LIMIT 1`,
    [atMost],
  )
  if (rows[0] === undefined) throw new Error('there are no members')
  return rows[0]
}

/** Of the root's referrals the one with most below. */
async function selectLeader(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ id: number }>(
    `SELECT s.member_id::int AS id FROM sponsorship s JOIN downline_generation g ON true
       JOIN downline d ON d.generation = g.generation AND d.tree = 'unilevel' AND d.block = s.member_id::int / 32
     WHERE s.sponsor_id = 1 ORDER BY d.sizes[s.member_id::int % 32 + 1] DESC LIMIT 1`,
  )
  return rows[0]?.id ?? 1
}

const callsRequest = z.object({ serverUrl: z.string(), members: z.int(), seed: z.int() })
export type CallsRequest = z.infer<typeof callsRequest>

/** As many connections as the API has. */
const CONNECTIONS = 10
const TYPICAL = 200

/** The header with which this member asks. */
async function signIn(server: Connection, memberId: number): Promise<string> {
  const context = { db: server.db, config: testConfig('postgres://nobody@127.0.0.1/none') }
  const { access } = await inTransaction(server.db, (tx) =>
    openSession(
      { ...context, clock: { now: async () => NOW } },
      tx,
      { memberId: BigInt(memberId), userAgent: 'bench' },
      new Date(),
    ),
  )
  return `Bearer ${access}`
}

async function askersOf(server: Connection, members: number, chance: Chance): Promise<Askers> {
  const typical: string[] = []
  for (let count = 0; count < TYPICAL; count += 1)
    typical.push(await signIn(server, 1 + chance.below(members)))
  const { memberId: sponsor } = await selectMostReferrals(server.pool, REFERRALS_LOOKED_AT)
  return {
    sponsor: await signIn(server, sponsor),
    root: await signIn(server, 1),
    leader: await signIn(server, await selectLeader(server.pool)),
    typical,
  }
}

async function handle(message: unknown): Promise<Map<string, Spread>> {
  const { serverUrl, members, seed } = callsRequest.parse(message)
  const server = connect(serverUrl, CONNECTIONS, 'aval-api')
  const config = testConfig(serverUrl)
  const api = await buildServer({ db: server.db, config, clock: { now: async () => NOW } }, features, parts)
  try {
    await api.ready()
    const chance = chanceFrom(seed)
    const star = await selectMostReferrals(server.pool)
    return await measureCalls(
      api,
      callsOf(await askersOf(server, members, chance), { members, star }, chance),
    )
  } finally {
    await api.close()
    await server.close()
  }
}

answerParent(handle)
