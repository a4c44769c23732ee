import { decodeRaw, type TronAddress } from '@aval/tron'
import { describe, expect, it } from 'vitest'
import { COLD_WALLET, type Gateway, HOT_WALLET } from '../testing/gateway.ts'
import { createOutgoingHarness, depositOf, USDT_UNIT, walletOf } from '../testing/outgoing-harness.ts'
import { suiteHarness } from '../testing/suite.ts'

const harness = await suiteHarness(createOutgoingHarness, { hot: 2_000n * USDT_UNIT })

const deposit = async (member: number, amount: bigint) => {
  await harness.devnet.wallet.pay('demoWallet', depositOf(member), amount)
  await harness.mine(4)
}
const giveTrx = async (to: TronAddress, amount: bigint) => {
  await harness.devnet.wallet.send('faucet', { type: 'TransferContract', to, amount })
  await harness.mine(4)
}
/** Runs rounds with a block after each; the purposes of the transfers prepared meanwhile, in order. */
async function runRounds(gateway: Gateway, rounds: number): Promise<string[]> {
  const before = new Set((await harness.transfers()).map(({ txid }) => txid))
  for (let round = 0; round < rounds; round += 1) {
    await gateway.round()
    await harness.mine()
  }
  return (await harness.transfers()).filter(({ txid }) => !before.has(txid)).map(({ purpose }) => purpose)
}
const holding = async (address: TronAddress) => {
  const found = await harness.rows('SELECT amount FROM custody_holding WHERE address = $1', [address])
  return BigInt(found[0]?.['amount'] ?? 0)
}
const reading = async (address: TronAddress) => {
  const [found] = await harness.rows<{ usdt: string; trx: string; from: number; to: number }>(
    'SELECT usdt, trx, from_block::int AS "from", to_block::int AS "to" FROM custody_reading WHERE address = $1',
    [address],
  )
  return found
}
/** The holdings by events are the balances on chain. */
async function expectHoldings(...addresses: TronAddress[]) {
  for (const address of addresses) expect(await holding(address)).toBe(await harness.balance(address))
}

describe('at the first start', () => {
  it('the company’s wallets are registered with their balances at the block of the cursor', async () => {
    expect(
      await harness.rows('SELECT address, role, opening FROM custody_address ORDER BY role DESC'),
    ).toEqual([
      { address: HOT_WALLET, role: 'hot', opening: String(2_000n * USDT_UNIT) },
      { address: COLD_WALLET, role: 'cold', opening: '0' },
    ])
    expect(await harness.rows('SELECT key FROM graphile_worker.jobs')).toEqual([
      { key: `opening:${HOT_WALLET}` },
    ])
    await expectHoldings(HOT_WALLET, COLD_WALLET)
  })

  it('later transfers to them are recorded, one from the cold to the hot wallet as a refill', async () => {
    await harness.devnet.wallet.pay('demoWallet', COLD_WALLET, 70n * USDT_UNIT)
    await harness.devnet.wallet.pay('demoWallet', HOT_WALLET, 30n * USDT_UNIT)
    await giveTrx(COLD_WALLET, 100_000_000n)
    await runRounds(harness.gateway(), 1)
    await harness.devnet.wallet.pay('coldWallet', HOT_WALLET, 20n * USDT_UNIT)
    await harness.mine(4)
    await runRounds(harness.gateway(), 1)
    expect(
      await harness.rows("SELECT role, value FROM incoming_transfer WHERE verdict = 'credit' ORDER BY seq"),
    ).toEqual([
      { role: 'cold', value: '70000000' },
      { role: 'hot', value: '30000000' },
      { role: 'hot', value: '20000000' },
    ])
    await expectHoldings(HOT_WALLET, COLD_WALLET)
    expect(await harness.rows('SELECT FROM unexplained_outflow')).toEqual([])
  })
})

