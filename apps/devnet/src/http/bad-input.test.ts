import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { suiteDevnet } from '../testing.ts'
import { FULL_NODE_READS, READS } from './reads.ts'
import { TRIALS, WRITES } from './writes.ts'

const devnet = await suiteDevnet()

const raw = (path: string, body: string, type = 'application/json') =>
  fetch(devnet.url + path, { method: 'POST', headers: { 'content-type': type }, body })

const PATHS = Object.keys({ ...READS, ...FULL_NODE_READS, ...TRIALS, ...WRITES }).map(
  (name) => `/wallet/${name}`,
)
const FIELDS = [
  'num',
  'value',
  'id_or_num',
  'address',
  'owner_address',
  'contract_address',
  'transaction',
  'raw_data',
  'startNum',
  'endNum',
  'parameter',
  'amount',
  'visible',
  'signature',
  'function_selector',
]

describe('the node', () => {
  it('answers any question, however malformed, with JSON, and lives', async () => {
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 3 }),
      fc.uint8Array({ maxLength: 70 }).map((bytes) => Buffer.from(bytes).toString('hex')),
      fc.constant(`41${'00'.repeat(20)}`),
      fc.integer(),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...PATHS),
        fc.dictionary(fc.constantFrom(...FIELDS), value),
        async (path, body) => {
          const response = await raw(path, JSON.stringify(body))
          expect(response.status).toBe(200)
          expect(typeof (await response.json())).toBe('object')
        },
      ),
      { numRuns: 300 },
    )
    expect((await devnet.post('/wallet/getnowblock'))['blockID']).toBe(devnet.chain.head().id)
  })

  it.each([
    ['text', 'hello'],
    ['nothing', ''],
    ['cut JSON', '{"value":'],
    ['deep nesting', '['.repeat(100_000) + ']'.repeat(100_000)],
    ['a deep object', `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`],
    ['a prototype', '{"__proto__":{"num":1},"constructor":{}}'],
  ])('is not disturbed by %s', async (_name, body) => {
    for (const path of PATHS) expect((await raw(path, body)).status).toBeLessThan(500)
    expect((await raw('/dev/pay', body)).status).toBe(400)
    expect((await raw('/wallet/getnowblock', body, 'text/plain')).status).toBe(200)
  })

  it('refuses bodies above a megabyte', async () => {
    const response = await raw('/wallet/broadcasthex', JSON.stringify({ transaction: 'ab'.repeat(600_000) }))
    expect(response.status).toBe(413)
  })

  it('says so like java-tron when something is missing or wrong', async () => {
    expect(await devnet.post('/wallet/getaccount', {})).toEqual({
      Error: "class java.security.InvalidParameterException : address isn't set.",
    })
    expect(await devnet.post('/wallet/getblock', { id_or_num: 'x' })).toEqual({
      Error: 'class java.lang.IllegalArgumentException : hash or number is illegal',
    })
    expect(await devnet.post('/wallet/broadcasthex', { transaction: 'ff' })).toMatchObject({
      Error: expect.stringContaining('InvalidProtocolBufferException'),
    })
    expect(await devnet.post('/wallet/getblockbynum', { num: 999_999 })).toEqual({})
    expect(await devnet.post('/wallet/gettransactioninfobyid', { value: 'ab' })).toEqual({})
  })

  it('has nothing at other addresses and takes no other methods', async () => {
    expect((await fetch(`${devnet.url}/wallet/nothing`)).status).toBe(404)
    expect((await fetch(`${devnet.url}/walletsolidity/broadcasthex`, { method: 'POST' })).status).toBe(404)
    expect((await fetch(`${devnet.url}/wallet/getnowblock`, { method: 'DELETE' })).status).toBe(404)
  })
})
