import type { NodeFaultInput } from '@aval/devnet'
import type { TronAddress } from '@aval/tron'
import { afterEach, describe, expect, it } from 'vitest'
import { HOT_WALLET } from '../testing/gateway.ts'
import { createOutgoingHarness, USDT_UNIT } from '../testing/outgoing-harness.ts'
import { suiteHarness } from '../testing/suite.ts'

const harness = await suiteHarness(createOutgoingHarness, { hot: 100_000n * USDT_UNIT })
const { newWallet, sent, states, later } = harness
const HUNDRED = 100n * USDT_UNIT

async function expectPaidOnce(id: number, to: TronAddress): Promise<void> {
  expect(await states(id)).toEqual(['settled'])
  expect(await harness.balance(to)).toBe(HUNDRED)
}

afterEach(() => harness.devnet.nodes[0].clear())

describe('an approved withdrawal', () => {
  it('is signed and broadcast in one round, seen in a block, and settled when that block is solid', async () => {
    const before = await harness.balance(HOT_WALLET)
    const { id, to, gateway } = await sent()
    expect(await harness.transfers(id)).toMatchObject([
      { state: 'signed', amount: '100000000', broadcasts: 1, reply: expect.stringMatching(/SUCCESS$/) },
    ])
    await harness.mine()
    await gateway.round()
    const { number } = harness.devnet.chain.head()
    expect(await harness.transfers(id)).toMatchObject([{ state: 'signed', seen: number }])
    await harness.mine(3)
    await gateway.round()
    expect(await harness.transfers(id)).toMatchObject([
      { state: 'settled', arrived: '100000000', result: 'SUCCESS', seen: null, broadcasts: 1 },
    ])
    expect(await harness.balance(to)).toBe(HUNDRED)
    expect(await harness.balance(HOT_WALLET)).toBe(before - HUNDRED)
  })

  it('records the fee of its transfer, and adds one job for the server', async () => {
    const { id, gateway } = await sent()
    const transfer = await harness.finish(gateway, id)
    expect(BigInt(transfer?.fee ?? 0)).toBeGreaterThan(1_000_000n)
    const job = `settle:${transfer?.txid}`
    expect(await harness.rows('SELECT FROM graphile_worker.jobs WHERE key = $1', [job])).toHaveLength(1)
  })

  it('is paid in the order of approval, and never before an older one that waits for money', async () => {
    const gateway = harness.gateway()
    const [large, small] = [newWallet(), newWallet()]
    const first = await harness.approve(large, 5_000_000n * USDT_UNIT)
    const second = await harness.approve(small, 21n * USDT_UNIT)
    await gateway.round()
    expect(await states(first)).toEqual([])
    expect(await states(second)).toEqual([])
    expect(await harness.delayOf(0)).toBe('hot_usdt')
    await harness.refuse(first)
    await later()
    expect(await harness.finish(gateway, second)).toMatchObject({ state: 'settled' })
    expect(await harness.delayOf(0)).toBeNull()
  })

  it('is not paid twice when two gateways run by mistake', async () => {
    const [one, other] = [harness.gateway(), harness.gateway()]
    const to = newWallet()
    const id = await harness.approve(to, 101n * USDT_UNIT)
    await Promise.all([one.follow(), other.follow()])
    await Promise.all([one.send(), other.send(), one.send()])
    await harness.finish(one, id)
    await expectPaidOnce(id, to)
  })
})

