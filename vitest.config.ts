import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

const elsewhere = ['**/node_modules/**', '**/dist/**', '.data/**', 'e2e/**']

export default defineConfig({
  test: {
    exclude: elsewhere,
    restoreMocks: true,
    // Left alone, a machine with two cores would run one file at a time and keep the other core for nobody.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['{packages,apps,tools,db,bench,simulation}/**/*.test.{ts,tsx}'],
          exclude: [...elsewhere, '**/*.db.test.ts'],
          testTimeout: 30_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'database',
          include: ['{apps,db,bench,simulation}/**/*.db.test.ts'],
          globalSetup: ['tools/testing/database-setup.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
