/**
 * Who lives in the demo, and what they do in its thirty days. Plain data, made the same way every time: the history is
 * then lived through by the product's own commands.
 */
import type { Locale, OperatorRole, PoolName } from '@aval/contract'
import { dice } from '../../core/dice.ts'

export interface DemoMember {
  readonly username: string
  readonly firstName: string
  readonly lastName: string
  /** Null: under the root. */
  readonly sponsor: string | null
  /** Day of the history they join on, 0 to 28. */
  readonly joins: number
  readonly isFundator?: boolean
  readonly operatorRole?: OperatorRole
  /** Spanish unless said. */
  readonly locale?: Locale
  /** Where whom they bring is placed; by turns unless said. */
  readonly side?: 'right'
  /** Promoted by the sponsor on the day of joining: what is invested far below pays the sponsor by master code. */
  readonly isMaster?: boolean
  readonly invests: readonly DemoInvestment[]
}

export interface DemoInvestment {
  readonly day: number
  /** USD, whole. */
  readonly amount: number
  readonly how: 'chain' | 'balance'
}

export const DEMO_DAYS = 30
/** What the company pays in before anybody is paid. The story says when it puts more of it into which pool. USD. */
export const DEMO_CAPITAL = 100_000
/** What the pools have of it before the first member joins. */
export const DEMO_POOLS: Readonly<Record<PoolName, number>> = { profit: 10_000, commission: 20_000 }

const FIRST_NAMES = (
  'Sofía Mateo Valentina Santiago Camila Sebastián Isabella Diego Lucía Nicolás Mariana Andrés Gabriela ' +
  'Felipe Daniela Tomás Paula Emilio Renata Joaquín Elena Bruno Carla Hugo Irene Julián Laura Martín ' +
  'Natalia Óscar'
).split(' ')
const LAST_NAMES = (
  'Rangel Díaz Gil Ortega Castro Mejía Rojas Vargas Salazar Peña Herrera Cruz Molina Arias Campos Vega ' +
  'Fuentes Navarro Ríos'
).split(' ')
const AMOUNTS = [500, 750, 1000, 1500, 2500, 1000, 500, 5000, 2000, 800] as const

const person = (firstName: string, lastName: string, others: Partial<DemoMember>): DemoMember => ({
  username: fold(firstName),
  firstName,
  lastName,
  sponsor: null,
  joins: 0,
  invests: [],
  ...others,
})
const onChain = (day: number, amount: number): DemoInvestment => ({ day, amount, how: 'chain' })

const FOUNDERS: readonly DemoMember[] = [
  person('Ana', 'Paz', { invests: [onChain(0, 10_000), { day: 6, amount: 150, how: 'balance' }] }),
  person('Luis', 'Ortega', { isFundator: true, invests: [onChain(0, 5_000)] }),
  person('Olga', 'Serrano', { operatorRole: 'admin', side: 'right' }),
]

/** Large withdrawals take two. The last to join, so that no other place in the tree depends on this one. */
const SECOND_OPERATOR = person('Omar', 'Quintero', { joins: 28, operatorRole: 'admin' })

/**
 * The other roles. They work from the first day, and stand below Olga on the side where nobody else is placed: no other place in the tree
 * depends on them either.
 */
const STAFF: readonly DemoMember[] = [
  person('Teresa', 'Lozano', { sponsor: 'olga', operatorRole: 'treasurer' }),
  person('Clara', 'Benítez', { sponsor: 'olga', operatorRole: 'compliance' }),
  person('Pablo', 'Rincón', { sponsor: 'olga', operatorRole: 'support' }),
]

/** Who reads the product in English. */
const ENGLISH: readonly string[] = ['brunog', 'danielac']

function fold(name: string): string {
  return name
    .normalize('NFD')
    .replace(/[^a-zA-Z]/g, '')
    .toLowerCase()
}

function investmentsOf(index: number, joined: number): DemoInvestment[] {
  // Every sixth invests nothing: an inactive sponsor, a referral without investment.
  if (index % 6 === 5) return []
  const amount = AMOUNTS[index % AMOUNTS.length] ?? 500
  const first = onChain(Math.min(joined + (index % 2), DEMO_DAYS - 2), amount)
  return index % 7 === 3 ? [first, onChain(DEMO_DAYS - 3, 250)] : [first]
}

const MOST_LEVELS = 6
const OTHERS = 57
const FUNDATOR = 'luis'
/** Levels that pay by distance under the default plan. */
const FLAT_LEVELS = 3

/** Sixty-four members: the founders, and who they and theirs brought in, five levels deep at most; two thirds in Ana's line. */
export function demoNetwork(): readonly DemoMember[] {
  const roll = dice(20_261_120)
  const members: DemoMember[] = [...FOUNDERS]
  const level = new Map(FOUNDERS.map(({ username }) => [username, 1]))
  const line = new Map(FOUNDERS.map(({ username }) => [username, username]))
  for (let index = 0; index < OTHERS; index += 1) {
    const firstName = FIRST_NAMES[index % FIRST_NAMES.length] ?? 'Ana'
    const lastName = LAST_NAMES[index % LAST_NAMES.length] ?? 'Paz'
    const joins = Math.floor((index * 28) / OTHERS)
    const founder = roll(3) === 0 ? 'luis' : 'ana'
    const hosts = members.filter(
      ({ username }) => line.get(username) === founder && (level.get(username) ?? MOST_LEVELS) < MOST_LEVELS,
    )
    // Every third comes through the founder, as in real networks; the others through anybody.
    const sponsor = (roll(3) === 0 ? hosts[0] : hosts[roll(hosts.length)])?.username ?? founder
    const username = `${fold(firstName)}${fold(lastName).slice(0, 1)}${index >= FIRST_NAMES.length ? '2' : ''}`
    level.set(username, (level.get(sponsor) ?? 0) + 1)
    line.set(username, founder)
    const invests = investmentsOf(index, joins)
    const locale: Locale = ENGLISH.includes(username) ? 'en' : 'es'
    members.push(person(firstName, lastName, { username, sponsor, joins, invests, locale }))
  }
  return withMaster([...members, SECOND_OPERATOR, ...STAFF])
}

/** Sponsors above a member, nearest first. */
function above(members: readonly DemoMember[], member: DemoMember): DemoMember[] {
  const sponsor = members.find(({ username }) => username === member.sponsor)
  return sponsor === undefined ? [] : [sponsor, ...above(members, sponsor)]
}

/** The referral of the fundator with most investors beyond the third level becomes a master. */
function withMaster(members: readonly DemoMember[]): readonly DemoMember[] {
  const worth = (referral: DemoMember) =>
    members.filter(
      (member) => member.invests.length > 0 && above(members, member).indexOf(referral) >= FLAT_LEVELS - 1,
    ).length
  const referrals = members.filter(({ sponsor }) => sponsor === FUNDATOR)
  const best = referrals.toSorted((left, right) => worth(right) - worth(left))[0]
  return members.map((member) => (member === best ? { ...member, isMaster: true } : member))
}
