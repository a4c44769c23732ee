import { createHash } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { isBreached } from './breached-passwords.ts'

const LEAKED = 'correct horse battery staple'
const digitsOf = (password: string) => createHash('sha1').update(password).digest('hex').toUpperCase()
const suffix = digitsOf(LEAKED).slice(5)
const OTHERS = `${'0'.repeat(35)}:3\r\n${'F'.repeat(35)}:1`

const asked: { url: string | undefined; all: string }[] = []
let answer: (response: ServerResponse) => void = () => undefined
const service = createServer((request, response) => {
  asked.push({ url: request.url, all: JSON.stringify([request.url, request.headers, request.method]) })
  answer(response)
})
await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}/range`
afterAll(() => {
  service.closeAllConnections()
  service.close()
})
let warned = vi.spyOn(process, 'emitWarning')
beforeEach(() => {
  asked.length = 0
  warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
  vi.useFakeTimers({ toFake: ['Date'] })
})
afterEach(() => vi.useRealTimers())

describe('a password', () => {
  it('that was in a leak is known by the digits that were not sent', async () => {
    answer = (response) => response.end(`${OTHERS}\r\n${suffix}:12`)
    expect(await isBreached(url, LEAKED)).toBe(true)
    expect(asked).toMatchObject([{ url: `/range/${digitsOf(LEAKED).slice(0, 5)}` }])
    expect(asked[0]?.all).not.toContain(digitsOf(LEAKED).slice(0, 6))
    expect(asked[0]?.all).toContain('"add-padding":"true"')
  })

  it('that was in none is not, nor one that is there as padding', async () => {
    for (const text of [OTHERS, `${OTHERS}\r\n${suffix}:0`, '', 'no such list']) {
      answer = (response) => response.end(text)
      expect(await isBreached(url, LEAKED)).toBe(false)
    }
    expect(warned).not.toHaveBeenCalled()
  })

  it.each<[string, (response: ServerResponse) => void]>([
    ['refuses', (response) => response.writeHead(503).end()],
    ['sends us on', (response) => response.writeHead(302, { location: url }).end()],
    ['never ends', (response) => response.write(`${suffix}:12\r\n`.repeat(40_000))],
    ['hangs up', (response) => response.destroy()],
    ['says nothing', () => undefined],
  ])('is taken where the service %s', async (_what, answering) => {
    answer = answering
    expect(await isBreached(url, LEAKED)).toBe(false)
  })

  it('is taken where there is no service; the log says so, once a minute', async () => {
    const start = Date.now() + 3_600_000
    for (const [after, lines] of [
      [0, 1],
      [59_999, 1],
      [60_000, 2],
    ] as const) {
      vi.setSystemTime(start + after)
      expect(await isBreached('http://127.0.0.1:1/range', LEAKED)).toBe(false)
      expect(warned).toHaveBeenCalledTimes(lines)
    }
    expect(String(warned.mock.calls[0]?.[0])).toContain('not compared with leaked ones')
  })
})
