import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DEVNET, devnetAddress, devnetKey, recoverSigner, transactionId } from '@aval/tron'
import { afterAll, expect, it } from 'vitest'
import { devnetKeys } from './devnet-keys.ts'
import { KeyFileRefusal, openKeyFile, writeKeyFile } from './key-file.ts'

const passphrase = 'a passphrase of some length'
const folder = mkdtempSync(join(tmpdir(), 'aval-keys-'))
const path = join(folder, 'signer.json')
await writeKeyFile(path, devnetKeys(), passphrase)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function refusal(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(KeyFileRefusal)
  const { message } = error as KeyFileRefusal
  expect(message).not.toContain('\n')
  expect(message).not.toContain(passphrase)
  return message
}

it('a key file is open to its owner only, and contains no readable key', async () => {
  expect(statSync(path).mode & 0o777).toBe(0o600)
  const text = readFileSync(path, 'utf8')
  for (const secret of [
    Buffer.from(devnetKey('hotWallet')).toString('hex'),
    'xprv',
    passphrase,
    DEVNET.usdt,
  ]) {
    expect(text).not.toContain(secret)
  }
})

it('opened, it gives its addresses and signs by the right key', async () => {
  const keys = await openKeyFile(path, passphrase)
  expect(keys).toMatchObject({ network: 'devnet', usdt: DEVNET.usdt, cold: devnetAddress('coldWallet') })
  expect(keys.hot).toBe(devnetAddress('hotWallet'))
  const raw = Uint8Array.of(1, 2, 3)
  expect(recoverSigner(transactionId(raw), keys.sign(raw, 'hot', 0n))).toBe(keys.hot)
  expect(recoverSigner(transactionId(raw), keys.sign(raw, 'deposit', 57n))).toBe(keys.depositAddress(57n))
  expect(keys.depositAddress(2n ** 31n)).toBeNull()
})

it('another passphrase is reported in one line', async () => {
  expect(await refusal(openKeyFile(path, `${passphrase}.`))).toContain(
    'another passphrase, or the file is damaged',
  )
})

let copies = 0
/** A copy with something changed. */
function changed(change: (text: string) => string): string {
  const copy = join(folder, `changed-${++copies}.json`)
  writeFileSync(copy, change(readFileSync(path, 'utf8')), { mode: 0o600 })
  return copy
}
const flip = (name: string) => (text: string) =>
  text.replace(new RegExp(`("${name}": ")(.)`), (_, before, digit) => `${before}${digit === '0' ? '1' : '0'}`)

it('one changed digit anywhere is reported in one line', async () => {
  const said = await Promise.all(
    ['salt', 'nonce', 'tag', 'sealed'].map((name) => refusal(openKeyFile(changed(flip(name)), passphrase))),
  )
  for (const line of said) expect(line).toContain('or the file is damaged')
})

it.each<[string, (text: string) => string]>([
  ['cut off', (text) => text.slice(0, -20)],
  ['of another version', (text) => text.replace('"version": 1', '"version": 2')],
  ['with a weaker stretching', (text) => text.replace('131072', '2')],
  ['of nothing', () => ''],
  ['far too long', (text) => `${text}${' '.repeat(1_000_000)}`],
])('a file %s is no key file', async (_name, change) => {
  expect(await refusal(openKeyFile(changed(change), passphrase))).toContain('is no key file')
})

it.each([0o640, 0o604, 0o666])('a file that others may open (%o) is not read', async (mode) => {
  const copy = changed((text) => text)
  chmodSync(copy, mode)
  expect(await refusal(openKeyFile(copy, passphrase))).toContain(`chmod 600 ${copy}`)
})

it('a missing or unreadable file is reported in one line', async () => {
  expect(await refusal(openKeyFile(join(folder, 'none.json'), passphrase))).toContain('there is no key file')
  expect(await refusal(openKeyFile(folder, passphrase))).toBe(`${folder} is no key file`)
})

it('a key file is never overwritten', async () => {
  const before = readFileSync(path)
  expect(await refusal(writeKeyFile(path, devnetKeys(), passphrase))).toContain('exists already')
  expect(readFileSync(path)).toEqual(before)
  expect(await refusal(writeKeyFile(join(folder, 'no', 'where.json'), devnetKeys(), passphrase))).toContain(
    'ENOENT',
  )
})
