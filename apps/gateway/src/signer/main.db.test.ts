import { mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { accountXpub, DEVNET } from '@aval/tron'
import { afterAll, describe, expect, it } from 'vitest'
import { connectionsOf, withoutWrites } from '../testing/database-faults.ts'
import { type StartedProcess, startProcess } from '../testing/process.ts'
import { suiteHarness } from '../testing/suite.ts'
import { devnetKeys } from './keys/devnet-keys.ts'
import { changePolicy, writeKeyFile } from './keys/key-file.ts'
import { createSignerClient } from './socket.ts'
import { createSignerHarness } from './testing/signer-harness.ts'

const PASSPHRASE = 'correct horse battery'
const harness = await suiteHarness(createSignerHarness, { realTime: true })
const folder = mkdtempSync(join(tmpdir(), 'aval-signer-'))
const socket = join(folder, 'private', 'signer.sock')
const keyFile = join(folder, 'signer.json')
await writeKeyFile(keyFile, { ...devnetKeys(), policy: harness.policy() }, PASSPHRASE)
const started: StartedProcess[] = []
/** The signer that the last test left, if it is still there. */
let left: StartedProcess | undefined

afterAll(async () => {
  await Promise.all(started.map(kill))
  rmSync(folder, { recursive: true, force: true })
})

function start(changes: Record<string, string> = {}): StartedProcess {
  const signer = startProcess('signer/main.ts', {
    DATABASE_URL: harness.database.signerUrl,
    TRON_NETWORK: 'devnet',
    SIGNER_KEYS: keyFile,
    SIGNER_PASSPHRASE: PASSPHRASE,
    SIGNER_SOCKET: socket,
    ...changes,
  })
  started.push(signer)
  return signer
}

/** A signer that is ready: the one that is there, or a new one. To start one opens the key file, which is slow by intent. */
async function readySigner(): Promise<StartedProcess> {
  const { exitCode, signalCode } = left?.child ?? { exitCode: 0, signalCode: null }
  const signer = left === undefined || exitCode !== null || signalCode !== null ? start() : left
  await expect.poll(() => [...signer.messages, signer.child.exitCode]).toEqual([{ ready: true }, null])
  left = signer
  return signer
}

async function kill({ child, ended }: StartedProcess): Promise<void> {
  child.kill('SIGKILL')
  await ended()
}

/** A withdrawal that operators approved and the running signer accepted. */
async function approved() {
  const asked = await harness.request()
  const rows = await harness.approvers.shown([asked.id])
  for (const operator of [1n, 2n]) await harness.approvers.submit(operator, rows)
  await harness.rows("SELECT pg_notify('approval_submitted', '')")
  await expect.poll(() => stateOf(asked)).toBe('approved')
  return asked
}
const stateOf = async ({ id }: { readonly id: bigint }) =>
  (await harness.rows<{ state: string }>('SELECT state FROM withdrawal WHERE id = $1', [id]))[0]?.state

/** Asks as the gateway does, over its own connection. */
async function ask(txid: string) {
  const client = createSignerClient(socket, { timeoutMs: 20_000 })
  const reply = await client.sign(txid)
  client.close()
  return reply
}

/** Waits until the signer's write is blocked by a lock. */
const blocked = () => expect.poll(connectionsOf(harness.owner, 'aval signer').states).toContain('waiting')

describe('the signer', () => {
  it('signs what is prepared, logs it without the signature, and ends at SIGTERM', async () => {
    const signer = await readySigner()
    const txid = await harness.prepareWithdrawal(await approved())
    const reply = await ask(txid)
    expect(reply).toMatchObject({ signed: true })
    const { signature } = (await harness.transfer(txid)) ?? {}
    expect(reply).toEqual({ signed: true, signature: new Uint8Array(signature ?? []) })
    const refused = await harness.prepareWithdrawal(await approved(), { bytes: { memo: 'ff' } })
    expect(await ask(refused)).toMatchObject({ signed: false, code: 'memo_attached' })
    signer.child.kill('SIGTERM')
    expect(await signer.ended()).toBe(0)
    const lines = signer
      .output()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    // Deriving addresses goes on beside.
    const events = lines.map(({ event }) => event).filter((event) => event !== 'addresses.derived')
    expect(events).toEqual([
      'started',
      ...['approval.accepted', 'approval.accepted', 'sign.signed'],
      ...['approval.accepted', 'approval.accepted', 'sign.refused'],
      'stopping',
      'stopped',
    ])
    for (const line of lines) expect(line).toMatchObject({ part: 'signer' })
    for (const secret of [PASSPHRASE, signature?.toString('hex') ?? '?', 'xprv']) {
      expect(signer.output()).not.toContain(secret)
    }
    expect(() => statSync(socket)).toThrow('ENOENT')
  })

  it('killed between signing and storing, leaves nothing signed outside; the next one signs', async () => {
    const first = await readySigner()
    const txid = await harness.prepareWithdrawal(await approved())
    let reply: Awaited<ReturnType<typeof ask>> | null = null
    // The signature exists in the process's memory now, and cannot be stored.
    await withoutWrites(harness.owner, 'outgoing_transfer', async () => {
      const asked = ask(txid)
      await blocked()
      await kill(first)
      reply = await asked
      // The database would finish the statement of a killed client; closing the connection prevents it.
      await connectionsOf(harness.owner, 'aval signer').close('waiting')
    })
    expect(reply).toMatchObject({ signed: false, code: 'signer_unavailable' })
    expect(first.output()).not.toContain('sign.signed')
    expect(await harness.transfer(txid)).toEqual({ state: 'prepared', signature: null })
    await readySigner()
    expect(await ask(txid)).toMatchObject({ signed: true })
  })

  it('survives the loss of its database connections, and signs again', async () => {
    const signer = await readySigner()
    const txid = await harness.prepareWithdrawal(await approved())
    await withoutWrites(harness.owner, 'outgoing_transfer', async () => {
      const asked = ask(txid)
      await blocked()
      await connectionsOf(harness.owner, 'aval signer').close('waiting')
      expect(await asked).toMatchObject({ signed: false, code: 'signer_failed' })
    })
    await expect.poll(() => ask(txid)).toMatchObject({ signed: true })
    expect(signer.child.exitCode).toBeNull()
  })
})

/** Puts this in the place of a file, whole, as a restored backup would be. */
function put(path: string, content: Buffer): void {
  writeFileSync(`${path}.draft`, content, { mode: 0o600 })
  renameSync(`${path}.draft`, path)
}
/** What a request is answered with in the end. */
/** The versions that the audit trail has, each as often as another one follows it. */
async function recordedKeyFiles(): Promise<string[]> {
  const entries = await harness.rows<{ version: string }>(
    "SELECT details->>'version' AS version FROM audit_event WHERE action = 'key_file.use' ORDER BY id",
  )
  return entries.map(({ version }) => version).filter((version, place, all) => version !== all[place - 1])
}
const answered = (txid: string) => expect.poll(() => ask(txid))

describe('the signer reads a key file that was changed', () => {
  it('at once: who is no longer in it approves nothing, and an older one stops everything', async () => {
    const signer = await readySigner()
    const read = (version: number) =>
      expect.poll(() => signer.output()).toMatch(new RegExp(`"keys.read".*"version":${version}\\b`))
    const older = readFileSync(keyFile)
    const asked = await approved()
    await changePolicy(keyFile, PASSPHRASE, (policy) => ({
      ...policy,
      approvers: policy.approvers.filter(({ memberId }) => memberId !== 2n),
    }))
    await read(2)
    await answered(await harness.prepareWithdrawal(asked)).toMatchObject({ code: 'approver_unknown' })
    const newer = readFileSync(keyFile)
    put(keyFile, older)
    const sweep = await harness.prepareOwn('sweep')
    await read(1)
    await answered(sweep).toMatchObject({ code: 'key_file_older' })
    put(keyFile, newer)
    await answered(sweep).toMatchObject({ signed: true })
    await changePolicy(keyFile, PASSPHRASE, () => harness.policy())
    await read(3)
    // Operators are alerted of what the trail says. The older file was never used.
    await expect.poll(recordedKeyFiles).toEqual(['1', '2', '3'])
  })
})

describe('the signer without its journal', () => {
  it('signs and accepts nothing, and says so, until it is back', async () => {
    await kill(await readySigner())
    const journal = `${keyFile}.journal`
    const kept = readFileSync(journal)
    rmSync(journal)
    const signer = await readySigner()
    await expect.poll(() => signer.output()).toContain('journal_missing')
    const surplus = await harness.prepareOwn('surplus')
    await answered(surplus).toMatchObject({ code: 'journal_missing' })
    const asked = await harness.request()
    const approval = await harness.approvers.submit(1n, await harness.approvers.shown([asked.id]))
    const refusal = async () =>
      (await harness.rows('SELECT refusal FROM approval WHERE id = $1', [approval]))[0]?.['refusal']
    await expect.poll(refusal).toBe('journal_missing')
    put(journal, kept)
    await answered(surplus).toMatchObject({ signed: true })
  })
})

describe('the signer refuses to start', () => {
  const reasons = async (signer: StartedProcess) => {
    expect(await signer.ended()).toBe(1)
    expect(signer.output()).not.toContain(PASSPHRASE)
    return signer.messages.map((line) => (line as { fatal: string }).fatal)
  }

  it('with a broken environment, reporting every problem', async () => {
    const signer = start({
      DATABASE_URL: '',
      TRON_NETWORK: 'moon',
      SIGNER_KEYS: '',
      SIGNER_SOCKET: 'x'.repeat(93),
      SIGNER_DAILY_CAP: '5000',
      SIGNER_FUEL_TRX: '1.5',
    })
    expect(await reasons(signer)).toEqual([
      expect.stringMatching(/^DATABASE_URL is missing/),
      expect.stringMatching(/^TRON_NETWORK must be/),
      expect.stringMatching(/^SIGNER_KEYS is missing/),
      expect.stringMatching(/^SIGNER_SOCKET is longer/),
      expect.stringMatching(/^SIGNER_FUEL_TRX is no whole number/),
      expect.stringMatching(/^SIGNER_DAILY_CAP is a setting no longer: the limit is in the key file/),
    ])
  })

  it('without the passphrase, with another one, or with the key file of another network, in one line', async () => {
    const starts = [
      { SIGNER_PASSPHRASE: '' },
      { SIGNER_PASSPHRASE: 'another' },
      { TRON_NETWORK: 'mainnet' },
      { TRON_NETWORK: 'mainnet', DATABASE_URL: 'postgres://signer:secret@db.example/aval' },
    ].map(start)
    const lines = await Promise.all(starts.map(reasons))
    expect(lines).toEqual([
      ['SIGNER_PASSPHRASE is missing: what opens the key file'],
      [expect.stringContaining('was not opened: another passphrase')],
      [expect.stringContaining('TRON_NETWORK is mainnet, but the key file')],
      ['DATABASE_URL has to say sslmode=verify-full, unless the database is on this machine'],
    ])
  })

  it('where another signer listens, or on a database of other deposit addresses', async () => {
    await readySigner()
    expect(await reasons(start())).toEqual([`another signer listens at ${socket} already`])
    const words = 'legal winner thank year wave sausage worth useful legal winner thank yellow'
    await harness.rows('UPDATE installation SET deposit_xpub = $1', [accountXpub(words)])
    expect(await reasons(start({ SIGNER_SOCKET: `${socket}2` }))).toEqual([
      'the key file is of another network, token or deposit key than this database',
    ])
    await harness.rows('UPDATE installation SET deposit_xpub = $1', [DEVNET.xpub])
  })
})

it('the signer loads only the chain package, the database connection, and what these need', async () => {
  const preload = fileURLToPath(new URL('testing/report-loaded.ts', import.meta.url))
  const signer = startProcess('signer/main.ts', {}, ['--import', preload])
  await signer.ended()
  const list = /loaded (\[.*\])/.exec(signer.output())?.[1] ?? '[]'
  const files = (JSON.parse(list) as string[]).filter((url) => url.startsWith('file:'))
  const packages = files.flatMap((url) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1] ?? [])
  // `@aval/approvals` is among our folders below; nothing that verifies passkeys comes from elsewhere.
  expect([...new Set(packages)].sort()).toEqual([
    ...['@noble/curves', '@noble/hashes', '@scure/base', '@scure/bip32', '@scure/bip39'],
    ...['kysely', 'pg', 'pg-connection-string', 'pg-int8', 'pg-pool', 'pg-protocol', 'pg-types'],
    ...['postgres-array', 'postgres-bytea', 'postgres-date', 'postgres-interval', 'xtend', 'zod'],
  ])
  const ours = files.filter((url) => !url.includes('/node_modules/'))
  const folders = ours.map((url) => url.replace(/^.*?\/((apps|packages|db|tools)\/.*)\/[^/]+$/, '$1'))
  expect([...new Set(folders)].sort()).toEqual([
    'apps/gateway/src/core',
    'apps/gateway/src/signer',
    'apps/gateway/src/signer/approvals',
    'apps/gateway/src/signer/journal',
    'apps/gateway/src/signer/keys',
    'apps/gateway/src/signer/member-keys',
    'apps/gateway/src/signer/sight',
    'db/src',
    'packages/approvals/src',
    'packages/tron/src',
  ])
  expect(
    ours
      .filter((url) => url.includes('/db/'))
      .map((url) => url.replace(/^.*\//, ''))
      .sort(),
  ).toEqual([
    ...['address.ts', 'audit-chain.ts', 'audit-seals.ts', 'client.ts', 'connect.ts', 'encrypted.ts'],
    ...['hosts.ts', 'prepared.ts'],
  ])
})
