import { currentUser, dashboard, reserves } from '@aval/contract'
import { describe, expect, it, vi } from 'vitest'
import type { HttpRequest } from '../api/http.ts'
import { DAY, user } from '../testing/figures.ts'

const asked = vi.hoisted(() => [] as HttpRequest[])
vi.mock('../api/browserSession.ts', () => ({
  call: (request: HttpRequest) => {
    asked.push(request)
    return Promise.resolve({ error: { status: 'FETCH_ERROR' } })
  },
  session: { signedIn: () => null, subscribe: () => () => undefined },
}))

const { store } = await import('./store.ts')
const { client } = await import('../api/client.ts')
await import('../api/user.ts')
await import('../features/dashboard/api.ts')
await import('../features/reserves/api.ts')

const DASHBOARD = {
  investment_amount: 1050,
  total_profit: 12.5,
  daily_payment: 2.62,
  daily_percentage: 0.25,
  days_profit: 5,
  withdrawable_date: null,
  investment_progress: 12,
  direct_users: 1,
  indirect_users: 2,
  chart_data: { labels: ['2026-11-21'], series: [2.62] },
  profit_by_kind: { passive: 10, direct: 2.5, binary: 0 },
  awaiting_funding: 0,
  term_days: 365,
  elapsed_days: 44,
  recent: [{ kind: 'passive', date: DAY, amount: '2.62', from: null }],
}
const RESERVES = {
  checked_at: DAY,
  verdict: 'matched',
  custody: '100.00',
  in_flight: '0.00',
  wallets: [{ role: 'hot', address: null, explorer_url: null, amount: '100.00' }],
  owed: { principal: '50.00', balances: '1.00', held: '0.00', due: '0.00', total: '51.00' },
  coverage: 196.07,
}

const ANSWERS = [
  ['dashboard', DASHBOARD, dashboard],
  ['currentUser', user, currentUser],
  ['reserves', RESERVES, reserves],
] as const

type Endpoints = Record<string, { initiate: () => Parameters<typeof store.dispatch>[0] }>

/** The check of a call's answer. */
async function checkOf(name: string): Promise<(body: unknown) => boolean | Promise<boolean>> {
  asked.length = 0
  await store.dispatch((client.endpoints as unknown as Endpoints)[name]?.initiate() as never)
  const fits = asked[0]?.fits
  if (fits === undefined) throw new Error(`${name} takes any answer`)
  return fits
}

/** Every way to each figure: a number, or an amount as text. */
function figuresIn(value: unknown, path: (string | number)[] = []): (string | number)[][] {
  if (typeof value === 'number' || (typeof value === 'string' && /^\d+\.\d+$/.test(value))) return [path]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, part]) => figuresIn(part, [...path, name]))
}

function damaged(value: unknown, [name, ...rest]: (string | number)[], by: unknown): unknown {
  if (name === undefined) return by
  const copy = structuredClone(value) as Record<string | number, unknown>
  copy[name] = damaged(copy[name], rest, by)
  return copy
}

describe('answers that are asked for before anything is shown', () => {
  it.each(ANSWERS)('%s is taken as the contract has it', async (name, answer, schema) => {
    expect(schema.safeParse(answer).success).toBe(true)
    expect(await (await checkOf(name))(answer)).toBe(true)
  })

  it.each(ANSWERS)(
    '%s with any damaged figure is refused, as by the contract',
    async (name, answer, schema) => {
      const check = await checkOf(name)
      const figures = figuresIn(answer)
      expect(figures.length).toBeGreaterThan(1)
      for (const figure of figures)
        for (const by of [undefined, 'many', '1,5', {}, []]) {
          const body = damaged(answer, figure, by)
          expect([figure, by, schema.safeParse(body).success]).toEqual([figure, by, false])
          expect([figure, by, await check(body)]).toEqual([figure, by, false])
        }
    },
  )

  it.each(ANSWERS)('%s is no other thing', async (name) => {
    const check = await checkOf(name)
    for (const body of [null, 7, 'text', [], {}]) expect(await check(body)).toBe(false)
  })
})
