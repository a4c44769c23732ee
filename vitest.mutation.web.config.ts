import { defineConfig } from 'vitest/config'

/** The tests of the web's money hooks, for `npm run mutate`: rules beside the modules, and the forms as people use them. */
export default defineConfig({
  resolve: { alias: [{ find: /^react-hot-toast$/, replacement: 'react-hot-toast/headless' }] },
  test: {
    include: [
      'apps/web/src/api/idempotency.test.ts',
      'apps/web/src/ui/amount.test.ts',
      'apps/web/src/features/{investments,withdrawals}/*.test.ts',
      'apps/web/src/app/{memberForms,operatorForms,invoice}.test.tsx',
    ],
    environment: 'happy-dom',
    setupFiles: ['apps/web/src/testing/browser.ts'],
    restoreMocks: true,
  },
})
