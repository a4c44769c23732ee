import { defineConfig } from '@playwright/test'
import { chromiumArguments, findChromium } from './tools/chromium.ts'
import { journeyUrl } from './tools/testing/journey-place.ts'

const executablePath = findChromium()

const files = (...names: string[]) => names.map((name) => `**/${name}.e2e.ts`)
/** Those that turn the shared clock or decide as operators, one after the other; and what would make the members' lane long. */
const HOUSE = files('journey', 'operator', 'policy', 'support', 'tree', 'tree-mouse', 'walk', 'withdrawal')
/** Those that kill products of their own, and the one that changes nothing and takes longest. */
const OWN = files('kill', 'money-out', 'accessibility')

/** The browser journeys, against the whole product with a demo network of its own (see journey-product.ts). */
export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.e2e.ts',
  outputDir: 'test-results',
  workers: 3,
  retries: 0,
  timeout: 120_000,
  expect: { timeout: 15_000 },
  forbidOnly: true,
  use: {
    baseURL: journeyUrl,
    // Recording costs a third of the time; `playwright test --trace retain-on-failure` does it.
    trace: 'off',
    screenshot: 'only-on-failure',
    viewport: { width: 1280, height: 800 },
    locale: 'en-US',
    timezoneId: 'UTC',
    // What a journey sees is what the server said; the worker has a journey of its own.
    serviceWorkers: 'block',
    launchOptions: { args: chromiumArguments, ...(executablePath !== null && { executablePath }) },
  },
  projects: [
    { name: 'house', testMatch: HOUSE, workers: 1, use: { browserName: 'chromium' } },
    {
      name: 'members',
      testIgnore: [...HOUSE, ...OWN, '**/budgets/**'],
      workers: 1,
      use: { browserName: 'chromium' },
    },
    { name: 'own', testMatch: OWN, workers: 1, use: { browserName: 'chromium' } },
    // Alone and last: whatever runs beside it is measured with it. By itself: `playwright test --no-deps budgets`.
    {
      name: 'budgets',
      testMatch: 'budgets/*.e2e.ts',
      dependencies: ['house', 'members', 'own'],
      use: { browserName: 'chromium' },
    },
  ],
  webServer: {
    command: 'node tools/testing/journey-product.ts',
    wait: { stdout: /Aval is ready/ },
    timeout: 240_000,
    stdout: 'pipe',
    gracefulShutdown: { signal: 'SIGINT', timeout: 30_000 },
  },
})
