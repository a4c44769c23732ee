import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { root } from './core/config.ts'
import { lockFaults } from './supply-chain.rules.ts'

const locked = z.object({
  resolved: z.string().optional(),
  integrity: z.string().optional(),
  link: z.boolean().optional(),
  dev: z.boolean().optional(),
  hasInstallScript: z.boolean().optional(),
})
const read = (file: string): unknown => JSON.parse(readFileSync(join(root, file), 'utf8'))

test('each package that ships has its integrity, comes from the registry, and runs a script only where it may', () => {
  const { packages } = z.object({ packages: z.record(z.string(), locked) }).parse(read('package-lock.json'))
  const { allowScripts } = z
    .object({ allowScripts: z.record(z.string(), z.boolean()) })
    .parse(read('package.json'))
  expect(lockFaults(packages, allowScripts)).toEqual([])
})

const sound = { integrity: 'sha512-x', resolved: 'https://registry.npmjs.org/a/-/a-1.0.0.tgz' }

test('a sound package has no fault, nor has a folder of ours', () => {
  expect(lockFaults({ 'node_modules/a': sound, 'node_modules/b': { link: true }, apps: {} }, {})).toEqual([])
})

test.each([
  ['ships without integrity', { integrity: undefined }],
  ['comes from elsewhere', { resolved: 'https://mirror.example/a.tgz' }],
  ['allowScripts does not say', { hasInstallScript: true }],
])('a package that %s is named', (fault, change) => {
  const faults = lockFaults({ 'node_modules/a': { ...sound, ...change } }, {})
  expect(faults).toEqual([expect.stringContaining(fault)])
})
