import { currentUser, dashboard, reserves } from '@aval/contract'
import type { UnknownAction } from '@reduxjs/toolkit'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { HttpRequest } from '../api/http.ts'
import { DAY, user } from '../testing/figures.ts'

const wire = vi.hoisted(() => ({
  sent: [] as HttpRequest[],
  opened: [] as unknown[],
  signedIn: null as boolean | null,
  listeners: new Set<() => void>(),
}))

vi.mock('../api/browserSession.ts', () => ({
  call: (request: HttpRequest) => {
    wire.sent.push(request)
    return Promise.resolve({ data: { results: [], total_pages: 1, from_principal: '0.00' } })
  },
  session: {
    open: (tokens: unknown) => wire.opened.push(tokens),
    end: () => undefined,
    signedIn: () => wire.signedIn,
    subscribe: (listener: () => void) => wire.listeners.add(listener),
  },
}))

const { client, TAGS } = await import('../api/client.ts')
const { store } = await import('./store.ts')
const { callsAtArrival } = await import('./arrival.ts')
const visitors = {
  ...(await import('../features/identity/sign-in/api.ts')),
  ...(await import('../features/identity/registration/api.ts')),
  ...(await import('../features/identity/passwords/api.ts')),
}
await Promise.all([
  import('../api/user.ts'),
  import('../features/dashboard/api.ts'),
  import('../features/investments/api.ts'),
  import('../features/earnings/api.ts'),
  import('../features/identity/profile/api.ts'),
  import('../features/genealogy/referrals/api.ts'),
  import('../features/reserves/api.ts'),
  import('../features/identity/security/api.ts'),
  import('../features/genealogy/tree/api.ts'),
  import('../features/withdrawals/api.ts'),
])

type Endpoints = Record<string, { initiate: (argument: unknown) => UnknownAction }>

/** Makes a call of the cached client, as a page does. */
async function ask(name: string, argument?: unknown): Promise<void> {
  const endpoint = (client.endpoints as unknown as Endpoints)[name]
  if (endpoint === undefined) throw new Error(`there is no call ${name}`)
  await store.dispatch(endpoint.initiate(argument))
  await Promise.all(store.dispatch(client.util.getRunningQueriesThunk()))
}

const plain = (body: unknown) => (body instanceof FormData ? Object.fromEntries(body.entries()) : body)
const line = ({ method = 'GET', path }: HttpRequest) => `${method} ${path}`

const PLAIN_TREE = { view: 'unilevel', root: null, asOf: null }
const REFERRALS = { page: 1, status: null, q: '', sort: '-date' }
const PASSWORDS = { current_password: 'a', password: 'b', password2: 'b' }

function turn(signedIn: boolean | null): void {
  wire.signedIn = signedIn
  for (const listener of wire.listeners) listener()
}

beforeEach(() => {
  turn(null)
  store.dispatch(client.util.resetApiState())
  wire.sent.length = 0
  wire.opened.length = 0
})

it('no two calls of members and operators have one name: the second would be the first', async () => {
  vi.resetModules()
  const { client: fresh } = await import('../api/client.ts')
  const inject = fresh.injectEndpoints
  fresh.injectEndpoints = (given) => inject({ ...given, overrideExisting: 'throw' })
  const files = import.meta.glob([
    '../**/api.ts',
    '../api/user.ts',
    '../console/shared/*.ts',
    '!../**/*.test.ts',
  ])
  const loaded = await Promise.all(Object.values(files).map((load) => load()))
  expect(loaded.length).toBeGreaterThan(20)
})

describe('what pages read', () => {
  it.each([
    ['currentUser', undefined, 'auth/user/'],
    ['dashboard', undefined, 'core/dashboard/'],
    ['investmentHistory', 2, 'plans/history/?page=2'],
    ['tree', PLAIN_TREE, 'tree/get-binary-tree/'],
    ['referrals', { ...REFERRALS, page: 2 }, 'tree/get-referrals/?page=2'],
    ['directPayments', 2, 'payments/direct-payments/?page=2'],
    ['passivePayments', 2, 'payments/pasive-payments/?page=2'],
    ['binaryPayments', 2, 'payments/binary-payments/?page=2'],
    ['binaryPoints', 2, 'payments/binary-points-payments/?page=2'],
    ['payments', { page: 2, filter: 'kind=direct' }, 'payments/all/?page=2&kind=direct'],
    ['paymentTotals', 'kind=direct', 'payments/totals/?kind=direct'],
    ['paymentTotals', '', 'payments/totals/'],
    ['withdrawals', 2, 'withdrawals/withdrawals/?page=2'],
  ])('%s of %j is GET %s', async (name, argument, path) => {
    await ask(name, argument)
    expect(wire.sent.map(line)).toEqual([`GET ${path}`])
    expect(wire.sent[0]?.body).toBeUndefined()
  })
})

