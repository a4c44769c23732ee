/** The console's pages in their states: of a demo network, and with a changed answer of the server where that does not reach. */
import type { Page } from '@playwright/test'
import { PAGES, pagePath } from '../src/console/shared/place.ts'
import type { Shot } from './shot.ts'

/** In an address: the number of a member with a history, and of a run that paid. */
const MEMBER = '/operator/members/:member'
const RUN = '/operator/runs/:run'

const click = (selector: string) => (page: Page) => page.locator(selector).first().click()
const press = (page: Page, name: RegExp) => page.getByRole('button', { name }).first().click()

/** An answer that is changed on its way, by the end of its path. */
const changed = (call: string, change: (body: Record<string, unknown>) => object) => (page: Page) =>
  page.route(new RegExp(`/api/operator/${call}(\\?.*)?$`), async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ json: change((await answer.json()) as Record<string, unknown>) })
  })

const refusal = (call: string, detail: string) => (page: Page) =>
  page.route(`**/api/operator/${call}`, (route) =>
    route.request().method() === 'GET'
      ? route.fallback()
      : route.fulfill({
          status: 409,
          json: { type: 'about:blank', status: 409, code: 'conflict', title: detail, detail },
        }),
  )

const AT = '2026-11-20T10:00:00.000Z'
const some = (count: number) => ({ count, more: false, oldest_at: AT })
const NOTHING_WAITS = {
  withdrawals: { ...some(0), sum: '0.00' },
  runs: { ...some(0), missing: '0.00' },
  decisions: some(0),
  chats: some(0),
  deposits: [],
  stop: null,
  failing: [],
  pools: [],
}
const STOP = {
  since: AT,
  causes: ['operator'],
  operator: { id: 3, username: 'olga', at: AT, reason: 'Una billetera ajena apareció en la lista' },
}
const EVERYTHING_WAITS = {
  withdrawals: { ...some(12), sum: '1234567.89' },
  runs: { ...some(2), missing: '3200.50' },
  decisions: some(1),
  chats: { ...some(1000), more: true },
  deposits: [
    { ...some(1), fate: 'wrong_token' },
    { ...some(3), fate: 'late' },
  ],
  stop: STOP,
  failing: [
    { what: 'chain_unhealthy', since: AT, detail: '' },
    { what: 'hot_usdt', since: null, detail: '' },
  ],
  pools: [
    {
      pool: 'profit',
      amount: '120.00',
      awaiting: '283.66',
      rate: '264.78',
      days: 0,
      until: '2026-11-27',
      low: true,
    },
  ],
}

const FROZEN = { at: AT, by: 'omar', reason: 'Pidió que nadie saque dinero mientras viaja' }
const RELEASE = { ...FROZEN, identified: 'passport', ends_at: '2026-11-22T10:00:00.000Z', own: false }
const HELD = {
  state: 'held',
  reasons: [
    { check: 'change_too_large', sentence: 'Paga 62 % más que la ejecución anterior.' },
    { check: 'pool_short', sentence: 'Al fondo le faltan $3.200,50.' },
  ],
  payable: '283.66',
  missing: '3200.50',
}

const page = (name: string, path: string, more: Partial<Shot> = {}): Shot => ({
  name: `operator-${name}`,
  path,
  ...more,
})
const dialog = (name: string, path: string, act: NonNullable<Shot['act']>, more: Partial<Shot> = {}): Shot =>
  page(name, path, {
    ...more,
    window: true,
    act: async (shown) => {
      await act(shown)
      await shown.locator('[role="dialog"], [role="menu"]').first().waitFor()
      await shown.locator('[role="dialog"] .skeleton').first().waitFor({ state: 'detached' })
    },
  })

const PLACES = {
  ...Object.fromEntries(PAGES.map((name) => [name, pagePath(name)])),
  member: MEMBER,
  run: RUN,
}
const AS_THEY_ARE = Object.entries(PLACES).flatMap(([name, path]) => [
  page(name, path),
  page(`${name}-failed`, path, { calls: 'fail' }),
  page(`${name}-on-its-way`, path, { calls: 'wait' }),
])

