import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  accountPrivateKey,
  accountXpub,
  addressFromPrivateKey,
  DEVNET,
  depositAddress,
  recoverSigner,
  transactionId,
  USDT_CONTRACTS,
} from '@aval/tron'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addressFile } from '../address-files.ts'
import { devnetKeys } from '../keys/devnet-keys.ts'
import { openKeyFile, writeKeyFile } from '../keys/key-file.ts'
import { signedFile } from '../offline-files.ts'
import {
  APPROVED_KEYS,
  CHAIN_NOW,
  COLD,
  exported,
  exportedApproval,
  exportedTransfer,
  exportedWallet,
  HOT,
  transactionOf,
  transferCall,
  USDT,
} from '../testing/fixtures.ts'
import { type CommandContext, policyFiles, showKeyFile } from './command.ts'
import { createKeyFile } from './create.ts'
import { signOffline } from './sign-offline.ts'

const PASSPHRASE = 'correct horse battery'
const WORDS = 'legal winner thank year wave sausage worth useful legal winner thank yellow'
const folder = mkdtempSync(join(tmpdir(), 'aval-keys-'))
let shown = ''
beforeEach(() => {
  shown = ''
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const file = (name: string) => join(folder, name)

/** A person who gives these answers, and nothing in the environment. */
function answering(...answers: string[]): CommandContext {
  const ask = async (question: string, { hidden = false } = {}) => {
    shown += `${hidden ? '(hidden) ' : ''}${question}\n`
    return answers.shift() ?? null
  }
  const say = (text: string) => {
    shown += `${text}\n`
  }
  return {
    terminal: { isPerson: false, say, ask, close: () => undefined },
    environment: { keyFile: null, journal: null, passphrase: null, feeLimit: 100n * USDT, apiKeys: null },
    policies: policyFiles(async () => PASSPHRASE),
    passphrase: async (what) => (await ask(`Passphrase ${what}: `, { hidden: true })) ?? '',
    now: () => new Date(CHAIN_NOW),
  }
}

describe('a key file for a real installation', () => {
  const options = { network: 'mainnet', cold: null, restore: false }

  it('is made of new words that are shown once, and made again from these words', async () => {
    const out = file('new.json')
    await createKeyFile(answering(COLD, PASSPHRASE, PASSPHRASE, 'written'), { ...options, out })
    const words = [...shown.matchAll(/\d+ ([a-z]+) /g)].map(([, word]) => word).join(' ')
    expect(words.split(' ')).toHaveLength(24)
    const xpub = accountXpub(words)
    const hot = addressFromPrivateKey(accountPrivateKey(words, 1, 0))
    for (const line of [`TRON_XPUB=${xpub}`, `TRON_HOT_ADDRESS=${hot}`, `TRON_COLD_ADDRESS=${COLD}`]) {
      expect(shown).toContain(`${line}\n`)
    }
    expect(shown.split(words.slice(0, 20))).toHaveLength(1)
    // Two words side by side: one alone, such as "cry" or "face", can stand in "scrypt" or in the sealed bytes.
    expect(readFileSync(out, 'utf8')).not.toContain(words.split(' ').slice(0, 2).join(' '))

    shown = ''
    const again = file('again.json')
    await createKeyFile(
      answering(PASSPHRASE, PASSPHRASE, `  ${words.replaceAll(' ', '  ').toUpperCase()} `),
      {
        ...options,
        cold: COLD,
        restore: true,
        out: again,
      },
    )
    expect(shown).not.toContain(words.split(' ').slice(0, 3).join(' '))
    shown = ''
    await showKeyFile(answering(PASSPHRASE), again)
    expect(shown).toContain(`hot wallet   ${hot}\n`)
    expect(shown).toContain(`deposits     ${xpub}\n`)
    expect(shown).toContain(`USDT         ${USDT_CONTRACTS.mainnet}\n`)
    expect(shown).toMatch(/^audit key {4}[0-9a-f]{64}$/m)
    expect(shown).toContain('(hidden) Passphrase')
    expect(shown).not.toMatch(/xprv/)
  })

  it.each<[string, Partial<typeof options>, string[], string]>([
    ['another network', { network: 'devnet' }, [], '--network is nile, shasta or mainnet'],
    ['a cold wallet that is none', {}, ['TQn9'], 'the cold wallet is no Tron address'],
    ['a short passphrase', {}, [COLD, 'short'], '12 characters or more'],
    ['two passphrases', {}, [COLD, PASSPHRASE, `${PASSPHRASE}!`], 'the two passphrases differ'],
    ['words that were not written down', {}, [COLD, PASSPHRASE, PASSPHRASE, ''], 'nothing was written'],
    ['no words', { restore: true }, [COLD, PASSPHRASE, PASSPHRASE, 'a b c'], 'no valid words'],
    ['published words', { restore: true }, [COLD, PASSPHRASE, PASSPHRASE, DEVNET.mnemonic], 'are published'],
    [
      'the hot wallet for the cold one',
      { restore: true },
      [addressFromPrivateKey(accountPrivateKey(WORDS, 1, 0)), PASSPHRASE, PASSPHRASE, WORDS],
      'the cold wallet is one whose key is elsewhere',
    ],
  ])('is not made with %s', async (_name, changes, answers, line) => {
    const out = file('refused.json')
    await expect(createKeyFile(answering(...answers), { ...options, ...changes, out })).rejects.toThrow(line)
    expect(() => statSync(out)).toThrow('ENOENT')
  })
})

describe('signing on a machine without a network', () => {
  const keyFile = file.bind(null, 'devnet.json')
  beforeAll(() => writeKeyFile(keyFile(), { ...devnetKeys(), policy: APPROVED_KEYS.policy }, PASSPHRASE))

  let runs = 0
  async function signing(content: unknown, ...answers: string[]) {
    runs += 1
    const names = { exported: file(`export-${runs}.json`), out: file(`signed-${runs}.json`) }
    writeFileSync(names.exported, typeof content === 'string' ? content : JSON.stringify(content))
    const problem = await signOffline(answering(PASSPHRASE, ...answers), {
      ...names,
      keyFile: keyFile(),
    }).then(
      () => null,
      (error: Error) => error.message,
    )
    const read = () => signedFile.parse(JSON.parse(readFileSync(names.out, 'utf8'))).transfers
    return { problem, names, read }
  }

  it('shows each transfer, asks, and signs those that were accepted', async () => {
    const { problem, names, read } = await signing(exported(), 'y', 'n', 'a')
    expect(problem).toBeNull()
    expect(shown).toContain('3 transfers, 298.50 USDT in all, on devnet')
    expect(shown).toContain(
      `withdrawal 2   99.50 USDT\nto ${exportedWallet(2)
        .match(/.{1,4}/g)
        ?.join(' ')}`,
    )
    expect(shown).toContain('approved by Ana\n')
    expect(shown).toContain('2 signed, 199.00 USDT in all')
    expect(statSync(names.out).mode & 0o777).toBe(0o600)
    const signed = read()
    expect(signed.map(({ txid }) => txid)).toEqual([exportedTransfer(1).txid, exportedTransfer(3).txid])
    for (const { txid, signature } of signed)
      expect(recoverSigner(txid, Buffer.from(signature, 'hex'))).toBe(HOT)
  })

  it('asks no more after "all", and writes nothing after "quit"', async () => {
    expect((await signing(exported(), 'a')).problem).toBeNull()
    const { problem, read } = await signing(exported(), 'y', 'q')
    expect(problem).toBe('nothing was signed')
    expect(read).toThrow('ENOENT')
    expect((await signing(exported(), 'n', 'n', 'n')).problem).toBe('nothing was signed')
  })

  it('signs nothing of an export with one incorrect transfer, or of another file', async () => {
    const all = exported()
    const changed = { ...all, transfers: [...all.transfers, { ...exportedTransfer(4), amount: '99.51' }] }
    const unapproved = { ...all, transfers: [...all.transfers, exportedTransfer(4)] }
    for (const [content, line] of [
      [changed, 'nothing is signed: withdrawal 4: its bytes pay another amount'],
      [unapproved, 'nothing is signed: withdrawal 4: 0 of 1 operators approved it'],
      [JSON.stringify(all).slice(0, -9), 'no export of the gateway'],
      [{ ...all, note: '' }, 'no export of the gateway'],
    ] as const) {
      const { problem, read } = await signing(content, 'a')
      expect(problem).toContain(line)
      expect(read).toThrow('ENOENT')
    }
  })
})

describe('another transfer of a withdrawal, on a machine without a network', () => {
  const keyFile = file('again.devnet.json')
  beforeAll(() => writeKeyFile(keyFile, { ...devnetKeys(), policy: APPROVED_KEYS.policy }, PASSPHRASE))
  const before = transactionOf(transferCall(HOT, exportedWallet(1), 99_500_000n), {
    timestamp: CHAIN_NOW - 9_000_000,
    expiration: CHAIN_NOW - 1,
  })
  const txid = transactionId(before)
  const earlier = [{ txid, raw: Buffer.from(before).toString('hex'), withdrawal: '1' }]
  const first = { ...exportedTransfer(1), earlier }
  const content = (transfer: object) => ({
    ...exported(),
    transfers: [transfer],
    approvals: [exportedApproval([exportedTransfer(1)])],
  })
  let runs = 0
  const sign = (transfer: object, ...answers: string[]) => {
    runs += 1
    const names = { exported: file(`again-${runs}.json`), out: file(`again-signed-${runs}.json`) }
    writeFileSync(names.exported, JSON.stringify(content(transfer)))
    return signOffline(answering(PASSPHRASE, 'y', ...answers), { ...names, keyFile })
  }
  const journal = () => readFileSync(`${keyFile}.journal`, 'utf8')

  it('is signed once a person has typed the end of the earlier one’s txid, which the journal keeps', async () => {
    await expect(sign(first, 'yes')).rejects.toThrow(`that ${txid} can arrive no more is not confirmed`)
    expect(journal()).not.toContain('"signed"')
    await sign(first, txid.slice(-8))
    expect(shown).toContain(`a transfer of withdrawal 1 may have been signed\n${txid}`)
    expect(journal()).toMatch(new RegExp(`"confirmed".*"txid":"${txid}"[^]*"signed".*"txid":"${first.txid}"`))
    // It is not asked again of what was confirmed.
    await sign(first)
  })

  it('also where the export says nothing of the one that was signed here', async () => {
    const raw = transactionOf(transferCall(HOT, exportedWallet(1), 99_500_000n), {
      timestamp: CHAIN_NOW + 1,
      expiration: CHAIN_NOW + 43_000_000,
      feeLimit: 50n * USDT,
    })
    const other = { ...first, txid: transactionId(raw), raw: Buffer.from(raw).toString('hex'), earlier: [] }
    await expect(sign(other, '')).rejects.toThrow('is still valid')
  })

  it('is not signed while the earlier one can still enter the chain', async () => {
    const raw = transactionOf(transferCall(HOT, exportedWallet(1), 99_500_000n), {
      expiration: CHAIN_NOW + 99_000,
    })
    const live = [{ txid: transactionId(raw), raw: Buffer.from(raw).toString('hex'), withdrawal: '1' }]
    await expect(sign({ ...first, earlier: live }, '')).rejects.toThrow('is still valid')
  })
})

describe('the command', () => {
  const run = (args: readonly string[], env: Record<string, string> = {}) => {
    const program = fileURLToPath(new URL('keys.ts', import.meta.url))
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
      env: { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'], ...env },
      input: '',
      encoding: 'utf8',
    })
    return { status, stdout, stderr }
  }

  it('makes the development chain’s key file, and does not print the passphrase', async () => {
    const out = file('by-command.json')
    const made = run(['devnet', '--out', out], { SIGNER_PASSPHRASE: PASSPHRASE })
    expect(made).toEqual({ status: 0, stdout: '', stderr: '' })
    await showKeyFile(answering(PASSPHRASE), out)
    expect(shown).toContain(`hot wallet   ${HOT}\n`)
  })

  it('derives addresses for another machine, and writes over no file', async () => {
    const [keys, out] = [file('deriving.json'), file('addresses.json')]
    await writeKeyFile(keys, devnetKeys(), PASSPHRASE)
    const derive = (count: string) =>
      run(['addresses', '--from', '3', '--count', count, '--out', out, '--keys', keys], {
        SIGNER_PASSPHRASE: PASSPHRASE,
      })
    expect(derive('0').stderr).toContain('--count is at least 1')
    expect(derive('1e3').stderr).toContain('--count is a whole number')
    expect(derive('2').stdout).toContain('2 addresses, 3 to 4, signed by the audit key')
    const { first, addresses } = addressFile.parse(JSON.parse(readFileSync(out, 'utf8')))
    expect([first, ...addresses]).toEqual([3, depositAddress(DEVNET.xpub, 3), depositAddress(DEVNET.xpub, 4)])
    expect(derive('3').stderr).toContain('nothing was written: ')
  })

  it('changes the limits of a key file, which is then a newer one', async () => {
    const out = file('limits.json')
    await writeKeyFile(out, devnetKeys(), PASSPHRASE)
    const changed = run(['limits', out, '--per-day', '77'], { SIGNER_PASSPHRASE: PASSPHRASE })
    expect(changed).toMatchObject({ status: 0, stderr: '' })
    expect(changed.stdout).toContain('a day        77.00 USDT')
    const { policy, hot } = await openKeyFile(out, PASSPHRASE)
    expect([policy.version, policy.limits.perDay, hot]).toEqual([1, 77_000_000n, HOT])
    expect(statSync(out).mode & 0o777).toBe(0o600)
  })

  it('names nodes, whose API keys are shown nowhere', async () => {
    const out = file('nodes.json')
    await writeKeyFile(out, { ...devnetKeys(), network: 'nile' }, PASSPHRASE)
    const urls = 'https://one.example/v1,https://two.example'
    const named = run(['nodes', out, '--nodes', urls], {
      SIGNER_PASSPHRASE: PASSPHRASE,
      TRON_API_KEYS: 'first-key,x-token:second-key',
    })
    expect(named).toMatchObject({ status: 0, stderr: '' })
    expect(named.stdout).toContain('node         one.example   TRON-PRO-API-KEY\n')
    expect(named.stdout).toContain('quorum       2 of 2')
    expect(named.stdout).not.toMatch(/first-key|second-key|v1/)
    const { chain } = (await openKeyFile(out, PASSPHRASE)).policy
    expect(chain?.nodes[1]).toEqual({ url: 'https://two.example', headers: { 'x-token': 'second-key' } })
    const alone = run(['nodes', out, '--nodes', 'https://one.example'], { SIGNER_PASSPHRASE: PASSPHRASE })
    expect(alone).toMatchObject({ status: 1, stderr: expect.stringContaining('2 or more have to agree') })
  })

  it.each<[readonly string[], RegExp]>([
    [[], /^npm run keys -- create /],
    [['show', '--no'], /Unknown option '--no'/],
    [['devnet', '--out', 'never.json'], /SIGNER_PASSPHRASE is missing$/m],
    [
      ['sign-offline', 'none.json', '--out', 'never.json', '--keys', 'none'],
      /the export cannot be read: ENOENT/,
    ],
  ])('%j is answered with one line and exit code 1', (args, line) => {
    const { status, stderr } = run(args)
    expect(status).toBe(1)
    expect(stderr).toMatch(line)
    expect(stderr).not.toContain('file:')
  })
})
