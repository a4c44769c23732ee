import { crc32 } from 'node:zlib'
import sharp from 'sharp'
import { afterAll, describe, expect, it } from 'vitest'
import { features } from '../../../features.ts'
import { startPictures } from '../../../testing/pictures.ts'
import { createTestServer } from '../../../testing/server.ts'
import { suiteFixture } from '../../../testing/suite.ts'
import { accountFixture, formOf } from '../testing/member-fixture.ts'

const drawing = await startPictures()
afterAll(() => drawing.stop())
const server = await suiteFixture(createTestServer, features, { picturesSocket: drawing.socket })
const { get, headersOf, member, send, user } = accountFixture(server)
const ana = await member()
const picture = () => sharp({ create: { width: 640, height: 480, channels: 3, background: '#3E97FF' } })
const pictures = {
  png: await picture().png().toBuffer(),
  jpeg: await picture()
    .withExif({ IFD0: { Copyright: 'where it was taken' } })
    .jpeg()
    .toBuffer(),
  webp: await picture().webp().toBuffer(),
  gif: await picture().gif().toBuffer(),
}

/** A chunk of a PNG: its length, its content, and the checksum. */
function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}

/** A hundred bytes that say they are nine hundred megapixels. */
function bomb(): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(30_000)
  head.writeUInt32BE(30_000, 4)
  head.set([8, 6], 8)
  const magic = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const chunks = [chunk('IHDR', head), chunk('IDAT', Buffer.alloc(20)), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([magic, ...chunks])
}

function formWith(bytes: Buffer, others: Record<string, string> = {}): FormData {
  const form = formOf(others)
  form.set('avatar', new Blob([new Uint8Array(bytes)], { type: 'image/png' }), '../../etc/passwd.png')
  return form
}

const avatar = async () => new URL((await user(ana)).avatar).pathname

describe('a picture', () => {
  it.each(['png', 'jpeg', 'webp'] as const)('is taken as %s, and drawn anew', async (format) => {
    const answer = await send(ana, formWith(pictures[format]))
    expect(answer.json()).toBe('Your changes are saved.')
    const shown = await server.call({ url: await avatar() })
    expect(shown.headers['content-type']).toBe('image/webp')
    expect(shown.headers['cache-control']).toContain('immutable')
    expect(shown.headers['x-content-type-options']).toBe('nosniff')
    const { format: kept, width, height } = await sharp(shown.rawPayload).metadata()
    expect([kept, width, height]).toEqual(['webp', 256, 256])
    expect(shown.rawPayload.includes('where it was taken')).toBe(false)
  })

  it('is shown under another name when it is another one, and in the tree', async () => {
    const before = await avatar()
    const other = sharp({ create: { width: 20, height: 900, channels: 3, background: '#111' } })
    await send(ana, formWith(await other.png().toBuffer(), { first_name: 'Ana', usdt_wallet: '' }))
    expect(await avatar()).not.toBe(before)
    expect(await server.call({ url: before })).toAnswer(404)
    expect(await user(ana)).toMatchObject({ first_name: 'Ana' })
    const tree = await get(ana, '/api/tree/get-binary-tree/')
    expect(new URL(tree.json()[0].imageUrl).pathname).toBe(await avatar())
  })

  const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>'
  it.each([
    ['a GIF', () => pictures.gif],
    ['an SVG', () => Buffer.from(SVG)],
    ['text', () => Buffer.from('not a picture at all')],
    ['half a picture', () => pictures.jpeg.subarray(0, 900)],
    ['a decompression bomb', bomb],
  ])('is refused when it is %s', async (_name, bytes) => {
    const before = await avatar()
    const answer = await send(ana, formWith(bytes(), { first_name: 'Changed' }))
    expect(answer).toAnswer(422)
    expect(answer.json()).toContain('PNG, JPEG or WebP')
    expect(await avatar()).toBe(before)
    expect((await user(ana)).first_name).not.toBe('Changed')
  })

  it.each([
    [1, 100_000],
    [50_000, 1],
    [12_001, 4_000],
    [10, 501],
    [7_100, 7_100],
  ])('of %i by %i pixels is refused before it is decoded', async (width, height) => {
    const long = sharp({
      create: { width, height, channels: 3, background: '#111' },
      limitInputPixels: false,
    })
    const before = await avatar()
    const answer = await send(ana, formWith(await long.png().toBuffer()))
    expect(answer).toAnswer(422)
    expect(answer.json()).toContain('50 megapixels')
    expect(await avatar()).toBe(before)
  })

  it.each([
    [10, 500],
    [12_000, 240],
  ])('of %i by %i pixels is taken', async (width, height) => {
    const long = sharp({ create: { width, height, channels: 3, background: '#222' } })
    expect(await send(ana, formWith(await long.png().toBuffer()))).toAnswer(200)
  })

  it('that moves is its first picture', async () => {
    const frame = (red: number) => Buffer.alloc(64 * 64 * 3, Buffer.from([red, 0, 0]))
    const raw = { width: 64, height: 128, channels: 3, pageHeight: 64 } as const
    const moving = await sharp(Buffer.concat([frame(250), frame(0)]), { raw })
      .webp({ loop: 0 })
      .toBuffer()
    expect((await sharp(moving).metadata()).pages).toBe(2)
    expect(await send(ana, formWith(moving))).toAnswer(200)
    const shown = await server.call({ url: await avatar() })
    const { pages = 1 } = await sharp(shown.rawPayload).metadata()
    const { channels } = await sharp(shown.rawPayload).stats()
    expect([pages, (channels[0]?.mean ?? 0) > 200]).toEqual([1, true])
  })

  it('is refused above 5 MB, or beside a second one', async () => {
    expect(await send(ana, formWith(Buffer.alloc(5 * 1_048_576 + 1)))).toAnswer(413)
    expect(await send(ana, formWith(Buffer.alloc(40 * 1_048_576)))).toAnswer(413)
    const two = formWith(pictures.png)
    two.append('other', new Blob(['x']), 'x.png')
    expect(await send(ana, two)).toAnswer(413)
  })

  it.each(['/api/avatars/1/x.webp', '/api/avatars/0/x.webp', '/api/avatars/..%2f..%2fetc/passwd.webp'])(
    'is not found at %s',
    async (url) => {
      expect([400, 404]).toContain((await server.call({ url })).statusCode)
    },
  )
})