const AROUND: readonly Shot[] = [
  dialog('search', '/operator/plan', click('.search-button')),
  dialog('search-found', '/operator/plan', async (shown) => {
    await shown.keyboard.press('Control+k')
    await shown.locator('.search-input').fill('ana')
    await shown.locator('.search-item').first().waitFor()
  }),
  dialog('search-nothing', '/operator/plan', async (shown) => {
    await shown.keyboard.press('Control+k')
    await shown.locator('.search-input').fill('nobody-is-called-so')
    await shown
      .locator('.search-status')
      .filter({ hasText: /Nada|Nothing|0/ })
      .waitFor()
  }),
  dialog('bell', '/operator/plan', click('.bell')),
  dialog('bell-mails', '/operator/plan', async (shown) => {
    await shown.locator('.bell').click()
    await shown.locator('.dialog-actions .button').first().click()
    await shown.locator('input[type="checkbox"]').first().waitFor()
  }),
  dialog('account', '/operator/plan', click('.console-header .avatar-button')),
  page('menu', '/operator/plan', {
    window: true,
    act: async (shown) => {
      const burger = shown.locator('.console-burger')
      if (await burger.isVisible()) await burger.click()
    },
  }),
  page('not-found', '/operator/nowhere'),
]

const TODAY: readonly Shot[] = [
  page('today-nothing-waits', '/operator', { before: changed('waiting/', () => NOTHING_WAITS) }),
  page('today-everything-waits', '/operator', { before: changed('waiting/', () => EVERYTHING_WAITS) }),
  page('today-90-days', '/operator?days=90'),
  page('today-never-checked', '/operator', {
    before: changed('today/', (body) => ({ ...body, custody: null })),
  }),
  page('today-opened', '/operator', {
    act: async (shown) => {
      for (const how of await shown.locator('.how > summary').all()) await how.click()
    },
  }),
]

const TABS = [
  'investments',
  'payments',
  'withdrawals',
  'network',
  'security',
  'mails',
  'chat',
  'notes',
  'looks',
].map((tab) => page(`member-${tab}`, `${MEMBER}?tab=${tab}`))
const FREEZE = /^(Congelar|Freeze)/
/** The dialog of an act on a member; with a reason typed and sent, where `reason` says so. */
const act = (name: string, word: RegExp, then?: (page: Page) => Promise<unknown>, more?: Partial<Shot>) =>
  dialog(
    `member-${name}`,
    MEMBER,
    async (shown) => {
      await press(shown, word)
      await then?.(shown)
    },
    more,
  )
const submit = (shown: Page) => shown.locator('[role="dialog"] button[type="submit"]').last().click()
const sendFreeze = async (shown: Page) => {
  await shown.locator('[role="dialog"] input').first().fill('Lo pidió por teléfono')
  await submit(shown)
  await shown.locator('input[autocomplete="one-time-code"]').waitFor()
}

const MEMBERS: readonly Shot[] = [
  page('members-found', '/operator/members?q=ana'),
  page('members-nothing-found', '/operator/members?q=nobody-is-called-so&active=true'),
  page('member-frozen', MEMBER, {
    before: changed('members/\\d+/acts/', (body) => ({
      ...body,
      frozen: FROZEN,
      second_factor: true,
      release: RELEASE,
    })),
  }),
  page('member-closed', MEMBER, {
    before: changed('members/\\d+/acts/', (body) => ({ ...body, closed: true })),
  }),
  page('member-nobody', '/operator/members/99999999'),
  ...TABS,
  page('member-why', `${MEMBER}?tab=payments`, { act: click('.table-toggle button') }),
  act('view', /^(Ver|View|See)$/),
  act('freeze', FREEZE),
  act('freeze-nothing-typed', FREEZE, async (shown) => {
    await submit(shown)
    await shown.locator('[aria-invalid="true"]').first().waitFor()
  }),
  act('freeze-code', FREEZE, sendFreeze),
  act(
    'freeze-refused',
    FREEZE,
    async (shown) => {
      await sendFreeze(shown)
      await shown.locator('input[autocomplete="one-time-code"]').fill('123456')
      await submit(shown)
      await shown.locator('[role="alert"]').filter({ hasText: /./ }).first().waitFor()
    },
    { before: refusal('members/*/freeze/', 'omar lo congeló hace un momento.') },
  ),
  act('fundator', /^(Hacer fundador|Quitar|Make|Take)/),
  act('points', /^(Cambiar|Change)$/),
  act('email', /^(Corregir|Correct)$/),
  act('sessions', /^(Cerrar sesiones|End sessions)/),
  act('close', /^(Cerrar cuenta|Close (the )?account)/),
]