describe('what our addresses hold', () => {
  it('is read in the solid chain, between two blocks, soon after it moved', async () => {
    await deposit(1, 50n * USDT_UNIT)
    await runRounds(harness.gateway(), 1)
    const solid = harness.devnet.chain.solid().number
    expect(await reading(depositOf(1))).toEqual({
      usdt: '50000000',
      trx: '0',
      from: solid - 1,
      to: solid - 1,
    })
    expect(await reading(HOT_WALLET)).toMatchObject({ usdt: String(await harness.balance(HOT_WALLET)) })
  })

  it('is read of all other addresses too, a few at a time', async () => {
    const gateway = harness.gateway()
    const started = Array.from({ length: 4 }, () => harness.gateway())
    for (const each of [...started, gateway, gateway, gateway, gateway]) {
      await runRounds(each, 1)
      await harness.advance(15)
    }
    const readings = await harness.rows('SELECT address FROM custody_reading')
    const read = new Set(readings.map(({ address }) => address))
    for (let member = 0; member < 12; member += 1) expect(read).toContain(depositOf(member))
  })
})

describe('a deposit address that holds enough', () => {
  it('gets the TRX it needs, and is swept whole to the hot wallet', async () => {
    const before = await harness.balance(HOT_WALLET)
    await deposit(2, 150n * USDT_UNIT)
    await deposit(3, 99n * USDT_UNIT)
    const gateway = harness.gateway({ sweepFrom: 100n * USDT_UNIT })
    expect(await runRounds(gateway, 12)).toEqual(['trx_topup', 'sweep'])
    expect((await harness.transfers()).slice(-2)).toMatchObject([
      { purpose: 'trx_topup', state: 'settled', to: depositOf(2) },
      { purpose: 'sweep', state: 'settled', to: HOT_WALLET, arrived: '150000000' },
    ])
    expect(await harness.balance(depositOf(2))).toBe(0n)
    expect(await harness.balance(HOT_WALLET)).toBe(before + 150n * USDT_UNIT)
    await expectHoldings(HOT_WALLET, depositOf(2), depositOf(3))
  })

  it('needs no TRX again while there is enough left', async () => {
    await deposit(2, 100n * USDT_UNIT)
    const trx = await harness.node.trxBalance(depositOf(2), 'head')
    expect(trx).toBeGreaterThan(0n)
    await giveTrx(depositOf(2), 50_000_000n)
    expect(await runRounds(harness.gateway({ sweepFrom: 100n * USDT_UNIT }), 6)).toEqual(['sweep'])
    await expectHoldings(HOT_WALLET, depositOf(2))
  })

  it('is left alone for a while when its sweep failed', async () => {
    await giveTrx(depositOf(4), 50_000_000n)
    await deposit(4, 200n * USDT_UNIT)
    const gateway = harness.gateway({ sweepFrom: 100n * USDT_UNIT })
    await gateway.round()
    expect((await harness.transfers()).at(-1)).toMatchObject({ purpose: 'sweep', state: 'signed' })
    await harness.devnet.fault('drop_pending')
    await harness.devnet.fault('pause', { paused: true })
    await harness.mine()
    expect(await runRounds(gateway, 8)).toEqual([])
    expect((await harness.transfers()).at(-1)).toMatchObject({ purpose: 'sweep', state: 'failed' })
    await harness.devnet.fault('pause', { paused: false })
    await harness.mine(4)
    await harness.rows("UPDATE outgoing_transfer SET closed_at = $1 WHERE state = 'failed'", [harness.now()])
    expect(await runRounds(gateway, 2)).toEqual([])
    await expectHoldings(depositOf(4))
    await harness.advance(120)
    expect(await runRounds(gateway, 6)).toEqual(['sweep'])
    await expectHoldings(depositOf(4), HOT_WALLET)
  })

  it('whose sweep runs out of energy is tried with twice the limit, and then more and more seldom', async () => {
    await giveTrx(depositOf(6), 90_000_000n)
    await deposit(6, 200n * USDT_UNIT)
    const gateway = harness.gateway({ sweepFrom: 100n * USDT_UNIT })
    const factor = async (energy: number) => {
      await harness.devnet.fault('energy', { factor: energy })
      await harness.mine()
    }
    /** Tried while energy is cheap, and in its block when it is dear: the fee limits of what burnt. */
    const burnIn = async (seconds: number) => {
      await harness.advance(seconds)
      await gateway.follow()
      await harness.mine(4)
      await gateway.round()
      await factor(1_000)
      await runRounds(gateway, 5)
      await factor(1)
      const burnt = await harness.rows<{ raw: Buffer }>(
        "SELECT raw FROM outgoing_transfer WHERE state = 'failed' AND from_address = $1 ORDER BY block",
        [depositOf(6)],
      )
      await harness.rows("UPDATE outgoing_transfer SET closed_at = $1 WHERE state = 'failed'", [
        harness.now(),
      ])
      return burnt.map(({ raw }) => decodeRaw(raw).feeLimit)
    }
    const [first = 0n] = await burnIn(1)
    const twice = [first, 2n * first]
    expect(await burnIn(60)).toEqual(twice)
    expect(await burnIn(60)).toEqual(twice)
    expect(await burnIn(200)).toEqual([...twice, 4n * first])
    expect(await burnIn(900)).toHaveLength(3)
    await harness.advance(1_200)
    expect(await runRounds(gateway, 6)).toEqual(['sweep'])
    await expectHoldings(depositOf(6), HOT_WALLET)
  })

  it('is not swept while money is stopped', async () => {
    await deposit(5, 500n * USDT_UNIT)
    await harness.stopPayouts(true)
    expect(await runRounds(harness.gateway({ sweepFrom: 300n * USDT_UNIT }), 2)).toEqual([])
    await harness.stopPayouts(false)
  })
})