describe('while pictures are drawn by nobody', () => {
  it('one is refused for the moment, and everything else goes on', async () => {
    await drawing.stop()
    const before = await avatar()
    const answer = await send(ana, formWith(pictures.png, { first_name: 'Drawn' }))
    expect(answer).toAnswer(503)
    expect(await avatar()).toBe(before)
    expect((await user(ana)).first_name).not.toBe('Drawn')
    expect(await send(ana, formOf({ first_name: 'Ana' }))).toAnswer(200)
  })
})

describe('a form', () => {
  const raw = (payload: string, type: string, url = '/api/auth/user/', method: 'PATCH' | 'POST' = 'PATCH') =>
    server.call({ method, url, payload, headers: { ...headersOf(ana), 'content-type': type } })
  const part = (name: string, value: string) =>
    `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  const whole = (...parts: string[]) => `${parts.join('')}--b--\r\n`
  const FORM = 'multipart/form-data; boundary=b'

  it.each([
    ['no boundary', 'x', 'multipart/form-data', 400],
    ['no end', part('first_name', 'Ana'), FORM, 400],
    ['the same field twice', whole(part('first_name', 'A'), part('first_name', 'B')), FORM, 400],
    ['a poisoned prototype', whole(part('__proto__', '{}')), FORM, 400],
    ['a field without end', whole(part('first_name', 'x'.repeat(5000))), FORM, 400],
    ['a hundred fields', whole(...Array.from({ length: 100 }, (_, n) => part(`f${n}`, ''))), FORM, 413],
    ['another kind of form', 'first_name=Ana', 'application/x-www-form-urlencoded', 415],
    ['plain text', 'first_name=Ana', 'text/plain', 415],
  ])('with %s is refused', async (_name, payload, type, status) => {
    const answer = await raw(payload, type)
    expect(answer).toAnswer(status)
    expect(typeof answer.json()).toBe('string')
  })

  it('is read by the calls that take one alone', async () => {
    for (const [name, url] of [
      ['refresh', '/api/auth/logout/'],
      ['amount', '/api/plans/create-investment-payment/'],
    ] as const)
      expect(await raw(whole(part(name, '50')), FORM, url, 'POST')).toAnswer(415)
  })
})