/** On screen while something is changed. */
const ON_SCREEN: Record<string, [name: string, argument?: unknown]> = {
  user: ['currentUser'],
  dashboard: ['dashboard'],
  tree: ['tree', PLAIN_TREE],
  referrals: ['referrals', REFERRALS],
  payments: ['directPayments', 1],
  withdrawals: ['withdrawals', 1],
  history: ['investmentHistory', 1],
}
/** What an investment makes stale. */
const INVESTED = ['user', 'dashboard', 'tree', 'referrals', 'history']

const INVEST = 'POST plans/create-investment-payment/'
const WITHDRAW = 'POST withdrawals/withdrawals/'
const ACTIVATE = 'POST tree/get-referrals/7/activate-master-code/'
const [amount, wallet_address, idempotencyKey] = ['50.00', 'T1', 'k']
const withdrawal = { amount, wallet_address, used_code: '1234567' }
const named = { first_name: 'Ana', phone_number: '' }
const referral = { id: 7, shown: { page: 1, status: null } }

describe('what pages change', () => {
  it.each([
    ['createInvestment', { amount, payPasive: false, idempotencyKey }, INVEST, { amount }, INVESTED],
    [
      'createInvestment',
      { amount, payPasive: true, idempotencyKey },
      INVEST,
      { amount, payPasive: true },
      INVESTED,
    ],
    ['verifyInvestment', 'INV1', 'POST plans/verify-investment-amount/', { txn_id: 'INV1' }, INVESTED],
    [
      'createWithdrawalCode',
      { amount, wallet_address },
      `${WITHDRAW}create-code/`,
      { amount, wallet_address },
      [],
    ],
    ['createWithdrawal', { body: withdrawal, idempotencyKey }, WITHDRAW, withdrawal, ['user', 'withdrawals']],
    ['cancelWithdrawal', 7, `${WITHDRAW}7/cancel/`, {}, ['user', 'dashboard', 'withdrawals', 'history']],
    [
      'endInvoice',
      { txnId: 'INV1', how: 'cancel', idempotencyKey },
      'POST plans/invoices/INV1/cancel/',
      {},
      INVESTED,
    ],
    ['activateMaster', referral, ACTIVATE, {}, ['tree', 'referrals']],
    [
      'changeProfile',
      { change: named, code: '' },
      'PATCH auth/user/',
      named,
      ['user', 'dashboard', 'tree', 'referrals'],
    ],
    ['confirmEmail', '1234567', 'POST auth/user/confirm-email/', { secret_code: '1234567' }, ['user']],
    ['confirmEmail', '', 'POST auth/user/confirm-email/', {}, []],
    ['changePassword', PASSWORDS, 'POST auth/user/change-password/', PASSWORDS, ['user']],
  ])('%s of %j is %s with %j, and asks anew for %j', async (name, argument, call, body, stale) => {
    const names = new Map<string, string>()
    for (const [what, [query, of]] of Object.entries(ON_SCREEN)) {
      await ask(query, of)
      names.set(line(wire.sent.at(-1) ?? { path: '' }), what)
    }
    wire.sent.length = 0
    await ask(name, argument)
    const [request, ...again] = wire.sent
    expect([request && line(request), plain(request?.body)]).toEqual([call, body])
    expect(again.map((asked) => names.get(line(asked))).sort()).toEqual([...stale].sort())
  })

  it('profile and password travel as forms, flat, and so does a picture', async () => {
    const picture = new File(['x'], 'x.png', { type: 'image/png' })
    await ask('changePicture', picture)
    await ask('changeProfile', { change: { email: 'a@b.co' }, code: '1234567' })
    await ask('changePassword', PASSWORDS)
    expect(wire.sent.every(({ body }) => body instanceof FormData)).toBe(true)
    expect(wire.sent.map(({ body }) => Object.keys(plain(body) as object))).toEqual([
      ['avatar'],
      ['email', 'secret_code'],
      ['current_password', 'password', 'password2'],
    ])
  })
})

describe('what visitors send', () => {
  const tokens = { access: 'a1', refresh: 'r1' }
  const member = { username: 'ana', email: 'a@b.co', password: 'p', password2: 'p' }
  const { timeZone: time_zone } = Intl.DateTimeFormat().resolvedOptions()
  const joining = { ...member, captcha: 'c', time_zone }
  const reset = { email: 'a@b.co', otp: '1234567', password: 'p', password2: 'p' }
  const byLink = { token: 't', password: 'p', password2: 'p' }
  const credentials = { email: 'ana', password: 'p' }
  const step = { otp_token: 't', code: '123456' }
  const asker = { email: 'a@b.co' }
  const register = () => visitors.register('1234567', member, 'c')

  it.each([
    ['registration', register, 'auth/register/1234567/', joining, [tokens]],
    ['sign-in', () => visitors.signIn(credentials), 'auth/token/', credentials, [tokens]],
    ['second step', () => visitors.signInWithCode('t', '123456'), 'auth/otp/', step, [tokens]],
    ['question for a code', () => visitors.askForReset('a@b.co'), 'auth/reset-password/send/', asker, []],
    ['new password', () => visitors.resetPassword(reset), 'auth/reset-password/', reset, []],
    ['link', () => visitors.resetPasswordByLink(byLink), 'auth/reset-password/link/', byLink, []],
  ] as const)('a %s goes out as agreed, and its tokens are kept', async (_what, send, path, body, opened) => {
    const asked: [unknown, RequestInit][] = []
    vi.stubGlobal('fetch', async (url: unknown, init: RequestInit) => {
      asked.push([url, init])
      return Response.json(tokens)
    })
    await send()
    vi.unstubAllGlobals()
    const [[url, init] = [null, {}]] = asked
    expect([url, init.method, JSON.parse(String(init.body))]).toEqual([`/api/${path}`, 'POST', body])
    expect(wire.opened).toEqual(opened)
  })
})

