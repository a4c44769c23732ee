import { signTransaction } from '@aval/tron'
import { beforeEach, describe, expect, it } from 'vitest'
import { devnetKeys } from '../signer/keys/devnet-keys.ts'
import { createKeyRing } from '../signer/keys/key-ring.ts'
import { checkExport } from '../signer/offline-check.ts'
import { type ExportFile, exportFile, type SignedFile } from '../signer/offline-files.ts'
import { createOutgoingHarness, depositOf, USDT_UNIT } from '../testing/outgoing-harness.ts'
import { suiteHarness } from '../testing/suite.ts'
import { exportUnsigned, importSigned } from './offline.ts'

type Signatures = Pick<SignedFile, 'transfers'>

const harness = await suiteHarness(createOutgoingHarness, { hot: 100_000n * USDT_UNIT })
const { states } = harness
beforeEach(async () => {
  await harness.mine(4)
  await harness.gateway({ signer: null }).round()
})

const approve = (to = harness.newWallet()) => harness.approve(to, 101n * USDT_UNIT, 1, 'submitOffline')
const exported = async () => (await exportUnsigned(harness.offline(), harness.now())).file
const imported = (file: Signatures) => importSigned(harness.offline(), file, harness.now())

/** What the other machine does: it checks the export, and signs. */
function signElsewhere(file: ExportFile, key = devnetKeys().hotKey): Signatures {
  const limits = { feeLimit: 100_000_000n, topUp: 0n }
  const keys = createKeyRing({ ...devnetKeys(), policy: harness.policy })
  const checked = checkExport(exportFile.parse(file), keys, limits, harness.now())
  expect(checked).toMatchObject({ wrong: null, ignored: [] })
  for (const names of checked.approvedBy.values()) expect(names).toEqual(['operator 901'])
  return {
    transfers: file.transfers.map(({ txid, raw }) => {
      const { signature } = signTransaction(new Uint8Array(Buffer.from(raw, 'hex')), key)
      return { txid, raw, signature: Buffer.from(signature).toString('hex') }
    }),
  }
}

describe('without a signer', () => {
  it('a withdrawal waits until it is exported, signed elsewhere and imported, and is then sent', async () => {
    const to = harness.newWallet()
    const id = await approve(to)
    const gateway = harness.gateway({ signer: null })
    await gateway.round()
    expect(await states(id)).toEqual([])
    const file = await exported()
    expect(file.transfers).toMatchObject([{ to, amount: '100.00', withdrawal: String(id) }])
    await harness.advance(4_000)
    await gateway.round()
    expect(await states(id)).toEqual(['prepared'])
    expect(await imported(signElsewhere(file))).toBe(1)
    expect(await harness.finish(gateway, id)).toMatchObject({ state: 'settled' })
    expect(await harness.balance(to)).toBe(100n * USDT_UNIT)
  })

  it('what was exported is exported again unchanged, and a signer that comes back does not sign it', async () => {
    const id = await approve()
    const first = await exported()
    const second = await exported()
    expect(second.transfers).toEqual(first.transfers)
    await harness.gateway().round()
    expect(await states(id)).toEqual(['prepared'])
    expect(await imported(signElsewhere(first))).toBe(1)
    expect(await imported(signElsewhere(second))).toBe(0)
  })

  it('a transfer without a signature expires only when it can no longer enter the chain', async () => {
    const id = await approve()
    await exported()
    await harness.advance(3_600)
    await harness.gateway().round()
    expect(await states(id)).toEqual(['prepared'])
    await harness.advance(12 * 3_600)
    await harness.gateway().round()
    // A signer with a network signs nothing that it has not accepted itself.
    expect(await states(id)).toEqual(['expired', 'expired'])
    const delays = await harness.rows('SELECT code, detail FROM withdrawal_delay WHERE withdrawal_id = $1', [
      id,
    ])
    expect(delays).toMatchObject([
      { code: 'signer_refused', detail: expect.stringMatching(/^approval_unknown: /) },
    ])
  })
})

describe('a file of signatures is refused whole when', () => {
  it('another key signed: nothing is stored, and the audit trail records it', async () => {
    const ids = [await approve(), await approve()]
    const signed = signElsewhere(await exported())
    const last = signed.transfers.at(-1)
    if (last === undefined) throw new Error('nothing was exported')
    const other = signTransaction(new Uint8Array(Buffer.from(last.raw, 'hex')), new Uint8Array(32).fill(1))
    const changed = { ...last, signature: Buffer.from(other.signature).toString('hex') }
    const spoilt = { transfers: [...signed.transfers.slice(0, -1), changed] }
    await expect(imported(spoilt)).rejects.toThrow('wrong signer')
    for (const id of ids) expect(await states(id)).toEqual(['prepared'])
    const trail = await harness.rows(
      `SELECT action, outcome, details->>'code' AS code FROM audit_event WHERE subject = $1 ORDER BY id DESC LIMIT 1`,
      [`outgoing_transfer:${changed.txid}`],
    )
    expect(trail).toEqual([{ action: 'outgoing_transfer.import', outcome: 'refused', code: 'wrong_signer' }])
    expect(await imported(signed)).toBe(signed.transfers.length)
  })

  it('it has a transfer that was not exported, or money out is stopped', async () => {
    const id = await approve(depositOf(9))
    const signed = signElsewhere(await exported())
    await harness.stopPayouts(true)
    await expect(imported(signed)).rejects.toThrow('stopped')
    await expect(exported()).rejects.toThrow('money out is stopped')
    await harness.stopPayouts(false)
    expect(await states(id)).toEqual(['prepared'])
    const [settled] = await harness.rows<Signatures['transfers'][number]>(
      `SELECT txid, encode(raw, 'hex') AS raw, encode(signature, 'hex') AS signature
       FROM outgoing_transfer WHERE state = 'settled' ORDER BY prepared_at LIMIT 1`,
    )
    if (settled === undefined) throw new Error('nothing is settled')
    await expect(imported({ transfers: [settled] })).rejects.toThrow('not prepared')
  })
})
