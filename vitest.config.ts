import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

const elsewhere = ['**/node_modules/**', '**/dist/**', '.data/**', 'e2e/**']

export default defineConfig({
  test: {
    exclude: elsewhere,
    restoreMocks: true,
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
          include: ['{packages,apps,tools,db,bench,simulation}/**/*.test.ts'],
          exclude: [...elsewhere, '**/*.db.test.ts', 'apps/web/**'],
          testTimeout: 30_000,
          isolate: false,
        },
      },
      {
        // Its modules are made for one page: they keep what they know, and pretend to be in a browser.
        extends: true,
        test: { name: 'web', include: ['apps/web/**/*.test.ts'], testTimeout: 30_000 },
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
          testTimeout: 30_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'database',
          include: ['{apps,db,bench,simulation}/**/*.db.test.ts'],
          globalSetup: ['tools/testing/database-setup.ts'],
          isolate: false,
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
