import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { LONG_TESTS } from './tools/long-proof.ts'

const elsewhere = ['**/node_modules/**', '**/dist/**', '.data/**', 'e2e/**']

/** Parts of the names of the files that take half a minute and more, the longest first. */
const LONGEST = [
  'supervise.test',
  'simulation-',
  'embedded.test',
  'model/database',
  'bugs.db',
  'ingest/crash',
  'replay-unchanged',
  'payout-runs.db',
  'store.test',
  'signer/main.db',
  'outgoing/crash',
  'reversals.operator',
  'replay.db',
  'gateway/src/main.db',
]

/** The long files begin first: a worker that begins one last would be waited for alone. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const found = LONGEST.findIndex((part) => moduleId.includes(part))
      return found === -1 ? LONGEST.length : found
    }
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other))
  }
}

export default defineConfig({
  test: {
    exclude: elsewhere,
    restoreMocks: true,
    // These end what hangs; no test is about its own time.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 240_000, interval: 20 } },
    sequence: { sequencer: LongFirst },
    // Left alone, a machine with two cores would run one file at a time. Tests wait for the database and for processes as well as
    // they compute: three at a time took 379 s where two took 484.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    // Where files are not isolated, a worker loads the product once and not a hundred times. What our modules keep (parsed plans
    // by their text, how many passwords are being hashed) holds for any installation.
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['{packages,apps,tools,db}/**/*.test.ts'],
          exclude: [...elsewhere, ...LONG_TESTS, '**/*.db.test.ts', 'apps/web/**'],
          isolate: false,
        },
      },
      {
        // Its modules are made for one page: they keep what they know, and pretend to be in a browser.
        extends: true,
        test: { name: 'web', include: ['apps/web/**/*.test.ts'], pool: 'vmThreads' },
      },
      {
        // Parts of pages, pressed and typed into as people do. The alias is the build's: see apps/web/vite.config.ts.
        extends: true,
        resolve: { alias: [{ find: /^react-hot-toast$/, replacement: 'react-hot-toast/headless' }] },
        test: {
          name: 'components',
          include: ['apps/web/**/*.test.tsx'],
          environment: 'happy-dom',
          setupFiles: ['apps/web/src/testing/browser.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'database',
          include: ['{apps,tools,db}/**/*.db.test.ts'],
          exclude: [...elsewhere, ...LONG_TESTS],
          globalSetup: ['tools/testing/database-setup.ts'],
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'long proof',
          include: LONG_TESTS,
          testTimeout: 1_800_000,
          hookTimeout: 1_800_000,
          globalSetup: ['tools/testing/database-setup.ts'],
          isolate: false,
        },
      },
    ],
  },
})