describe('a node’s reply to a broadcast settles nothing:', () => {
  type Fault<Kind> = Extract<NodeFaultInput, { kind: Kind }>
  const refusal = (code: Fault<'refuse'>['code']): NodeFaultInput => ({ kind: 'refuse', code, times: 1 })
  const error = (as: Fault<'error'>['as']): NodeFaultInput => ({
    kind: 'error',
    as,
    paths: ['broadcasthex'],
    times: 1,
  })
  const duplicate: NodeFaultInput = { kind: 'duplicate', times: 1 }
  const silence: NodeFaultInput = { kind: 'timeout_after_acceptance', as: 'close', times: 1 }

  it.each<[string, NodeFaultInput, RegExp]>([
    ['a refusal as a duplicate although it has no such transaction', duplicate, /DUP_TRANSACTION_ERROR/],
    ['a success without effect', { kind: 'drop', times: 1 }, /SUCCESS/],
    ['a refusal', refusal('CONTRACT_VALIDATE_ERROR'), /CONTRACT_VALIDATE_ERROR/],
    ['an expiration', refusal('TRANSACTION_EXPIRATION_ERROR'), /EXPIRATION/],
    ['a busy node', refusal('SERVER_BUSY'), /SERVER_BUSY/],
    ['an error with status 200', error('error_field'), /refused/],
    ['bare text', error('text'), /bad_answer/],
    ['a page', error('html'), /bad_answer/],
    ['an empty object', error('empty'), /bad_answer/],
    ['an error status', error('http500'), /refused/],
    ['silence after it was accepted', silence, /unreachable/],
  ])('after %s the same bytes go out again, and arrive once', async (_name, fault, reply) => {
    harness.devnet.nodes[0].fault(fault)
    const { id, to, gateway } = await sent()
    expect(await harness.transfers(id)).toMatchObject([
      { state: 'signed', broadcasts: 1, reply: expect.stringMatching(reply) },
    ])
    await harness.finish(gateway, id)
    await expectPaidOnce(id, to)
  })

  it('a transfer that no node accepts expires when the chain is past it, and only then another is made', async () => {
    harness.devnet.nodes[0].fault({ kind: 'drop' })
    const { id, to, gateway } = await sent()
    await harness.mine(59)
    await gateway.round()
    expect(await states(id)).toEqual(['signed'])
    await harness.mine(10)
    await gateway.round()
    await gateway.round()
    // The signer has not seen it yet: it stays prepared, and is asked for again.
    expect(await states(id)).toEqual(['expired', 'prepared'])
    expect(await harness.delayOf(id)).toBe('earlier_transfer_unseen')
    await harness.look()
    await gateway.send()
    expect(await states(id)).toEqual(['expired', 'prepared'])
    await later()
    await gateway.round()
    expect(await states(id)).toEqual(['expired', 'signed'])
    expect(await harness.delayOf(id)).toBeNull()
    harness.devnet.nodes[0].clear()
    await harness.finish(gateway, id)
    expect(await states(id)).toEqual(['expired', 'settled'])
    expect(await harness.balance(to)).toBe(HUNDRED)
  })

  it('a transfer waits while blocks stay empty', async () => {
    await harness.devnet.fault('empty_blocks', { on: true })
    const { id, gateway } = await sent()
    await harness.mine(5)
    await gateway.round()
    expect(await harness.transfers(id)).toMatchObject([{ state: 'signed', seen: null }])
    await harness.devnet.fault('empty_blocks', { on: false })
    expect(await harness.finish(gateway, id)).toMatchObject({ state: 'settled' })
  })
})

describe('a node that is', () => {
  it('behind delays a transfer, and does not change it', async () => {
    harness.devnet.nodes[0].fault({ kind: 'lag', blocks: 8 })
    const { id, to, gateway } = await sent()
    await harness.finish(gateway, id, 30)
    await expectPaidOnce(id, to)
  })

  it('on another history, from below its solid block, is not trusted, and nothing is signed', async () => {
    const { id, to, gateway } = await sent()
    await harness.mine(5)
    await gateway.follow()
    const next = await harness.approve(newWallet(), 101n * USDT_UNIT)
    harness.devnet.nodes[0].fault({ kind: 'fork', depth: 3 })
    await harness.mine(2)
    for (let round = 0; round < 3; round += 1) {
      expect(await gateway.follow()).toBe(false)
      await gateway.send()
    }
    expect(await states(next)).toEqual([])
    harness.devnet.nodes[0].clear()
    expect(await harness.finish(gateway, next)).toMatchObject({ state: 'settled' })
    await expectPaidOnce(id, to)
  })
})
