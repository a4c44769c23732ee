import { signTransaction } from '@aval/tron'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import { devnetKeys } from '../signer/keys/devnet-keys.ts'
import { createKeyRing } from '../signer/keys/key-ring.ts'
import { judgeExport } from '../signer/offline-check.ts'
import { type ExportFile, exportFile, type SignedFile } from '../signer/offline-files.ts'
import { createWorld, depositOf, USDT_UNIT, type World, walletOf } from '../testing/world.ts'
import { exportUnsigned, importSigned } from './offline.ts'

let world: World
let wallet = 0
beforeAll(async () => {
  world = await createWorld(inject('ownerUrl'), { hot: 100_000n * USDT_UNIT })
})
afterAll(() => world.close())
beforeEach(async () => {
  await world.mine(4)
  await world.gateway({ signer: null }).live()
})

const approve = () => {
  wallet += 1
  return world.approve(walletOf(wallet), 101n * USDT_UNIT)
}
const exported = () => exportUnsigned(world.offline(), world.now())
const imported = (file: SignedFile) => importSigned(world.offline(), file, world.now())
const states = async (id: number) => (await world.payments(id)).map(({ state }) => state)

/** What the other machine does: it looks through the export, and signs. */
function signElsewhere(file: ExportFile, key = devnetKeys().hotKey): SignedFile {
  const limits = { dailyCap: 10n ** 15n, feeLimit: 100_000_000n, fuel: 0n }
  expect(judgeExport(exportFile.parse(file), createKeyRing(devnetKeys()), limits, world.now())).toBeNull()
  return {
    payments: file.payments.map(({ txid, raw }) => {
      const { signature } = signTransaction(new Uint8Array(Buffer.from(raw, 'hex')), key)
      return { txid, raw, signature: Buffer.from(signature).toString('hex') }
    }),
  }
}

describe('without a signer', () => {
  it('a withdrawal waits until it is exported, signed elsewhere and imported, and is then carried out', async () => {
    const id = await approve()
    const gateway = world.gateway({ signer: null })
    await gateway.live()
    expect(await states(id)).toEqual([])
    const file = await exported()
    expect(file.payments).toMatchObject([{ to: walletOf(wallet), amount: '100.00', withdrawal: String(id) }])
    await world.pass(4_000)
    await gateway.live()
    expect(await states(id)).toEqual(['prepared'])
    expect(await imported(signElsewhere(file))).toBe(1)
    expect(await world.finish(gateway, id)).toMatchObject({ state: 'settled' })
    expect(await world.balance(walletOf(wallet))).toBe(100n * USDT_UNIT)
  })

  it('what was exported is exported again as it was, and a signer that comes back does not touch it', async () => {
    const id = await approve()
    const first = await exported()
    const second = await exported()
    expect(second.payments).toEqual(first.payments)
    await world.gateway().live()
    expect(await states(id)).toEqual(['prepared'])
    expect(await imported(signElsewhere(first))).toBe(1)
    expect(await imported(signElsewhere(second))).toBe(0)
  })

  it('one whose signature never comes is buried only when it can enter the chain no more', async () => {
    const id = await approve()
    await exported()
    await world.pass(3_600)
    await world.gateway().live()
    expect(await states(id)).toEqual(['prepared'])
    await world.pass(12 * 3_600)
    await world.gateway().live()
    expect(await states(id)).toEqual(['expired', 'signed'])
  })
})

describe('a file of signatures is refused whole when', () => {
  const flip = (hex: string, at: number) =>
    hex.slice(0, at) + (hex[at] === '0' ? '1' : '0') + hex.slice(at + 1)

  it.each<[string, string, (payment: SignedFile['payments'][number]) => Partial<typeof payment>]>([
    ['a byte of the transaction changed', 'txid_differs', ({ raw }) => ({ raw: flip(raw, raw.length - 2) })],
    ['the txid is another one', 'txid_differs', ({ txid }) => ({ txid: flip(txid, 5) })],
    [
      'a byte of the signature changed',
      'wrong_signer',
      ({ signature }) => ({ signature: flip(signature, 20) }),
    ],
    [
      'another key signed',
      'wrong_signer',
      ({ raw }) => {
        const key = new Uint8Array(32).fill(1)
        const { signature } = signTransaction(new Uint8Array(Buffer.from(raw, 'hex')), key)
        return { signature: Buffer.from(signature).toString('hex') }
      },
    ],
  ])('%s: nothing is stored, and the trail says so', async (_name, code, change) => {
    const ids = [await approve(), await approve()]
    const file = await exported()
    const signed = signElsewhere(file)
    const last = signed.payments.at(-1)
    if (last === undefined) throw new Error('nothing was exported')
    const changed = { ...last, ...change(last) }
    const spoilt = { payments: [...signed.payments.slice(0, -1), changed] }
    await expect(imported(spoilt)).rejects.toThrow(code.replaceAll('_', ' '))
    for (const id of ids) expect(await states(id)).toEqual(['prepared'])
    const { rows } = await world.owner.query(
      `SELECT action, outcome, details->>'code' AS code FROM audit_event WHERE subject = $1 ORDER BY id DESC LIMIT 1`,
      [`payment:${changed.txid}`],
    )
    expect(rows).toEqual([{ action: 'payment.import', outcome: 'refused', code }])
    expect(await imported(signed)).toBe(signed.payments.length)
  })

  it('it is of a payment that was not exported, or money is stopped', async () => {
    const id = await world.approve(depositOf(9), 101n * USDT_UNIT)
    const signed = signElsewhere(await exported())
    await world.owner.query('UPDATE payout_stop SET stopped = true')
    await expect(imported(signed)).rejects.toThrow('stopped')
    await expect(exported()).rejects.toThrow('money out is stopped')
    await world.owner.query('UPDATE payout_stop SET stopped = false')
    expect(await states(id)).toEqual(['prepared'])
    const [online] = (await world.payments()).filter(({ state }) => state === 'settled')
    const { rows } = await world.owner.query<{ raw: Buffer; signature: Buffer }>(
      'SELECT raw, signature FROM outgoing_transfer WHERE txid = $1',
      [online?.txid],
    )
    const settled = {
      txid: online?.txid ?? '',
      raw: rows[0]?.raw.toString('hex') ?? '',
      signature: rows[0]?.signature.toString('hex') ?? '',
    }
    await expect(imported({ payments: [settled] })).rejects.toThrow('not prepared')
  })
})
