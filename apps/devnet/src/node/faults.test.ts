import { createNodeClient } from '@aval/tron'
import { describe, expect, it } from 'vitest'
import type { NodeFaultInput } from '../start.ts'
import { clientOf, payment, signed, TO, twoNodes } from '../testing.ts'

const { devnet, node, correct, faulty } = await twoNodes()
/** Gives up soon. Without HTTP: the node has taken the call before any time has passed, on the busiest machine. */
const hasty = createNodeClient({ url: node.url, timeoutMs: 50, fetch: node.fetch })
const asks = (as: string) => (as === 'hang' ? hasty : faulty)

const inBlock = async (txid: string): Promise<boolean> => {
  await devnet.mine()
  return (await correct.receipt(txid, 'head')) !== null
}

describe('a broadcast to a node', () => {
  it('that drops is accepted and nowhere, as often as was asked; then it is taken again', async () => {
    const { hex, txid } = signed(payment(devnet))
    node.fault({ kind: 'drop', times: 2 })
    expect(await faulty.broadcast(hex)).toEqual({ accepted: true, txid })
    expect(await faulty.broadcast(hex)).toEqual({ accepted: true, txid })
    expect(await inBlock(txid)).toBe(false)
    expect(await faulty.broadcast(hex)).toEqual({ accepted: true, txid })
    expect(await inBlock(txid)).toBe(true)
  })

  it('that drops is refused as ever when the chain would not take it', async () => {
    node.fault({ kind: 'drop' })
    const { hex } = signed(payment(devnet))
    const changed = `${hex.slice(0, -4)}0000`
    expect(await faulty.broadcast(changed)).toMatchObject({ accepted: false, code: 'SIGERROR' })
  })

  it('that says duplicate is not in the chain, and a true duplicate is still one', async () => {
    const { hex, txid } = signed(payment(devnet))
    node.fault({ kind: 'duplicate', times: 1 })
    expect(await faulty.broadcast(hex)).toMatchObject({ accepted: false, code: 'DUP_TRANSACTION_ERROR' })
    expect(await inBlock(txid)).toBe(false)
    expect(await faulty.broadcast(hex)).toMatchObject({ accepted: true })
    expect(await faulty.broadcast(hex)).toMatchObject({ accepted: false, code: 'DUP_TRANSACTION_ERROR' })
    expect(await inBlock(txid)).toBe(true)
  })

  it.each(['hang', 'close'] as const)(
    'that takes it and then falls silent (%s) is in the chain',
    async (as) => {
      const { hex, txid } = signed(payment(devnet))
      node.fault({ kind: 'timeout_after_acceptance', as, times: 1 })
      await expect(asks(as).broadcast(hex)).rejects.toMatchObject({
        code: as === 'hang' ? 'timeout' : 'unreachable',
      })
      expect(await inBlock(txid)).toBe(true)
    },
  )

  it('that refuses is answered with the code, one after the other, and not taken', async () => {
    const { hex, txid } = signed(payment(devnet))
    node.fault({ kind: 'refuse', code: 'SERVER_BUSY', message: 'Server busy.', times: 1 })
    node.fault({ kind: 'refuse', code: 'SIGERROR', times: 1 })
    expect(await faulty.broadcast(hex)).toMatchObject({ code: 'SERVER_BUSY', message: 'Server busy.' })
    expect(await faulty.broadcast(hex)).toMatchObject({ accepted: false, code: 'SIGERROR' })
    expect(await inBlock(txid)).toBe(false)
    expect(await faulty.broadcast(hex)).toMatchObject({ accepted: true })
  })
})

