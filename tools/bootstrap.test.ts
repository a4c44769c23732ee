import { spawn } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { childEnvironment, root } from './core/config.ts'

let folder = ''
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Puts five of ten packages there, and the others once it is told to go on; the package of Node last. */
const FAKE_NPM = `
const { existsSync, mkdirSync, writeFileSync } = require('node:fs')
const put = (name) => {
  mkdirSync('node_modules/' + name, { recursive: true })
  writeFileSync('node_modules/' + name + '/package.json', '{}')
}
for (let n = 1; n <= 5; n += 1) put('part-' + n)
const timer = setInterval(() => {
  if (!existsSync('go-on')) return
  clearInterval(timer)
  for (let n = 6; n <= 10; n += 1) put('part-' + n)
  process.stderr.write('that is all')
  process.exit(existsSync('fail') ? 1 : 0)
}, 20)
`

function begin() {
  folder = mkdtempSync(join(tmpdir(), 'aval-bootstrap-'))
  mkdirSync(join(folder, 'tools'))
  copyFileSync(join(root, 'tools/bootstrap.mjs'), join(folder, 'tools/bootstrap.mjs'))
  const names = Array.from({ length: 10 }, (_, index) => [`node_modules/part-${index + 1}`, {}])
  const others = { 'node_modules/other-machine': { os: ['darwin'] }, 'node_modules/own': { link: true } }
  const packages = { '': {}, ...Object.fromEntries(names), ...others }
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages }))
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ workspaces: [], devDependencies: { node: '24.0.0' } }),
  )
  writeFileSync(join(folder, 'npm-cli.js'), FAKE_NPM)
  const child = spawn(process.execPath, ['tools/bootstrap.mjs'], {
    cwd: folder,
    env: childEnvironment({
      npm_execpath: join(folder, 'npm-cli.js'),
      npm_node_execpath: process.execPath,
      npm_lifecycle_event: 'prestart',
    }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  const hear = (part: Buffer) => {
    text += part.toString()
  }
  child.stdout.on('data', hear)
  child.stderr.on('data', hear)
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  return { child, ended, output: () => text }
}

test('an installation says at once that it begins, and then how many packages are there, without a terminal too', async () => {
  const { child, ended, output } = begin()
  await new Promise<void>((resolve) => {
    child.stdout.on('data', () => output().includes('5 of 10 packages, ') && resolve())
  })
  const [first, second] = output().split('\n')
  expect([first, second]).toEqual([
    'Aval: looking at what is installed …',
    'Installing 10 packages (they are missing or out of date) …',
  ])
  writeFileSync(join(folder, 'fail'), '')
  writeFileSync(join(folder, 'go-on'), '')
  expect(await ended).toBe(1)
  expect(output()).toContain('that is all\n\nThe dependencies could not be installed: "npm ci" ended with 1')
})
