import { devnetAddress } from '@aval/tron'
import { describe, expect, it } from 'vitest'
import { NOON, suiteDevnet, TO, testDevnet } from '../testing.ts'

const DAY = 86_400_000

const devnet = await suiteDevnet()

const balance = (address = TO) => devnet.wallet.usdtOf(address)
const resultOf = async (txid: unknown) => devnet.chain.ledger.transaction(String(txid))?.result

describe('mining by call', () => {
  it('makes as many blocks as asked, thousands at once', async () => {
    const before = devnet.chain.head().number
    const status = await devnet.post('/dev/mine', { blocks: 5_000 })
    expect(status).toMatchObject({ head: before + 5_000, solid: before + 4_997 })
  })

  it('makes what waits solid with solidify', async () => {
    const { txid } = await devnet.post('/dev/pay', { to: TO, amount: '1' })
    await devnet.post('/dev/mine', { solidify: true })
    expect(await devnet.post('/walletsolidity/gettransactioninfobyid', { value: txid })).toMatchObject({
      id: txid,
    })
  })
})

describe('the chain’s clock', () => {
  it('starts where the chain is set to begin and moves forward with the offset', async () => {
    const old = await testDevnet({ genesisOffsetMs: -30 * DAY })
    expect(old.chain.head().timestamp).toBe(NOON - 30 * DAY)
    await old.post('/dev/clock', { offset_ms: -29 * DAY })
    await old.mine()
    expect(old.chain.head().timestamp).toBe(NOON - 29 * DAY)
    await old.close()
  })

  it('set back behind the newest block lets time go on in the smallest steps', async () => {
    const before = devnet.chain.head().timestamp
    await devnet.post('/dev/clock', { offset_ms: -DAY })
    await devnet.mine(2)
    expect(devnet.chain.head().timestamp).toBe(before + 2)
    await devnet.post('/dev/clock', { offset_ms: 0 })
  })

  it('can begin anew in the past only while nothing has happened on the chain', async () => {
    const fresh = await testDevnet()
    await fresh.mine(10)
    expect(await fresh.post('/dev/clock', { offset_ms: -30 * DAY, rewind: true })).toMatchObject({ head: 1 })
    expect(fresh.chain.head().timestamp).toBe(NOON - 30 * DAY)
    await fresh.post('/dev/pay', { to: TO, amount: '1' })
    const refused = await fresh.post('/dev/clock', { offset_ms: -60 * DAY, rewind: true })
    expect(refused['error']).toContain('only go forward')
    expect(fresh.chain.offsetMs).toBe(-30 * DAY)
    await fresh.close()
  })
})

describe('the faucet', () => {
  it('gives TRX and USDT to any address', async () => {
    const account = devnetAddress('coldWallet')
    await devnet.post('/dev/faucet', { address: account, usdt: '12.5', trx: '100' })
    await devnet.mine()
    expect(await balance(account)).toBe(12_500_000n)
    expect(await devnet.post('/wallet/getaccount', { address: account, visible: true })).toMatchObject({
      balance: 100_000_000,
    })
  })
})

describe('a payment', () => {
  it('with a key is made once, however often and however simultaneously it is asked for', async () => {
    const before = await balance()
    const ask = () => devnet.post('/dev/pay', { to: TO, amount: '1005.00', key: 'click' })
    const answers = await Promise.all([ask(), ask(), ask()])
    await devnet.mine()
    answers.push(await ask())
    await devnet.mine()
    expect(new Set(answers.map((answer) => answer['txid'])).size).toBe(1)
    expect((await balance()) - before).toBe(1_005_000_000n)
    const other = await devnet.post('/dev/pay', { to: TO, amount: '1', key: 'click' })
    expect(other['error']).toContain('another payment')
  })

  it('larger than what the demo wallet holds tops it up first', async () => {
    const before = await balance()
    await devnet.post('/dev/pay', { to: TO, amount: '500000000000' })
    await devnet.mine()
    expect((await balance()) - before).toBe(500_000_000_000_000_000n)
  })

  it('twice in the same millisecond is two payments', async () => {
    const before = await balance()
    await Promise.all([1, 2, 3].map(() => devnet.post('/dev/pay', { to: TO, amount: '2' })))
    await devnet.mine()
    expect((await balance()) - before).toBe(6_000_000n)
  })
})

/** What they do is shown where something lives with them: by the gateway's tests. */
describe('faults on demand', () => {
  it('are listed with what they take', async () => {
    const answer = await fetch(`${devnet.url}/dev/fault`)
    const faults = (await answer.json()) as { kind: string; takes: string }[]
    expect(faults.map((each) => each.kind)).toContain('failed_transfer')
  })
})

describe('a development call with bad input', () => {
  it.each<[string, string, unknown]>([
    ['no body', '/dev/pay', null],
    ['a list for a body', '/dev/pay', []],
    ['a number for an amount', '/dev/pay', { to: TO, amount: 5 }],
    ['a negative amount', '/dev/pay', { to: TO, amount: '-5' }],
    ['seven decimals', '/dev/pay', { to: TO, amount: '1.0000001' }],
    ['an exponent', '/dev/pay', { to: TO, amount: '1e6' }],
    ['nothing to pay', '/dev/pay', { to: TO, amount: '0' }],
    ['a mistyped address', '/dev/pay', { to: `${TO.slice(0, -1)}x`, amount: '5' }],
    ['an unknown wallet', '/dev/pay', { to: TO, amount: '5', from: 'constructor' }],
    ['nothing to give', '/dev/faucet', { address: TO }],
    ['too many blocks', '/dev/mine', { blocks: 1e9 }],
    ['a part of a block', '/dev/mine', { blocks: 0.5 }],
    ['a time beyond all calendars', '/dev/clock', { offset_ms: 1e18 }],
    ['an unknown fault', '/dev/fault', { kind: 'toString' }],
    ['an unknown field', '/dev/mine', { block: 1 }],
  ])('such as %s is refused with a sentence and changes nothing', async (_name, path, body) => {
    const before = [devnet.chain.head().number, devnet.chain.ledger.pendingCount()]
    const response = await fetch(devnet.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({ error: expect.stringMatching(/\w+ \w+/) })
    expect([devnet.chain.head().number, devnet.chain.ledger.pendingCount()]).toEqual(before)
  })
})

describe('many payments at once', () => {
  it('fill several blocks, in order, and none is lost', async () => {
    const before = await balance()
    const txids: string[] = []
    for (let round = 0; round < 26; round += 1) {
      const asked = Array.from({ length: 20 }, () => devnet.wallet.pay('demoWallet', TO, 1n))
      txids.push(...(await Promise.all(asked)))
    }
    const first = devnet.chain.head().number + 1
    await devnet.mine(2)
    expect([first, first + 1].map((number) => devnet.chain.ledger.block(number)?.txCount)).toEqual([500, 20])
    expect((await balance()) - before).toBe(520n)
    for (const txid of txids) expect(await resultOf(txid)).toBe('SUCCESS')
  })
})