describe('a question to a node', () => {
  it.each<[Extract<NodeFaultInput, { kind: 'error' }>['as'], string]>([
    ['error_field', 'refused'],
    ['text', 'bad_answer'],
    ['html', 'bad_answer'],
    ['empty', 'bad_answer'],
    ['http500', 'refused'],
    ['cut_json', 'bad_answer'],
    ['hang', 'timeout'],
    ['close', 'unreachable'],
  ])('answered with %s is an error to our client, and only for as long', async (as, code) => {
    node.fault({ kind: 'error', as, times: 1 })
    await expect(asks(as).headBlock()).rejects.toMatchObject({ code })
    expect(await faulty.headBlock()).toEqual(await correct.headBlock())
  })

  it('has HTTP status 200 where java-tron or a proxy would say so', async () => {
    const answered = async (as: 'error_field' | 'html' | 'cut_json' | 'http500') => {
      node.fault({ kind: 'error', as, times: 1 })
      const response = await fetch(`${node.url}/wallet/getnowblock`)
      return [response.status, response.headers.get('content-type'), await response.text()]
    }
    const said = (pattern: RegExp, type = /./) => [
      200,
      expect.stringMatching(type),
      expect.stringMatching(pattern),
    ]
    expect(await answered('error_field')).toEqual(said(/^{"Error":/))
    expect(await answered('html')).toEqual(said(/<html>/, /^text\/html; charset=utf-8$/))
    expect(await answered('cut_json')).toEqual(said(/^{"blockID"/))
    expect(await answered('http500')).toEqual([500, expect.any(String), 'Internal Server Error'])
  })

  it('can be spoilt at some endpoints only, named whole or by their last part', async () => {
    node.fault({ kind: 'error', as: 'http500', paths: ['/walletsolidity/getblock', 'broadcasthex'] })
    await expect(faulty.solidBlock()).rejects.toMatchObject({ code: 'refused' })
    expect(await faulty.headBlock()).toMatchObject({ number: expect.any(Number) })
    const { hex, txid } = signed(payment(devnet))
    await expect(faulty.broadcast(hex)).rejects.toMatchObject({ code: 'refused' })
    expect(await inBlock(txid)).toBe(false)
  })

  it('cut short after it was done is done', async () => {
    const { hex, txid } = signed(payment(devnet))
    node.fault({ kind: 'error', as: 'cut_json', times: 1 })
    await expect(faulty.broadcast(hex)).rejects.toMatchObject({ code: 'bad_answer' })
    expect(await inBlock(txid)).toBe(true)
  })

  it('is spoilt, and development calls and pages are not', async () => {
    node.fault({ kind: 'error', as: 'http500' })
    const status = async (path: string) => (await fetch(node.url + path)).status
    expect(await status('/wallet/getnowblock')).toBe(500)
    expect([await status('/dev/status'), await status('/')]).toEqual([200, 200])
  })
})

describe('a node’s faults', () => {
  const call = (body: unknown) => devnet.post('/dev/node-fault', body, node)

  it('are switched on, listed, counted and ended over the wire', async () => {
    expect(await call({ kind: 'lag', blocks: 2 })).toEqual({ on: [{ kind: 'lag', blocks: 2 }] })
    await call({ kind: 'drop', times: 3 })
    await faulty.broadcast(signed(payment(devnet)).hex)
    await call({ kind: 'lie', about: 'balance', address: TO, value: '5' })
    const listed = (await (await fetch(`${node.url}/dev/node-fault`)).json()) as Record<string, unknown[]>
    expect(listed['on']).toEqual([
      { kind: 'lag', blocks: 2 },
      { kind: 'drop', times: 3, left: 2 },
      { kind: 'lie', about: 'balance', address: TO, value: '5.00', asset: 'usdt' },
    ])
    expect(listed['faults']).toHaveLength(8)
    expect(await call({ kind: 'lag', off: true })).toMatchObject({ on: [{ kind: 'drop' }, { kind: 'lie' }] })
    expect(await call({ clear: true })).toEqual({ on: [] })
    expect(await (await fetch(`${devnet.url}/dev/node-fault`)).json()).toMatchObject({ on: [] })
  })

  it('of which there is only one take the place of the one before', async () => {
    await call({ kind: 'lag', blocks: 2 })
    expect(await call({ kind: 'lag', blocks: 1, times: 1 })).toEqual({
      on: [{ kind: 'lag', blocks: 1, times: 1, left: 1 }],
    })
    await faulty.headBlock()
    expect(await faulty.headBlock()).toEqual(await correct.headBlock())
  })

  it.each<[string, unknown]>([
    ['no kind', {}],
    ['an unknown kind', { kind: 'toString' }],
    ['a field of another fault', { kind: 'lag', blocks: 1, depth: 1 }],
    ['a lag beyond what is remembered', { kind: 'lag', blocks: 901 }],
    ['a refusal without its code', { kind: 'refuse' }],
    ['a lie about nothing', { kind: 'lie' }],
    ['something hidden that has no name', { kind: 'lie', about: 'hidden' }],
    ['no times', { kind: 'drop', times: 0 }],
    ['a mistyped address', { kind: 'lie', about: 'balance', address: 'T', value: '1' }],
  ])('with %s are refused with a sentence', async (_name, body) => {
    const answer = await call(body)
    expect(answer).toEqual({ error: expect.stringMatching(/\w+ \w+/) })
    expect(await (await fetch(`${node.url}/dev/node-fault`)).json()).toMatchObject({ on: [] })
  })
})

describe('a node asked without HTTP', () => {
  it('answers the same, faults included', async () => {
    const { number } = await correct.headBlock()
    expect(await hasty.block(number, 'head')).toEqual(await correct.block(number, 'head'))
    const { hex, txid } = signed(payment(devnet))
    node.fault({ kind: 'timeout_after_acceptance', times: 1 })
    await expect(hasty.broadcast(hex)).rejects.toMatchObject({ code: 'timeout' })
    expect(await inBlock(txid)).toBe(true)
    node.fault({ kind: 'error', as: 'close', times: 1 })
    await expect(hasty.headBlock()).rejects.toMatchObject({ code: 'unreachable' })
    node.fault({ kind: 'error', as: 'http500', times: 1 })
    await expect(hasty.headBlock()).rejects.toMatchObject({ code: 'refused' })
    expect((await node.fetch(`${node.url}/wallet/nothing`)).status).toBe(404)
  })
})

describe('closing', () => {
  it('ends what hangs, and one node’s end is not the chain’s', async () => {
    const other = await devnet.addNode()
    other.fault({ kind: 'error', as: 'hang' })
    const hanging = clientOf(other).headBlock()
    const seen = expect(hanging).rejects.toMatchObject({ code: 'unreachable' })
    // The question must be there before its node goes.
    await expect.poll(() => devnet.chain.kept.size).toBe(3)
    await other.close()
    await seen
    expect(devnet.chain.kept.size).toBe(2)
    expect(await correct.headBlock()).toMatchObject({ number: expect.any(Number) })
  })
})
