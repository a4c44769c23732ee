/** The program that draws pictures, with a decoder that is a bomb where the picture says so. */
import { pbkdf2 } from 'node:crypto'
import { once } from 'node:events'
import { endAtOnce, servePictures } from '../../../apps/server/src/pictures/serve.ts'

process.once('disconnect', () => endAtOnce('stopped'))
const kept: Buffer[] = []

async function draw(file: Buffer): Promise<Buffer> {
  if (String(file) === 'crashes') process.kill(process.pid, 'SIGKILL')
  if (String(file) === 'waits') await once(process, 'SIGUSR2')
  // Native code on a thread, which nothing in this process can stop; an exit would wait for it.
  if (String(file) === 'hangs')
    return new Promise((resolve) => pbkdf2('a', 'b', 2 ** 31 - 1, 32, 'sha512', (_, key) => resolve(key)))
  if (String(file) === 'grows')
    return new Promise(() => setInterval(() => kept.push(Buffer.alloc(8 * 1_048_576, 1))))
  return Buffer.from(`drawn ${file}`)
}

const { PICTURES_SOCKET = '', DRAW_MS } = process.env
const limits = { drawMs: Number(DRAW_MS), memoryMb: process.memoryUsage.rss() / 1_048_576 + 200 }
await servePictures(PICTURES_SOCKET, draw, limits)
process.send?.({ ready: true })