describe('the hot wallet', () => {
  it('sends its surplus to the cold one, without what approved withdrawals need', async () => {
    const cold = await harness.balance(COLD_WALLET)
    const held = await harness.balance(HOT_WALLET)
    const approved = await harness.approve(walletOf(1), 101n * USDT_UNIT)
    const limits = { hotMaximum: held - 50n * USDT_UNIT, hotTarget: held - 400n * USDT_UNIT }
    const gateway = harness.gateway(limits)
    expect(await runRounds(gateway, 7)).toEqual(['withdrawal'])
    expect(await harness.transfers(approved)).toMatchObject([{ state: 'settled' }])
    const richer = { hotMaximum: held - 250n * USDT_UNIT, hotTarget: held - 400n * USDT_UNIT }
    expect(await runRounds(harness.gateway(richer), 7)).toEqual(['surplus'])
    expect(await harness.balance(COLD_WALLET)).toBe(cold + 300n * USDT_UNIT)
    expect(await harness.balance(HOT_WALLET)).toBe(held - 400n * USDT_UNIT)
    await expectHoldings(HOT_WALLET, COLD_WALLET)
  })
})

describe('what leaves an address of ours without an outgoing transfer', () => {
  it('is recorded as an outflow and logged as an error, and the holding stays', async () => {
    const expected = await holding(HOT_WALLET)
    await harness.devnet.wallet.pay('hotWallet', walletOf(50), 3n * USDT_UNIT)
    await harness.mine(4)
    await runRounds(harness.gateway(), 1)
    expect(await harness.rows('SELECT from_address, to_address, value FROM unexplained_outflow')).toEqual([
      { from_address: HOT_WALLET, to_address: walletOf(50), value: '3000000' },
    ])
    expect(harness.logged.join()).toContain('"level":"error","part":"gateway","event":"outflow.unexplained"')
    expect(await holding(HOT_WALLET)).toBe(expected)
    expect(BigInt((await reading(HOT_WALLET))?.usdt ?? 0)).toBe(expected - 3n * USDT_UNIT)
  })
})

describe('a withdrawal to a member’s deposit address', () => {
  it('is settled as outgoing and recorded as incoming', async () => {
    const id = await harness.approve(depositOf(6), 41n * USDT_UNIT)
    const gateway = harness.gateway()
    const transfer = await harness.finish(gateway, id)
    expect(transfer).toMatchObject({ state: 'settled' })
    const recorded = 'SELECT role, value FROM incoming_transfer WHERE txid = $1'
    expect(await harness.rows(recorded, [transfer?.txid])).toEqual([{ role: 'deposit', value: '40000000' }])
    await expectHoldings(depositOf(6))
  })
})
