/**
 * Mutation testing (`npm run mutate`): changes the rules of money one operator at a time and expects a test to fail.
 * What survives is listed with its reason in docs/mutation-testing.md.
 */
const rules = [
  'packages/{money,plan}/src/**/*.ts',
  'apps/{server,gateway}/src/**/*.rules.ts',
  '!**/*.test.ts',
  '!**/testing/**',
  '!**/index.ts',
]

export default {
  testRunner: 'vitest',
  vitest: { configFile: 'vitest.mutation.config.ts' },
  mutate: rules,
  plugins: ['@stryker-mutator/vitest-runner'],
  coverageAnalysis: 'perTest',
  // Constants of modules: 14 % of the mutants would take 87 % of the time. See docs/mutation-testing.md.
  ignoreStatic: true,
  concurrency: 1,
  reporters: ['clear-text', 'json'],
  clearTextReporter: { allowColor: false, reportTests: false },
  jsonReporter: { fileName: 'coverage/mutation.json' },
  // TypeScript 7 has no JavaScript API, which rewriting the tsconfig would need; nothing here needs the rewrite.
  tsconfigFile: 'none',
  tempDirName: '.stryker',
  ignorePatterns: ['.data', 'coverage', 'dist', 'test-results', '.shots'],
  // A slow machine is no found mutant.
  timeoutMS: 30_000,
  thresholds: { high: 90, low: 85, break: 85 },
}
