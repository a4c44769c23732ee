/** The client with an incorrect signer, or none. */
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSignerClient } from './client.ts'
import type { SignerReply } from './protocol.ts'
import { createSocketHarness, SIGNED, type SocketHarness, TXID } from './testing/socket-harness.ts'

let harness: SocketHarness
beforeEach(() => {
  harness = createSocketHarness()
})
afterEach(() => harness.close())

describe('the client', () => {
  const unavailable = { signed: false, code: 'signer_unavailable' }
  let fake: Server | null
  beforeEach(() => {
    fake = null
    mkdirSync(harness.folder, { mode: 0o700 })
  })
  afterEach(async () => {
    await new Promise<void>((closed) => (fake === null ? closed() : void fake.close(() => closed())))
  })

  /** Another server at the signer's path. */
  async function pretend(answer: (line: string, socket: Socket) => void): Promise<void> {
    fake = createServer((socket) => {
      socket.on('error', () => undefined)
      socket.on('data', (part) => answer(String(part), socket))
    }).listen(harness.path)
    await once(fake, 'listening')
  }

  it('answers unavailable while there is no signer, and connects when there is one', async () => {
    const client = createSignerClient(harness.path)
    expect(await client.sign(TXID)).toMatchObject(unavailable)
    const first = await harness.serve(async () => ({
      signed: false,
      code: 'stopped',
      message: 'money out is stopped',
    }))
    expect(await client.sign(TXID)).toEqual({
      signed: false,
      code: 'stopped',
      message: 'money out is stopped',
    })
    await first.close()
    expect(await client.sign(TXID)).toMatchObject(unavailable)
    await harness.serve()
    expect(await client.sign(TXID)).toEqual(SIGNED)
    client.close()
  })

  it('matches answers to requests, in any order', async () => {
    const waiting: (() => void)[] = []
    await harness.serve(
      (txid) =>
        new Promise<SignerReply>((answer) => {
          waiting.push(() => answer({ signed: false, code: 'not_found', message: txid }))
          if (waiting.length === 20) for (const go of waiting.reverse()) go()
        }),
    )
    const client = createSignerClient(harness.path)
    const txids = Array.from({ length: 20 }, (_, index) => index.toString(16).padStart(64, '0'))
    const replies = await Promise.all(txids.map((txid) => client.sign(txid)))
    expect(replies.map((reply) => !reply.signed && reply.message)).toEqual(txids)
    client.close()
  })

  it.each<[string, string]>([
    ['junk', 'hello\n'],
    ['a line that never ends', 'x'.repeat(100_000)],
    ['a signature of another length', '{"id":1,"signature":"00"}\n'],
    ['an answer to a question of nobody', `{"id":99,"signature":"${'0'.repeat(130)}"}\n`],
    [
      'a signature and a refusal',
      `{"id":1,"signature":"${'0'.repeat(130)}","refused":{"code":"a","message":""}}\n`,
    ],
  ])('disconnects from a signer that answers %s', async (_name, answer) => {
    await pretend((_line, socket) => socket.write(answer))
    const client = createSignerClient(harness.path)
    expect(await client.sign(TXID)).toMatchObject(unavailable)
    client.close()
  })

  it('gives up a request that is not answered, and ignores a late answer', async () => {
    const lines: string[] = []
    await pretend((line, socket) => {
      lines.push(line)
      if (lines.length < 2) return
      for (const each of lines) {
        socket.write(`${JSON.stringify({ id: JSON.parse(each).id, signature: '07'.repeat(65) })}\n`)
      }
    })
    const client = createSignerClient(harness.path, { timeoutMs: 30 })
    expect(await client.sign(TXID)).toMatchObject(unavailable)
    expect(await client.sign(TXID)).toEqual(SIGNED)
    client.close()
  })

  it('answers open requests when the signer crashes', async () => {
    const server = await harness.serve(() => new Promise(() => undefined))
    const client = createSignerClient(harness.path)
    const replies = Promise.all([client.sign(TXID), client.sign(TXID)])
    await server.close()
    for (const reply of await replies) expect(reply).toMatchObject(unavailable)
    client.close()
  })
})
