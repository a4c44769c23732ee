/** The signer's socket with incorrect clients. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSignerClient } from './client.ts'
import { createSocketHarness, SIGNED, type SocketHarness, TXID } from './testing/socket-harness.ts'

let harness: SocketHarness
beforeEach(() => {
  harness = createSocketHarness()
})
afterEach(() => harness.close())

async function connectRaw(): Promise<Socket> {
  const socket = connect(harness.path)
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
    await harness.serve()
    expect(statSync(harness.path).mode & 0o777).toBe(0o600)
    expect(statSync(harness.folder).mode & 0o777).toBe(0o700)
  })

  it('is refused in a folder that others may enter', async () => {
    mkdirSync(harness.folder)
    chmodSync(harness.folder, 0o755)
    await expect(harness.serve()).rejects.toThrow('closed to others')
  })

  it('belongs to one signer: a second refuses to start, and the first goes on', async () => {
    await harness.serve()
    await expect(harness.serve()).rejects.toThrow('another signer listens')
    const client = createSignerClient(harness.path)
    expect(await client.sign(TXID)).toEqual(SIGNED)
    client.close()
  })

  it('belongs to one signer when ten start at the same moment', async () => {
    const starts = await Promise.allSettled(Array.from({ length: 10 }, () => harness.serve()))
    expect(starts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const client = createSignerClient(harness.path)
    expect(await client.sign(TXID)).toEqual(SIGNED)
    client.close()
  })

  it('is taken over from a signer that was killed', async () => {
    mkdirSync(harness.folder, { mode: 0o700 })
    const program = join(harness.folder, 'dead.mjs')
    writeFileSync(
      program,
      `import { createServer } from 'node:net'
       createServer().listen(process.argv[2], () => process.send('ready'))`,
    )
    const dead = fork(program, [harness.path])
    await once(dead, 'message')
    dead.kill('SIGKILL')
    await once(dead, 'exit')
    expect(statSync(harness.path).isSocket()).toBe(true)
    await harness.serve()
    const client = createSignerClient(harness.path)
    expect(await client.sign(TXID)).toEqual(SIGNED)
    client.close()
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
    await harness.serve()
    const client = createSignerClient(harness.path)
    const socket = await connectRaw()
    socket.write(sent)
    expect(await received(socket)).toBe('')
    expect(harness.logged.at(-1)).toContain(why)
    expect(await client.sign(TXID)).toEqual(SIGNED)
    client.close()
  })

  it('a line that does not end', async () => {
    await harness.serve(undefined, 50)
    const socket = await connectRaw()
    socket.write('{"id":1,')
    expect(await received(socket)).toBe('')
    expect(harness.logged.at(-1)).toContain('does not end')
  })

  it('a line may arrive in pieces', async () => {
    await harness.serve()
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
    expect(
      text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).id),
    ).toEqual([1, 2])
  })

  it('thousands of requests are handled a few at a time, and all answered', async () => {
    let open = 0
    let most = 0
    await harness.serve(async () => {
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
    await harness.serve()
    const socket = await connectRaw()
    socket.pause()
    const more = () => {
      while (!socket.destroyed && socket.write(`{"id":1,"txid":"${TXID}"}\n`.repeat(500)));
    }
    socket.on('drain', more)
    more()
    await expect.poll(() => harness.logged.join(), { timeout: 240_000 }).toContain('not read')
    socket.destroy()
  })

  it('more connections than allowed', async () => {
    await harness.serve()
    const sockets = await Promise.all(Array.from({ length: 8 }, connectRaw))
    const ninth = connect(harness.path)
    ninth.on('error', () => undefined)
    await closed(ninth)
    for (const socket of sockets) socket.destroy()
  })
})
