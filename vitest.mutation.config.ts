import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const source = (name: string) => fileURLToPath(new URL(`packages/${name}/src/index.ts`, import.meta.url))

/** The fast tests of the rules, for `npm run mutate`. Packages resolve to the mutated copy, not to node_modules. */
export default defineConfig({
  resolve: {
    alias: Object.fromEntries(
      ['contract', 'genealogy', 'money', 'plan', 'tron'].map((name) => [`@aval/${name}`, source(name)]),
    ),
  },
  test: {
    include: ['packages/{money,plan}/src/**/*.test.ts', 'apps/*/src/**/*.rules.test.ts'],
    isolate: false,
  },
})
