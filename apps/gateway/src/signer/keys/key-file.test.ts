import { createCipheriv, createDecipheriv, scryptSync } from 'node:crypto'
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DEVNET, devnetAddress, devnetKey, recoverSigner, transactionId } from '@aval/tron'
import { afterAll, describe, expect, it } from 'vitest'
import { writtenPolicy } from '../policy.rules.ts'
import { devnetKeys } from './devnet-keys.ts'
import { changePolicy, KeyFileRefusal, openKeyFile, writeKeyFile } from './key-file.ts'

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
  ['of another version', (text) => text.replace('"version": 2', '"version": 3')],
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

/** The same file as another version of the program would have written it. */
async function rewritten(name: string, change: (plain: { policy: Record<string, unknown> }) => object) {
  const { salt, nonce, tag, sealed, ...rest } = JSON.parse(readFileSync(path, 'utf8')) as Sealed
  const key = scryptSync(passphrase, Buffer.from(salt, 'hex'), 32, SCRYPT)
  const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(nonce, 'hex'))
  decipher.setAuthTag(Buffer.from(tag, 'hex'))
  const plain = Buffer.concat([decipher.update(sealed, 'hex'), decipher.final()])
  const cipher = createCipheriv('aes-256-gcm', key, Buffer.from(nonce, 'hex'))
  const text = JSON.stringify(change(JSON.parse(plain.toString('utf8'))))
  const written = Buffer.concat([cipher.update(text), cipher.final()]).toString('hex')
  const file = { ...rest, salt, nonce, tag: cipher.getAuthTag().toString('hex'), sealed: written }
  const copy = join(folder, `${name}.json`)
  writeFileSync(copy, JSON.stringify(file), { mode: 0o600 })
  return copy
}
type Sealed = Record<'salt' | 'nonce' | 'tag' | 'sealed', string>
const SCRYPT = { N: 2 ** 17, r: 8, p: 1, maxmem: 2 ** 28 }
const beforeDecisions = ({
  policy: { decisions: _, ...policy },
  ...keys
}: {
  policy: Record<string, unknown>
}) => ({ ...keys, policy })

describe('a key file from before decisions', () => {
  it('is not used, and says what it lacks and which command adds it', async () => {
    const older = await rewritten('older', beforeDecisions)
    const said = await refusal(openKeyFile(older, passphrase))
    expect(said).toContain('lacks policy.decisions')
    expect(said).toContain(`npm run keys -- limits ${older} --decisions run:1,plan:2,member_key:2`)
  })

  it('is mended by a change of its limits, with the numbers of a public network where the change says none', async () => {
    const older = await rewritten('mended', beforeDecisions)
    const { version } = await changePolicy(older, passphrase, (policy) => policy)
    const { policy } = await openKeyFile(older, passphrase)
    expect(policy).toMatchObject({
      version,
      decisions: { run: 1, plan: 2, memberKey: 2, codes: false },
    })
    expect(version).toBe(1)
  })
})

it('a field that this program does not know so is said by its name, and nothing of what it says', async () => {
  const other = await rewritten('other', ({ policy, ...keys }) => ({
    ...keys,
    policy: { ...policy, limits: 'a secret of somebody' },
  }))
  const said = await refusal(openKeyFile(other, passphrase))
  expect(said).toContain('was opened, and its field policy.limits is missing or not as this program knows it')
  expect(said).not.toContain('secret')
})

describe('the nodes of a key file', () => {
  const nodes = ['https://one.example', 'https://two.example/key'].map((url) => ({
    url,
    headers: { k: 'v' },
  }))
  const [one, two] = nodes as [(typeof nodes)[number], (typeof nodes)[number]]
  const named = (chain: unknown, network = 'mainnet') =>
    rewritten(`nodes-${++copies}`, (plain) => ({ ...plain, network, policy: { ...plain.policy, chain } }))

  it('are read back; a file of before, which has none, is read as before and known to the journal as the same', async () => {
    const chain = { nodes, quorum: 2 }
    expect((await openKeyFile(await named(chain), passphrase)).policy.chain).toEqual(chain)
    const older = changed((text) => text.replace('"version": 2', '"version": 1'))
    const { policy } = await openKeyFile(older, passphrase)
    expect(writtenPolicy(policy)).not.toHaveProperty('chain')
  })

  it.each<[string, unknown, string, string]>([
    [
      'one alone has to say it, on a public network',
      { nodes, quorum: 1 },
      'mainnet',
      '2 or more have to agree',
    ],
    ['more have to agree than there are', { nodes, quorum: 3 }, 'mainnet', 'it names 2'],
    [
      'two are one',
      { nodes: [one, { ...one, url: `${one.url}/other` }], quorum: 2 },
      'nile',
      'names a node twice',
    ],
    [
      'one can be read on its way',
      { nodes: [two, { ...one, url: 'http://one.example' }], quorum: 2 },
      'nile',
      'https://',
    ],
    ['there are none in the list', { nodes: [], quorum: 2 }, 'nile', 'policy.chain.nodes'],
  ])('are refused where %s', async (_what, chain, network, line) => {
    expect(await refusal(openKeyFile(await named(chain, network), passphrase))).toContain(line)
  })
})
