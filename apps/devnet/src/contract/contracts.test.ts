import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { artifactOf, CONTRACTS, compileContract } from './compile.ts'

it.each(CONTRACTS)('the artifact of %s is what the compiler makes of the contract today', (name) => {
  expect(readFileSync(artifactOf(name), 'utf8')).toBe(compileContract(name))
})