const chooseFirst = async (shown: Page) => {
  for (const box of await shown.locator('.queue-check').all()) await box.check()
}
const PAYING: readonly Shot[] = [
  page('withdrawals-approved', '/operator/withdrawals?state=approved'),
  page('withdrawals-closed', '/operator/withdrawals?state=closed'),
  page('withdrawals-chosen', '/operator/withdrawals', { act: chooseFirst }),
  dialog('withdrawals-refuse', '/operator/withdrawals', async (shown) => {
    await chooseFirst(shown)
    await shown.locator('.queue-selection .button-danger').click()
  }),
  page('withdrawals-keys', '/operator/withdrawals', {
    window: true,
    // Phones have no keys.
    act: async (shown) => {
      if (await shown.locator('.keys-button').isVisible()) await shown.locator('.keys-button').click()
    },
  }),
  page('withdrawal', '/operator/withdrawals', { act: click('.queue .row-link') }),
  page('runs-open', '/operator/runs?state=open'),
  page('runs-day', '/operator/runs', { act: click('.calendar-day[data-tone="done"]') }),
  ...['largest', 'changes', 'fresh', 'gone', 'missed'].map((view) =>
    page(`run-${view}`, `${RUN}?view=${view}`),
  ),
  page('run-why', RUN, { act: click('.table-toggle button') }),
  page('run-held', RUN, { before: changed('runs/\\d+/', (body) => ({ ...body, ...HELD })) }),
  dialog('run-cancel', RUN, (shown) => press(shown, /^(Anular|Cancel)/), {
    before: changed('runs/\\d+/', (body) => ({ ...body, ...HELD })),
  }),
  page('run-nothing-found', `${RUN}?member=nobody-is-called-so`),
  page('rates-typed', '/operator/rates', {
    act: (shown) => shown.locator('form input[inputmode="decimal"]').first().fill('0.25'),
  }),
  page('rates-too-high', '/operator/rates', {
    act: async (shown) => {
      await shown.locator('form input[inputmode="decimal"]').first().fill('25')
      await shown.keyboard.press('Enter')
    },
  }),
  page('plan-new', '/operator/plan?new=1'),
]

const MONEY: readonly Shot[] = [
  page('deposits-nothing-found', '/operator/deposits?search=nothing-is-called-so'),
  page('deposit', '/operator/deposits', { act: click('.table-toggle button') }),
  page('deposit-other-token', '/operator/deposits?fate=wrong_token', { act: click('.table-toggle button') }),
  page('investments-nothing-found', '/operator/investments?member=nobody-is-called-so'),
  dialog('investments-reverse', '/operator/investments', async (shown) => {
    await click('.table-toggle button')(shown)
    await press(shown, /^(Revertir|Reverse)/)
  }),
  page('treasury-stopped', '/operator/treasury', {
    before: changed('treasury/', (body) => ({ ...body, stop: STOP })),
  }),
  page('treasury-opened', '/operator/treasury', {
    act: async (shown) => {
      for (const one of await shown.locator('main details > summary').all()) await one.click()
      await press(shown, /^(Mostrar código QR|Show (the )?QR)/)
    },
  }),
  page('treasury-too-much', '/operator/treasury', {
    act: async (shown) => {
      await shown.locator('form input').first().fill('99999999')
      await shown.locator('form button[type="submit"]').first().click()
    },
  }),
  dialog('treasury-stop', '/operator/treasury', (shown) => press(shown, /^(Detener|Stop)/)),
]

const COMPANY: readonly Shot[] = [
  page('support-mine', '/operator/support?state=mine'),
  page('support-thread', '/operator/support', { act: click('.row-link') }),
  page('support-templates', '/operator/support/templates'),
  page('audit-entry', '/operator/audit', { act: click('.table-toggle button') }),
  page('audit-nothing-found', '/operator/audit?who=nobody-is-called-so'),
  page('audit-verified', '/operator/audit', {
    act: async (shown) => {
      await press(shown, /^(Verificar|Verify)/)
      await shown.locator('.verify-result, .notice-ok, .notice').first().waitFor()
    },
  }),
  page('operator-opened', '/operator/operators', { act: click('.table-toggle button') }),
  dialog('operators-invite', '/operator/operators', (shown) => press(shown, /^(Invitar|Invite)/)),
]

export const OF_OPERATORS: readonly Shot[] = [
  ...AS_THEY_ARE,
  ...AROUND,
  ...TODAY,
  ...MEMBERS,
  ...PAYING,
  ...MONEY,
  ...COMPANY,
]
