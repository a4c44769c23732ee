/** The socket: the signer's end with incorrect clients, and the gateway's end with an incorrect signer, or none. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, promises, rmSync, statSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createLog } from '../core/log.ts'
import { createSignerClient, type SignerPort, type SignerReply, serveSigner } from './socket.ts'

const TXID = 'a'.repeat(64)
const SIGNED: SignerReply = { signed: true, signature: new Uint8Array(65).fill(7) }

let outside: string
/** The folder of the socket; not created yet. */
let folder: string
let path: string
let logged: string[]
let servers: { close(): Promise<unknown> }[]
let clients: ReturnType<typeof createSignerClient>[]
beforeEach(() => {
  outside = mkdtempSync(join(tmpdir(), 'aval-signer-'))
  folder = join(outside, 'private')
  path = join(folder, 'signer.sock')
  logged = []
  servers = []
  clients = []
})
afterEach(async () => {
  for (const client of clients) client.close()
  await Promise.all(servers.map((server) => server.close()))
  rmSync(outside, { recursive: true, force: true })
})

/** A signer's socket with a stub for the signer, which signs everything unless told otherwise. */
async function serve(sign: SignerPort['sign'] = async () => SIGNED, lineMs = 5_000) {
  const log = createLog((line) => logged.push(line), 'signer')
  const server = await serveSigner({ path, signer: { sign }, log, lineMs })
  servers.push(server)
  return server
}

function newClient(options: { timeoutMs?: number } = {}) {
  const client = createSignerClient(path, options)
  clients.push(client)
  return client
}
const signOnce = () => newClient().sign(TXID)

async function connectRaw(): Promise<Socket> {
  const socket = connect(path)
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  return socket
}

const closed = (socket: Socket) => new Promise<void>((done) => socket.once('close', () => done()))

/** Everything that is received until the connection is closed. */
async function received(socket: Socket): Promise<string> {
  let text = ''
  socket.on('data', (part) => {
    text += String(part)
  })
  await closed(socket)
  return text
}

describe('the socket', () => {
  it('is open to its own user only', async () => {
    await serve()
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
  })

  it('is open to the group of its folder where it is shared, and to nobody in a folder that others enter or change', async () => {
    const shared = {
      path,
      signer: { sign: async () => SIGNED },
      log: createLog(() => undefined),
      isShared: true,
    }
    for (const mode of [0o711, 0o730, 0o770]) {
      mkdirSync(folder)
      chmodSync(folder, mode)
      await expect(serveSigner(shared)).rejects.toThrow('must be its user')
      rmSync(folder, { recursive: true })
    }
    mkdirSync(folder)
    chmodSync(folder, 0o710)
    await expect(serveSigner({ ...shared, isShared: false })).rejects.toThrow('must be its user')
    servers.push(await serveSigner(shared))
    expect(statSync(path).mode & 0o777).toBe(0o660)
    expect(statSync(path).gid).toBe(statSync(folder).gid)
    expect(await signOnce()).toEqual(SIGNED)
  })

  it('is shared under a service manager that refuses any change of owners', async () => {
    const chown = vi.spyOn(promises, 'chown').mockRejectedValue(new Error('EPERM: operation not permitted'))
    syncBuiltinESMExports()
    try {
      mkdirSync(folder)
      chmodSync(folder, 0o710)
      servers.push(
        await serveSigner({
          path,
          signer: { sign: async () => SIGNED },
          log: createLog(() => undefined),
          isShared: true,
        }),
      )
      expect(statSync(path).mode & 0o777).toBe(0o660)
      expect(await signOnce()).toEqual(SIGNED)
    } finally {
      chown.mockRestore()
      syncBuiltinESMExports()
    }
  })

  it('belongs to one signer: a second refuses to start, and the first goes on', async () => {
    await serve()
    await expect(serve()).rejects.toThrow('another signer listens')
    expect(await signOnce()).toEqual(SIGNED)
  })

  it('belongs to one signer when ten start at the same moment', async () => {
    const starts = await Promise.allSettled(Array.from({ length: 10 }, () => serve()))
    expect(starts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await signOnce()).toEqual(SIGNED)
  })

  it('is taken over from a signer that was killed', async () => {
    mkdirSync(folder, { mode: 0o700 })
    const program = join(folder, 'dead.mjs')
    writeFileSync(
      program,
      `import { createServer } from 'node:net'
       createServer().listen(process.argv[2], () => process.send('ready'))`,
    )
    const dead = fork(program, [path])
    await once(dead, 'message')
    dead.kill('SIGKILL')
    await once(dead, 'exit')
    expect(statSync(path).isSocket()).toBe(true)
    await serve()
    expect(await signOnce()).toEqual(SIGNED)
  })
})

