import {
  type ContractCall,
  DEVNET,
  type DevnetRole,
  devnetAddress,
  devnetKey,
  encodeTransferCall,
  type RawTransaction,
  signTransaction,
} from '@aval/tron'
import { describe, expect, it } from 'vitest'
import { NOON, payment, signed, suiteDevnet, TO } from '../testing.ts'

const wallet = devnetAddress('demoWallet')
let clock = NOON
const devnet = await suiteDevnet({ now: () => clock })

const pay = (overrides: Partial<RawTransaction> = {}, role?: DevnetRole) =>
  signed(payment(devnet, overrides), role)
/** A call of the token with another owner or contract. */
const called = (changes: Partial<ContractCall>) => ({
  contract: { ...payment(devnet).contract, ...changes } as ContractCall,
})
const send = ({ hex }: { hex: string }) => devnet.post('/wallet/broadcasthex', { transaction: hex })
const infoOf = (txid: string) => devnet.post('/wallet/gettransactioninfobyid', { value: txid })

describe('a broadcast', () => {
  it('is taken once; again, waiting or included, it is a duplicate', async () => {
    const sent = pay()
    expect(await send(sent)).toMatchObject({ result: true, code: 'SUCCESS', txid: sent.txid })
    expect(await send(sent)).toMatchObject({ result: false, code: 'DUP_TRANSACTION_ERROR' })
    await devnet.mine()
    expect(await send(sent)).toMatchObject({ result: false, code: 'DUP_TRANSACTION_ERROR' })
    expect(await infoOf(sent.txid)).toMatchObject({ receipt: { result: 'SUCCESS' } })
  })

  it.each<[string, () => { hex: string }, string]>([
    ['signed by another key', () => pay({}, 'faucet'), 'SIGERROR'],
    ['expired', () => pay({ expiration: devnet.chain.head().timestamp }), 'TRANSACTION_EXPIRATION_ERROR'],
    [
      'that would live for more than a day',
      () => pay({ expiration: devnet.chain.head().timestamp + 86_400_001 }),
      'TRANSACTION_EXPIRATION_ERROR',
    ],
    ['for another fork', () => pay({ refBlockHash: 'ab'.repeat(8) }), 'TAPOS_ERROR'],
    ['to an address that is no contract', () => pay(called({ contract: TO })), 'CONTRACT_VALIDATE_ERROR'],
    [
      'of more TRX than there is',
      () => pay({ contract: { type: 'TransferContract', owner: wallet, to: TO, amount: 10n ** 17n } }),
      'CONTRACT_VALIDATE_ERROR',
    ],
    [
      'from an account that does not exist',
      () => pay(called({ owner: devnetAddress('coldWallet') }), 'coldWallet'),
      'CONTRACT_VALIDATE_ERROR',
    ],
    ['too large', () => pay({ memo: 'ab'.repeat(512_000) }), 'TOO_BIG_TRANSACTION_ERROR'],
  ])('%s is refused with java-tron’s code', async (_name, make, code) => {
    const waiting = devnet.chain.ledger.pendingCount()
    expect(await send(make())).toMatchObject({ result: false, code })
    expect(devnet.chain.ledger.pendingCount()).toBe(waiting)
  })

  it('as JSON is refused with a hex-encoded message, and taken when right', async () => {
    const built = await devnet.post('/wallet/triggersmartcontract', {
      owner_address: wallet,
      contract_address: DEVNET.usdt,
      function_selector: 'transfer(address,uint256)',
      parameter: encodeTransferCall(TO, 2n).slice(8),
      fee_limit: 100_000_000,
      visible: true,
    })
    const json = built['transaction'] as { raw_data_hex: string; raw_data: { fee_limit: number } }
    const signed = signTransaction(Buffer.from(json.raw_data_hex, 'hex'), devnetKey('demoWallet'))
    const signature = [Buffer.from(signed.signature).toString('hex')]
    const changed = { ...json, raw_data: { ...json.raw_data, fee_limit: 1 }, signature }
    const refused = await devnet.post('/wallet/broadcasttransaction', { ...changed, visible: false })
    expect(refused['Error']).toContain('INVALID owner_address')
    const reply = await devnet.post('/wallet/broadcasttransaction', changed)
    expect(reply).toMatchObject({ code: 'SIGERROR' })
    expect(String(reply['message'])).toContain('Validate signature error')
    const taken = await devnet.post('/wallet/broadcasttransaction', { ...json, signature })
    expect(taken).toEqual({ result: true, txid: signed.txid })
  })
})

describe('a transaction in a block', () => {
  it('is still taken by the first block made after it expired, as by java-tron, and by none after that', async () => {
    const sent = pay()
    expect(await send(sent)).toMatchObject({ result: true })
    // A block judges by its parent's time, which is still from before the clock moved.
    const late = pay()
    clock += 120_000
    await devnet.mine()
    expect(await infoOf(sent.txid)).toMatchObject({ id: sent.txid })
    expect(await send(late)).toMatchObject({ code: 'TRANSACTION_EXPIRATION_ERROR' })
  })

  it('can spend what one before it in the same block brought, and not more', async () => {
    const give = { type: 'TransferContract', owner: wallet, to: devnetAddress('coldWallet') } as const
    await send(pay({ contract: { ...give, amount: 5_000_000n } }))
    await devnet.mine()
    const back = { type: 'TransferContract', owner: devnetAddress('coldWallet'), to: wallet } as const
    const first = pay({ contract: { ...back, amount: 3_000_000n } }, 'coldWallet')
    const second = pay({ contract: { ...back, amount: 3_000_000n } }, 'coldWallet')
    expect(await send(first)).toMatchObject({ result: true })
    expect(await send(second)).toMatchObject({ result: true })
    await devnet.mine()
    expect(await infoOf(first.txid)).toMatchObject({ id: first.txid })
    expect(await infoOf(second.txid)).toEqual({})
  })
})
