import { expect, it } from 'vitest'
import { DEMO_CAPITAL, DEMO_DAYS, demoNetwork } from './demo-network.ts'

const members = demoNetwork()
const byName = new Map(members.map((member) => [member.username, member]))

function levelOf(username: string): number {
  const sponsor = byName.get(username)?.sponsor ?? null
  return sponsor === null ? 1 : levelOf(sponsor) + 1
}

it('has sixty-one members with names of their own, three to five levels deep', () => {
  expect(members).toHaveLength(61)
  expect(byName.size).toBe(61)
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

it('has two operators, the second of whom joins last and so takes no place of others', () => {
  const operators = members.filter(({ operatorRole }) => operatorRole !== undefined)
  expect(operators.map(({ username }) => username)).toEqual(['olga', 'omar'])
  expect(members.at(-1)?.username).toBe('omar')
  expect(members.slice(0, -1).every(({ joins }) => joins < (members.at(-1)?.joins ?? 0))).toBe(true)
})

it('shows inactive sponsors too, and gives the first member a real line', () => {
  const sponsors = new Set(members.map(({ sponsor }) => sponsor))
  expect(members.some(({ username, invests }) => invests.length === 0 && sponsors.has(username))).toBe(true)
  expect(members.filter(({ sponsor }) => sponsor === 'ana').length).toBeGreaterThanOrEqual(5)
})

it('is endowed for what it pays and for months of days to come', () => {
  const invested = members.flatMap(({ invests }) => invests).reduce((sum, { amount }) => sum + amount, 0)
  expect(DEMO_CAPITAL.profit).toBeGreaterThan((invested * 0.1 * 60) / 30)
  expect(DEMO_CAPITAL.commission).toBeGreaterThan(invested * 0.08)
  expect(DEMO_CAPITAL.profit + DEMO_CAPITAL.commission).toBeLessThanOrEqual(DEMO_CAPITAL.paidIn)
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
