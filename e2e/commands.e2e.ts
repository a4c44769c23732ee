/** The commands of the README for the product that runs; those that other tests run are cited in docs/promises.md. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from '@playwright/test'
import { childEnvironment, root } from '../tools/core/config.ts'
import { register } from '../tools/testing/client.ts'
import { journeyDataDir, journeyDevnetPort, journeyPort } from '../tools/testing/journey-place.ts'
import { product } from './fixture.ts'

/** Rejects where the command ends with another code than 0. */
async function npmRun(name: string, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('npm', ['run', '--silent', name, '--', ...args], {
    cwd: root,
    env: childEnvironment({
      DATA_DIR: journeyDataDir,
      PORT: String(journeyPort),
      DEVNET_PORT: String(journeyDevnetPort),
    }),
  })
  return stdout
}

test('npm run operator makes an operator and takes the right back', async () => {
  const { username } = await register(product.url)
  expect(await npmRun('operator', username)).toContain(username)
  expect(await npmRun('operator', username, '--revoke')).toContain(username)
})

test('npm run replay computes every run again and finds no difference', async () => {
  expect(await npmRun('replay', '--all')).not.toBe('')
})

test('npm run withdrawals exports what is to be signed elsewhere', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'aval-export-'))
  try {
    await npmRun('withdrawals', 'export', join(folder, 'unsigned.json'))
    expect(JSON.parse(await readFile(join(folder, 'unsigned.json'), 'utf8'))).toBeTruthy()
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