describe('an incorrect client is disconnected, and the others are served', () => {
  it.each<[string, string, string]>([
    ['a huge line', 'x'.repeat(3_000), 'too long'],
    ['a huge line that never ends', 'x'.repeat(5_000_000), 'too long'],
    ['junk', 'GET / HTTP/1.1\r\n\r\n', 'no request'],
    ['bytes that are no text', '\u0000\ufffd\n', 'no request'],
    ['an empty line', '\n', 'no request'],
    ['a list', '[]\n', 'no request'],
    ['nothing much', 'null\n', 'no request'],
    ['a number for a txid', '{"id":1,"txid":5}\n', 'no request'],
    ['a short txid', '{"id":1,"txid":"aa"}\n', 'no request'],
    ['a text for an id', `{"id":"1","txid":"${TXID}"}\n`, 'no request'],
    ['an id below one', `{"id":0,"txid":"${TXID}"}\n`, 'no request'],
    ['something more', `{"id":1,"txid":"${TXID}","raw":"00"}\n`, 'no request'],
    ['deep nesting', `${'['.repeat(2_000)}\n`, 'no request'],
  ])('%s', async (_name, sent, why) => {
    await serve()
    const client = newClient()
    const socket = await connectRaw()
    socket.write(sent)
    expect(await received(socket)).toBe('')
    expect(logged.at(-1)).toContain(why)
    expect(await client.sign(TXID)).toEqual(SIGNED)
  })

  it('a line that does not end', async () => {
    await serve(undefined, 50)
    const socket = await connectRaw()
    socket.write('{"id":1,')
    expect(await received(socket)).toBe('')
    expect(logged.at(-1)).toContain('does not end')
  })

  it('a line may arrive in pieces', async () => {
    await serve()
    const socket = await connectRaw()
    for (const piece of [`{"id":1,"tx`, `id":"${TXID}`, '"}', `\n{"id":2,"txid":"${TXID}"}\n`]) {
      socket.write(piece)
      await new Promise((sent) => setImmediate(sent))
    }
    let text = ''
    for await (const part of socket) {
      text += String(part)
      if (text.split('\n').length === 3) break
    }
    const lines = text.trim().split('\n')
    expect(lines.map((line) => JSON.parse(line).id)).toEqual([1, 2])
  })

  it('thousands of requests are handled a few at a time, and all answered', async () => {
    let open = 0
    let most = 0
    await serve(async () => {
      open += 1
      most = Math.max(most, open)
      await new Promise((done) => setImmediate(done))
      open -= 1
      return SIGNED
    })
    const socket = await connectRaw()
    const count = 5_000
    socket.write(Array.from({ length: count }, (_, i) => `{"id":${i + 1},"txid":"${TXID}"}\n`).join(''))
    let answers = 0
    for await (const part of socket) {
      answers += String(part).split('\n').length - 1
      if (answers === count) break
    }
    expect(answers).toBe(count)
    expect(most).toBeLessThan(1_000)
  })

  it('a client that does not read its answers', async () => {
    await serve()
    const socket = await connectRaw()
    socket.pause()
    const more = () => {
      while (!socket.destroyed && socket.write(`{"id":1,"txid":"${TXID}"}\n`.repeat(500)));
    }
    socket.on('drain', more)
    more()
    await expect.poll(() => logged.join()).toContain('not read')
    socket.destroy()
  })

  it('more connections than allowed', async () => {
    await serve()
    const sockets = await Promise.all(Array.from({ length: 8 }, connectRaw))
    const ninth = connect(path)
    ninth.on('error', () => undefined)
    await closed(ninth)
    for (const socket of sockets) socket.destroy()
  })
})

describe('the client', () => {
  const unavailable = { signed: false, code: 'signer_unavailable' }
  beforeEach(() => mkdirSync(folder, { mode: 0o700 }))

  /** Another server at the signer's path. */
  async function pretend(answer: (line: string, socket: Socket) => void): Promise<void> {
    const fake = createServer((socket) => {
      socket.on('error', () => undefined)
      socket.on('data', (part) => answer(String(part), socket))
    }).listen(path)
    servers.push({ close: () => once(fake.close(), 'close') })
    await once(fake, 'listening')
  }

  it('answers unavailable while there is no signer, and connects when there is one', async () => {
    const client = newClient()
    expect(await client.sign(TXID)).toMatchObject(unavailable)
    const stopped: SignerReply = { signed: false, code: 'stopped', message: 'money out is stopped' }
    const first = await serve(async () => stopped)
    expect(await client.sign(TXID)).toEqual(stopped)
    await first.close()
    expect(await client.sign(TXID)).toMatchObject(unavailable)
    await serve()
    expect(await client.sign(TXID)).toEqual(SIGNED)
  })

  it('matches answers to requests, in any order', async () => {
    const waiting: (() => void)[] = []
    await serve(
      (txid) =>
        new Promise<SignerReply>((answer) => {
          waiting.push(() => answer({ signed: false, code: 'not_found', message: txid }))
          if (waiting.length === 20) for (const go of waiting.reverse()) go()
        }),
    )
    const client = newClient()
    const txids = Array.from({ length: 20 }, (_, index) => index.toString(16).padStart(64, '0'))
    const replies = await Promise.all(txids.map((txid) => client.sign(txid)))
    expect(replies.map((reply) => !reply.signed && reply.message)).toEqual(txids)
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
    expect(await signOnce()).toMatchObject(unavailable)
  })

  it('gives up a request that is not answered, and ignores a late answer', async () => {
    const asked: string[] = []
    // What arrives together is several lines.
    await pretend((lines, socket) => {
      for (const [, id = ''] of lines.matchAll(/"id":(\d+)/g)) {
        asked.push(id)
        if (asked.length === 1) continue
        for (const each of asked.length === 2 ? asked : [id])
          socket.write(`{"id":${each},"signature":"${'07'.repeat(65)}"}\n`)
      }
    })
    const client = newClient({ timeoutMs: 30 })
    expect(await client.sign(TXID)).toMatchObject(unavailable)
    // However slow the machine is: later requests are answered at once.
    await expect.poll(() => client.sign(TXID)).toEqual(SIGNED)
  })

  it('answers open requests when the signer crashes', async () => {
    const server = await serve(() => new Promise(() => undefined))
    const client = newClient()
    const replies = Promise.all([client.sign(TXID), client.sign(TXID)])
    await server.close()
    for (const reply of await replies) expect(reply).toMatchObject(unavailable)
  })
})
