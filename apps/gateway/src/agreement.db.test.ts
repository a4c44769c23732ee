import type { NodeFaultInput } from '@aval/devnet'
import { afterEach, describe, expect, it } from 'vitest'
import { HOT_WALLET } from './testing/gateway.ts'
import { createOutgoingHarness, depositOf, USDT_UNIT } from './testing/outgoing-harness.ts'
import { suiteHarness } from './testing/suite.ts'

/** Several nodes of one chain, of which one gives wrong answers, forks or is unreachable. */
const harness = await suiteHarness(createOutgoingHarness, { hot: 10_000n * USDT_UNIT, nodes: 3 })
afterEach(() => {
  for (const node of harness.devnet.nodes) node.clear()
})

const approve = () => harness.approve(harness.newWallet(), 21n * USDT_UNIT)
const scanned = async () => {
  const [cursor] = await harness.rows<{ block: number }>(
    'SELECT scanned_block::int AS block FROM chain_cursor',
  )
  return cursor?.block
}
const solid = () => harness.devnet.chain.solid().number
const transfers = async (member: number) =>
  (await harness.rows('SELECT FROM incoming_transfer WHERE to_address = $1', [depositOf(member)])).length
const twoNodes = () => harness.gateway({ nodes: harness.devnet.nodes.slice(0, 2).map(harness.clientOf) })
const faulty = () => harness.devnet.nodes[1]
const pay = (member: number) => harness.devnet.wallet.pay('demoWallet', depositOf(member), 5n * USDT_UNIT)

describe('of two nodes, both must agree', () => {
  it.each<[string, () => Promise<NodeFaultInput>]>([
    ['hides a transfer', async () => ({ kind: 'lie', about: 'hidden', txid: await pay(1) })],
    [
      'reports a success as a failure',
      async () => ({ kind: 'lie', about: 'receipt_failure', txid: await pay(2) }),
    ],
    ['invents a transfer', async () => ({ kind: 'lie', about: 'phantom', to: depositOf(3), value: '500' })],
    ['has another history, from below the solid block', async () => ({ kind: 'fork', depth: 2 })],
  ])('a node that %s stops reading, and nothing is signed until they agree', async (_name, prepare) => {
    const gateway = twoNodes()
    await gateway.round()
    const fault = await prepare()
    await harness.mine()
    if (fault.kind === 'fork' || 'to' in fault) faulty()?.fault(fault)
    await harness.mine(4)
    if (fault.kind !== 'fork' && 'txid' in fault) faulty()?.fault(fault)
    const before = harness.logged.length
    expect(await gateway.follow()).toBe(false)
    expect(harness.logged.slice(before).join()).toMatch(/disagreement|says .*, 127.0.0.1:\d+ says /)
    const id = await approve()
    await gateway.round()
    await gateway.round()
    expect(await harness.transfers(id)).toEqual([])
    expect(await scanned()).toBeLessThan(solid())
    faulty()?.clear()
    await harness.mine(3)
    expect(await gateway.follow()).toBe(true)
    expect(await scanned()).toBe(solid())
    expect(await harness.finish(gateway, id)).toMatchObject({ state: 'settled' })
  })

  it('a failure that one node reports as a success is not settled as such', async () => {
    const gateway = twoNodes()
    const id = await approve()
    await gateway.round()
    await harness.devnet.fault('pause', { paused: true })
    await harness.mine(6)
    const [{ txid } = { txid: '' }] = await harness.transfers(id)
    faulty()?.fault({ kind: 'lie', about: 'receipt_failure', txid })
    await gateway.round()
    expect(await harness.transfers(id)).toMatchObject([{ state: 'signed' }])
    faulty()?.clear()
    await gateway.round()
    expect(await harness.transfers(id)).toMatchObject([{ state: 'settled' }])
    await harness.devnet.fault('pause', { paused: false })
    await harness.mine(6)
  })

  it('a wrong balance from one node is not stored, and nothing is sent', async () => {
    const gateway = twoNodes()
    await gateway.round()
    faulty()?.fault({ kind: 'lie', about: 'balance', address: HOT_WALLET, value: '1000000' })
    const id = await approve()
    await harness.advance(15)
    await gateway.follow()
    await expect(gateway.custody()).rejects.toMatchObject({ code: 'disagreement' })
    await gateway.send()
    expect(await harness.transfers(id)).toEqual([])
    expect(await harness.delayOf(0)).toBe('nodes_disagree')
    faulty()?.clear()
    await harness.mine(3)
    expect(await harness.finish(gateway, id)).toMatchObject({ state: 'settled' })
  })

  it('a node that is behind delays reading', async () => {
    const gateway = twoNodes()
    await gateway.round()
    const before = await scanned()
    faulty()?.fault({ kind: 'lag', blocks: 5 })
    await harness.mine(5)
    expect(await gateway.follow()).toBe(true)
    expect(await scanned()).toBe(before)
    faulty()?.clear()
    await gateway.follow()
    expect(await scanned()).toBe(solid())
  })
})

describe('of three nodes, two are enough', () => {
  it('while the third does not answer or is behind', async () => {
    const gateway = harness.gateway()
    faulty()?.fault({ kind: 'error', as: 'http500' })
    const id = await approve()
    expect(await harness.finish(gateway, id)).toMatchObject({ state: 'settled' })
    faulty()?.clear()
    faulty()?.fault({ kind: 'lag', blocks: 50 })
    const next = await approve()
    expect(await harness.finish(gateway, next)).toMatchObject({ state: 'settled' })
    expect(await scanned()).toBe(solid() - 1)
  })

  it('but not while the third contradicts them', async () => {
    const gateway = harness.gateway()
    await gateway.round()
    const txid = await pay(4)
    faulty()?.fault({ kind: 'lie', about: 'hidden', txid })
    await harness.mine(5)
    expect(await gateway.follow()).toBe(false)
    expect(await transfers(4)).toBe(0)
    faulty()?.clear()
    expect(await gateway.follow()).toBe(true)
    expect(await transfers(4)).toBe(1)
  })
})
