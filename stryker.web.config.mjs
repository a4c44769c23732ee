import rules from './stryker.config.mjs'

/** The web's money hooks: keys of attempts, what is sent, quotes and amounts. */
export default {
  ...rules,
  vitest: { configFile: 'vitest.mutation.web.config.ts' },
  mutate: [
    'apps/web/src/api/idempotency.ts',
    'apps/web/src/console/shared/{calls,confirm}.ts',
    'apps/web/src/features/investments/{quote,invoice}.ts',
    'apps/web/src/features/withdrawals/{quote,useWithdrawalForm}.ts',
    'apps/web/src/ui/{amount,useSingleFlight}.ts',
  ],
  jsonReporter: { fileName: 'coverage/mutation-web.json' },
  // Forms take seconds on a busy machine.
  timeoutMS: 90_000,
  thresholds: { high: 85, low: 75, break: 75 },
}
