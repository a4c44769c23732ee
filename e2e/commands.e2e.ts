/** The commands of the README for the product that runs; those that other tests run are cited in docs/promises.md. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from '@playwright/test'
import { childEnvironment, root } from '../tools/core/config.ts'
import { register } from '../tools/testing/client.ts'
import { journeyDataDir, journeyDevnetPort, journeyPort } from '../tools/testing/journey-place.ts'
import { product } from './fixture.ts'

/** Without npm, whose step before a command may install. Rejects where the program ends with another code than 0. */
async function run(tool: string, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [`tools/${tool}.ts`, ...args], {
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
  expect(await run('on-database', 'operator', username, '--role', 'support')).toContain(
    `${username} is an operator now, with the role support`,
  )
  expect(await run('on-database', 'operator', username, '--revoke')).toContain(username)
})

test('npm run replay computes every run again and finds no difference', async () => {
  expect(await run('on-database', 'replay', '--all')).not.toBe('')
})

test('npm run withdrawals says what is to be signed elsewhere, and takes what comes back by its own roles', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'aval-unsigned-'))
  expect(await run('withdrawals', 'export', join(folder, 'export.json'))).toMatch(/\S/)
  const signed = join(folder, 'signed.json')
  await writeFile(signed, JSON.stringify({ transfers: [], decisions: null }))
  const said = await run('withdrawals', 'import', signed)
  expect(said).toContain('0 approvals of decisions are in it\n0 signatures are stored')
  // Nobody holds the key of this one.
  const [one, hash] = ['1', 'a'.repeat(64)]
  const outcome = { approval: one, operator: one, nonce: hash, root: hash, verdict: 'accepted', needed: [1] }
  const forged = { network: 'devnet', outcomes: [outcome], audit_key: hash, signature: hash + hash }
  await writeFile(signed, JSON.stringify({ transfers: [], decisions: forged }))
  await expect(run('withdrawals', 'import', signed)).rejects.toThrow('another audit key')
  await rm(folder, { recursive: true })
})

test('npm run addresses takes what npm run keys derived on another machine', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'aval-addresses-'))
  const [keys, file] = [join(folder, 'signer.json'), join(folder, 'addresses.json')]
  const there = (...args: string[]) =>
    promisify(execFile)(process.execPath, ['apps/gateway/src/signer/cli/keys.ts', ...args], {
      cwd: root,
      env: childEnvironment({ SIGNER_PASSPHRASE: 'a passphrase of a test' }),
    })
  await there('devnet', '--out', keys)
  await there('addresses', '--from', '0', '--count', '5', '--out', file, '--keys', keys)
  // The signer of this product has derived more by itself.
  expect(await run('addresses', 'import', file)).toContain('all of them are there already')
  await rm(folder, { recursive: true })
})

test('npm run audit:verify goes through the whole trail', async () => {
  expect(await run('on-database', 'audit-verify')).toContain(
    'Nothing was altered, removed, inserted or moved.',
  )
})

test('npm run ledger:check finds the database as its migrations made it', async () => {
  expect(await run('on-database', 'ledger-check')).toContain('The database is as its migrations made it.')
})
