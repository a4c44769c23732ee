import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test } from 'vitest'
import { clearLeftovers } from '../../db/src/embedded-leftovers.ts'
import { freePort } from '../testing/free-port.ts'
import { runningIn } from './run-file.ts'
import { signerSocket } from './signer.ts'
import { type Started, startProduct } from './testing/product.ts'

const folder = mkdtempSync(join(tmpdir(), 'aval-signer-'))
let started: Started | null = null
afterEach(async () => {
  started?.process.kill('SIGINT')
  await started?.ended
  started = null
})
afterAll(async () => {
  await clearLeftovers(join(folder, 'data', 'postgres'))
  rmSync(folder, { recursive: true, force: true })
})

async function start(changes: Record<string, string>): Promise<Started> {
  const PORT = String(await freePort())
  const DEVNET_PORT = String(await freePort())
  const APPROVALS_PORT = String(await freePort())
  started = startProduct({
    DATA_DIR: join(folder, 'data'),
    PORT,
    DEVNET_PORT,
    APPROVALS_PORT,
    HOST: '127.0.0.1',
    ...changes,
  })
  return started
}

/** The environment of a process, as the system has it. */
const environmentOf = (pid: number) =>
  process.platform === 'linux'
    ? readFileSync(`/proc/${pid}/environ`, 'utf8')
    : execFileSync('ps', ['eww', '-p', String(pid), '-o', 'command='], { encoding: 'utf8' })

test('what opens the key file is in the environment of the signer alone', async () => {
  const keys = join(folder, 'own.json')
  writeFileSync(keys, 'open-sesame-please')
  const product = await start({
    SIGNER_KEYS: keys,
    SIGNER_PASSPHRASE: 'open-sesame-please',
    SIGNER_FUEL_TRX: '77',
  })
  await product.said('Aval is ready')
  const { pids, databases } = await runningIn(join(folder, 'data'))
  const { supervisor: _who_was_told, ...others } = pids
  const readers = Object.entries(others).filter(([, pid]) =>
    environmentOf(pid).includes('open-sesame-please'),
  )
  expect(readers.map(([name]) => name)).toEqual(['signer'])
  expect(environmentOf(pids['signer'] ?? 0)).toContain('SIGNER_FUEL_TRX=77')
  const socket = `SIGNER_SOCKET=${await signerSocket(join(folder, 'data'))}`
  const told = Object.entries(others).filter(([, pid]) => environmentOf(pid).includes(socket))
  expect(told.map(([name]) => name).sort()).toEqual(['gateway', 'signer'])
  expect(environmentOf(pids['signer'] ?? 0)).toContain(databases.signer)
  expect(existsSync(join(folder, 'data/keys/signer.json'))).toBe(false)
})

test('without the passphrase of a key file, and nobody there to be asked, nothing is started', async () => {
  const product = await start({ SIGNER_KEYS: join(folder, 'own.json') })
  expect(await product.ended).toBe(1)
  expect(product.output()).toBe(`SIGNER_PASSPHRASE: is missing: it opens ${join(folder, 'own.json')}.\n`)
})

test('with SIGNER=offline there is no signer and no key file, and the gateway knows it', async () => {
  const product = await start({ SIGNER: 'offline' })
  await product.said('Aval is ready')
  const { pids } = await runningIn(join(folder, 'data'))
  expect(Object.keys(pids)).not.toContain('signer')
  expect(existsSync(join(folder, 'data/keys/signer.json'))).toBe(false)
  expect(environmentOf(pids['gateway'] ?? 0)).toContain('SIGNER=offline')
  expect(environmentOf(pids['gateway'] ?? 0)).not.toContain('SIGNER_SOCKET')
})

test('the socket lies beside the data, or at a short place of its own for a deep folder, always the same', async () => {
  const near = join(folder, 'near')
  mkdirSync(near)
  expect(await signerSocket(near)).toBe(join(near, 'socket', 'signer.sock'))
  const [deep, other] = ['a', 'b'].map((name) => join(folder, name.repeat(60), name.repeat(60)))
  for (const path of [deep ?? '', other ?? '']) mkdirSync(path, { recursive: true })
  const place = await signerSocket(deep ?? '')
  expect(Buffer.byteLength(place)).toBeLessThanOrEqual(92)
  expect(await signerSocket(deep ?? '')).toBe(place)
  expect(await signerSocket(other ?? '')).not.toBe(place)
})
