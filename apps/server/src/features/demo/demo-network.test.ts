import { expect, it } from 'vitest'
import { DEMO_CAPITAL, DEMO_DAYS, DEMO_POOLS, demoNetwork } from './demo-network.ts'
import { DEMO_STORY } from './demo-story.ts'

const members = demoNetwork()
const byName = new Map(members.map((member) => [member.username, member]))

function levelOf(username: string): number {
  const sponsor = byName.get(username)?.sponsor ?? null
  return sponsor === null ? 1 : levelOf(sponsor) + 1
}

it('has sixty-four members with names of their own, three to five levels deep', () => {
  expect(members).toHaveLength(64)
  expect(byName.size).toBe(64)
  const deepest = Math.max(...members.map(({ username }) => levelOf(username)))
  expect(deepest).toBeGreaterThanOrEqual(3)
  expect(deepest).toBeLessThanOrEqual(5)
})

it('lets no member join before their sponsor, or invest before they joined or after the history ends', () => {
  for (const member of members) {
    const sponsor = member.sponsor === null ? null : byName.get(member.sponsor)
    expect(sponsor === undefined).toBe(false)
    expect(sponsor?.joins ?? 0).toBeLessThanOrEqual(member.joins)
    for (const { day } of member.invests) {
      expect(day).toBeGreaterThanOrEqual(member.joins)
      expect(day).toBeLessThan(DEMO_DAYS)
    }
  }
})

it('has operators of all roles, none of whom takes a place of others in the tree', () => {
  const operators = members.filter(({ operatorRole }) => operatorRole !== undefined)
  expect(operators.map(({ username, operatorRole }) => `${username} ${operatorRole}`)).toEqual([
    'olga admin',
    'omar admin',
    'teresa treasurer',
    'clara compliance',
    'pablo support',
  ])
  const others = members.filter(({ operatorRole }) => operatorRole === undefined)
  expect(others.every(({ joins }) => joins < (byName.get('omar')?.joins ?? 0))).toBe(true)
  const below = members.filter(({ sponsor }) => sponsor === 'olga')
  expect(below.every(({ operatorRole }) => operatorRole !== undefined)).toBe(true)
  expect(byName.get('olga')?.side).toBe('right')
})

it('shows inactive sponsors too, and gives the first member a real line', () => {
  const sponsors = new Set(members.map(({ sponsor }) => sponsor))
  expect(members.some(({ username, invests }) => invests.length === 0 && sponsors.has(username))).toBe(true)
  expect(members.filter(({ sponsor }) => sponsor === 'ana').length).toBeGreaterThanOrEqual(5)
})

it('is endowed for what it pays and for months of days to come', () => {
  const invested = members.flatMap(({ invests }) => invests).reduce((sum, { amount }) => sum + amount, 0)
  const into = (wanted: keyof typeof DEMO_POOLS) =>
    DEMO_STORY.reduce(
      (sum, one) => sum + (one.act === 'fund' && one.pool === wanted ? one.amount : 0),
      DEMO_POOLS[wanted],
    )
  expect(into('profit')).toBeGreaterThan((invested * 0.1 * 60) / 30)
  expect(into('commission')).toBeGreaterThan(invested * 0.08)
  expect(into('profit') + into('commission')).toBeLessThanOrEqual(DEMO_CAPITAL)
})

it('tells a story of its own people, in its days, whose operators work there by then', () => {
  for (const event of DEMO_STORY) {
    const day = 'ago' in event ? DEMO_DAYS : event.day
    expect(day).toBeLessThanOrEqual('ago' in event ? DEMO_DAYS : DEMO_DAYS - 1)
    for (const name of [...('by' in event ? [event.by] : []), ...('member' in event ? [event.member] : [])])
      expect(byName.get(name)?.joins, name).toBeLessThanOrEqual(day)
    if ('by' in event) expect(byName.get(event.by)?.operatorRole, event.by).toBeDefined()
    // The journeys begin with these as they are.
    if ('member' in event) expect(['ana', 'luis', 'sofiar']).not.toContain(event.member)
  }
})

it('has a master in the fundator’s line, and an investor beyond the third level below', () => {
  const chainOf = (username: string): string[] => {
    const sponsor = byName.get(username)?.sponsor ?? null
    return sponsor === null ? [] : [sponsor, ...chainOf(sponsor)]
  }
  const master = members.find(({ isMaster }) => isMaster)
  expect(byName.get(master?.sponsor ?? '')?.isFundator).toBe(true)
  const far = members.filter(({ username }) => chainOf(username).indexOf(master?.username ?? '') >= 2)
  expect(far.some(({ invests }) => invests.length > 0)).toBe(true)
})
