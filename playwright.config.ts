import { defineConfig } from '@playwright/test'
import { chromiumArguments, findChromium, unwantedArguments } from './tools/chromium.ts'
import { CARRYING_JOURNEYS } from './tools/long-proof.ts'
import { isGiven, journeyUrl } from './tools/testing/journey-place.ts'

const executablePath = findChromium()

const files = (...names: string[]) => names.map((name) => `**/${name}.e2e.ts`)
/** Those that turn the shared clock or decide as operators, one after the other. */
const SHARED = files(
  'approvals',
  'console-member-acts',
  'console-operators',
  'console-today',
  'decisions',
  'invoices',
  'journey',
  'lies',
  'lost-passkey',
  'operator',
  'operator-sessions',
  'passkey-only',
  'policy',
  'support',
  'tree',
  'walk',
  'withdrawal',
)
/** Those that kill products of their own, and those that change nothing: they balance the other two lanes. */
const OWN = files('processes', 'accessibility', 'tree-mouse', 'upgrade')

/** The company's first week is walked in a product that was just started, by `JOURNEYS_ON` (CONTRIBUTING.md): it turns the clock and spends a million. */
const WEEK = files('company-week')

/** `npm test` walks these; `npm run test:all` the others too. */
const CARRYING = files(...CARRYING_JOURNEYS)
const isCarrying = (file: string) => CARRYING.includes(file)
const isNot = (file: string) => !isCarrying(file)

/** The browser journeys, against the whole product with a demo network of its own (see journey-product.ts). */
export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.e2e.ts',
  outputDir: 'test-results',
  workers: 3,
  retries: 0,
  // These end what hangs. What is waited for comes within a moment on an idle machine, and later on a busy one.
  timeout: 480_000,
  expect: { timeout: 60_000 },
  forbidOnly: true,
  use: {
    browserName: 'chromium',
    baseURL: journeyUrl,
    // Recording costs a third of the time; `playwright test --trace retain-on-failure` does it.
    trace: 'off',
    screenshot: 'only-on-failure',
    viewport: { width: 1280, height: 800 },
    locale: 'en-US',
    timezoneId: 'UTC',
    // What a journey sees is what the server said; the worker has a journey of its own.
    serviceWorkers: 'block',
    // A page that does not move is painted less often: a seventh of the browser's time. Journeys about motion ask for it.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      args: chromiumArguments,
      ...(executablePath !== null && { executablePath }),
      ignoreDefaultArgs: unwantedArguments(),
    },
  },
  projects: [
    { name: 'shared', testMatch: SHARED.filter(isCarrying), workers: 1 },
    { name: 'members', testMatch: CARRYING, testIgnore: SHARED, workers: 1 },
    { name: 'more shared', testMatch: SHARED.filter(isNot), workers: 1 },
    { name: 'more own', testMatch: OWN, workers: 1 },
    { name: 'more members', testIgnore: [...SHARED, ...OWN, ...WEEK, ...CARRYING], workers: 1 },
    ...(isGiven ? [{ name: 'week', testMatch: WEEK, workers: 1 }] : []),
  ],
  ...(!isGiven && {
    webServer: {
      command: 'node tools/testing/journey-product.ts',
      wait: { stdout: /Aval is ready/ },
      timeout: 600_000,
      stdout: 'pipe',
      gracefulShutdown: { signal: 'SIGINT', timeout: 30_000 },
    },
  }),
})
