/** The pages that are shown, in the states that a running product and a changed answer of it can bring up. */
import type { Page } from '@playwright/test'
import { OF_OPERATORS } from './console.ts'
import type { Shot } from './shot.ts'
import { SIGN_IN_STATES } from './sign-in.ts'

const OF_VISITORS: readonly Shot[] = [
  { name: 'sign-in', path: '/auth/login/' },
  { name: 'register', path: '/auth/register/0' },
  { name: 'register-unknown', path: '/auth/register/0000001' },
  {
    name: 'register-nothing-typed',
    path: '/auth/register/0',
    act: (page) => page.locator('button[type="submit"]').click(),
  },
  { name: 'forgot-password', path: '/auth/forgot-password' },
  { name: 'reset-password', path: '/auth/reset-password?email=ana%40example.com' },
  { name: 'reset-link', path: `/auth/reset-password#${'x'.repeat(43)}` },
  { name: 'not-me', path: '/auth/not-me#a-link' },
  { name: 'not-found', path: '/nowhere' },
  ...['server-error', 'not-authorized', 'comming-soon', 'under-maintenance'].map((name) => ({
    name,
    path: `/error-pages/${name}`,
  })),
]

const opened = (selector: string) => (page: Page) => page.locator(selector).first().waitFor()

async function typeAmount(page: Page): Promise<void> {
  await page.locator('input[name="amount"]').fill('50')
  await page.keyboard.press('Enter')
  await page.locator('.withdrawal-quote').waitFor()
}

const DETAILS = /^(Ver detalle|Show details)$/
const OF_MEMBERS: readonly Shot[] = [
  { name: 'dashboard', path: '/dashboard' },
  {
    name: 'settings',
    path: '/dashboard',
    press: /^(Personalizar apariencia|Customize the look)$/,
    shows: '[role="dialog"]',
    window: true,
  },
  { name: 'reserves', path: '/dashboard?show=reserves', act: opened('[role="dialog"]'), window: true },
  {
    name: 'invest',
    path: '/dashboard',
    press: /^(Invertir ahora|Invest now)$/,
    shows: '[role="dialog"]',
    window: true,
  },
  {
    name: 'invest-typed',
    path: '/dashboard',
    window: true,
    act: async (page) => {
      await page
        .getByRole('button', { name: /^(Invertir ahora|Invest now)$/ })
        .first()
        .click()
      await page.locator('[role="dialog"] input').first().fill('1000')
    },
  },
  {
    name: 'user-menu',
    path: '/payments',
    press: /^(Tu cuenta|Your account)/,
    shows: '[role="menu"]',
    window: true,
  },
  { name: 'payments', path: '/payments' },
  { name: 'payments-why', path: '/payments', press: DETAILS, shows: '.why' },
  { name: 'payments-passive', path: '/payments?tab=passive', press: DETAILS, shows: '.why' },
  { name: 'payments-all', path: '/payments?tab=all' },
  { name: 'payments-nothing-found', path: '/payments?tab=all&q=nobody-is-called-so' },
  { name: 'payments-binary', path: '/payments?tab=binary', press: DETAILS, shows: '.why' },
  { name: 'payments-points', path: '/payments?tab=points' },
  { name: 'payments-not-paid', path: '/payments?tab=not-paid' },
  {
    name: 'statement',
    path: '/payments',
    press: /^(Estado de cuenta|Statement)$/,
    shows: '[role="dialog"]',
    window: true,
  },
  { name: 'referrals', path: '/referrals' },
  { name: 'withdrawals', path: '/withdrawals' },
  { name: 'withdrawals-review', path: '/withdrawals', act: typeAmount },
  { name: 'history', path: '/investment-history' },
  { name: 'tree', path: '/network-marketing', window: true },
  {
    name: 'tree-sheet',
    path: '/network-marketing',
    window: true,
    act: (page) => page.locator('.tree-card .tree-name').first().click(),
  },
  {
    name: 'tree-list',
    path: '/network-marketing',
    press: /^(Ver como lista|Show as a list)$/,
    shows: '[role="treeitem"]',
    window: true,
  },
  { name: 'tree-binary', path: '/network-marketing?view=binary', window: true },
  { name: 'profile', path: '/profile' },
  { name: 'security', path: '/security' },
  { name: 'two-factor', path: '/security', press: /^(Activar|Turn on)$/, shows: 'form' },
  {
    name: 'passkey',
    path: '/security',
    press: /^(Agregar llave de acceso|Add a passkey)$/,
    shows: '[role="dialog"]',
    window: true,
  },
  {
    name: 'chat',
    path: '/profile',
    press: /^(Chat en vivo|Live Chat)$/,
    shows: '.chat-foot',
    window: true,
  },
  { name: 'member-not-found', path: '/nowhere' },
]

const FILLED = [
  'dashboard',
  'payments',
  'payments?tab=all',
  'referrals',
  'withdrawals',
  'investment-history',
  'network-marketing',
  'profile',
  'security',
]
const UNANSWERED: readonly Shot[] = FILLED.flatMap((path) =>
  (['fail', 'wait'] as const).map((calls) => ({
    name: `${path.replace('?tab=', '-')}-${calls === 'fail' ? 'failed' : 'on-its-way'}`,
    path: `/${path}`,
    calls,
  })),
)

export const SHOTS: readonly Shot[] = [
  ...OF_VISITORS.map((shot) => ({ ...shot, visitor: true })),
  ...SIGN_IN_STATES,
  ...OF_MEMBERS,
  ...UNANSWERED,
  ...OF_OPERATORS,
]