describe('an arrival', () => {
  it('asks ahead what its page will ask', async () => {
    for (const name of ['currentUser', 'dashboard', 'reserves']) await ask(name)
    expect(wire.sent.map(line)).toEqual(callsAtArrival('/dashboard').map((path) => `GET ${path}`))
    expect(callsAtArrival('/payments/')).toEqual(['auth/user/', 'core/dashboard/'])
  })

  it.each(['/', '/auth/login/', '/auth/register/1234567', '/no/such/page', '/dashboard/more'])(
    'asks nothing ahead at %s',
    (path) => expect(callsAtArrival(path)).toEqual([]),
  )

  it('after somebody else shows nothing of theirs', async () => {
    turn(true)
    await ask('currentUser')
    turn(false)
    turn(true)
    expect(store.getState().api.queries).toEqual({})
  })
})

const DASHBOARD = {
  investment_amount: 1050,
  total_profit: 12.5,
  daily_payment: 2.62,
  daily_payment_day: '2026-11-24',
  daily_percentage: 0.25,
  days_profit: 5,
  withdrawable_date: null,
  investment_progress: 12,
  direct_users: 1,
  indirect_users: 2,
  chart_data: { labels: ['2026-11-21'], series: [2.62] },
  profit_by_kind: { passive: 10, direct: 2.5, binary: 0 },
  holdings: { total: '1062.50', available: '12.50', invested: '1050.00', held: '0.00', pending: '0.00' },
  awaiting_funding: 0,
  in_review: 0,
  frozen: null,
  pending_investments: 0,
  term_days: 365,
  elapsed_days: 44,
  locked: {
    amount: '1000.00',
    count: 1,
    parts: [{ amount: '1000.00', invested_at: '2026-10-08T15:00:00Z', unlocks_at: '2027-10-08T15:00:00Z' }],
  },
  recent: [{ kind: 'passive', date: DAY, amount: '2.62', from: null }],
}
const RESERVES = {
  checked_at: DAY,
  verdict: 'matched',
  custody: '100.00',
  in_flight: '0.00',
  wallets: [{ role: 'hot', address: null, explorer_url: null, amount: '100.00' }],
  owed: { principal: '50.00', balances: '1.00', held: '0.00', pending: '0.00', due: '0.00', total: '51.00' },
  coverage: 196.07,
}

const ANSWERS = [
  ['dashboard', DASHBOARD, dashboard],
  ['currentUser', user, currentUser],
  ['reserves', RESERVES, reserves],
] as const

/** The check of a call's answer. */
async function checkOf(
  name: string,
  argument?: unknown,
): Promise<(body: unknown) => boolean | Promise<boolean>> {
  await ask(name, argument)
  const fits = wire.sent.at(-1)?.fits
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

it.each([
  ['withdrawalTerms'],
  ['withdrawals', 1],
  ['createWithdrawal', { body: withdrawal, idempotencyKey }],
  ['cancelWithdrawal', 7],
  ['createInvestment', { amount, payPasive: false, idempotencyKey }],
  ['invoices'],
  ['invoiceStatus', 'INV1'],
  ['endInvoice', { txnId: 'INV1', how: 'complete', idempotencyKey }],
  ['investmentHistory', 1],
  ['directPayments', 1],
])('an answer to %s that is not what the contract says is not taken', async (name, argument?: unknown) => {
  const fits = await checkOf(name, argument)
  for (const body of [null, {}, [{}], { results: [{}] }, 'text']) expect(await fits(body)).toBe(false)
})

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

it('answers are kept for a minute after they left the screen, and are not asked for anew on focus, on reconnecting or on mounting', () => {
  expect(client.reducer(undefined, { type: 'start' }).config).toMatchObject({
    keepUnusedDataFor: 60,
    refetchOnFocus: false,
    refetchOnReconnect: false,
    refetchOnMountOrArgChange: false,
  })
  expect(TAGS).toEqual(['User', 'Tree', 'Payments', 'Withdrawals', 'Dashboard', 'InvestmentHistory'])
})
