import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { encodeAvatar } from '../../apps/server/src/features/identity/profile/avatar-image.ts'
import { parseStartConfig, root } from '../core/config.ts'
import { picturesEnvironment } from './environment.ts'
import { product } from './layout.ts'
import { accessOf } from './permissions.ts'
import { picturesSocket } from './pictures.ts'
import { type Child, keepRunning } from './processes.ts'

const dataDir = realpathSync(mkdtempSync(join(tmpdir(), 'aval-pictures-')))
const patience = { timeout: 240_000, interval: 50 }
let socket: string
let child: Child

/** As the supervisor keeps the program. */
async function keep(entry: string, read: readonly string[], given: Record<string, string> = {}) {
  const config = parseStartConfig({ DATA_DIR: dataDir })
  const access = { ...accessOf('pictures', config, product, null), read }
  const env = { ...picturesEnvironment(config, socket), ...given }
  const spec = { name: 'pictures', entry, env, heapMb: 64, socket, access }
  child = keepRunning(spec, dataDir, {
    changed: () => undefined,
    gaveUp: (line) => expect.fail(line),
    struggles: () => undefined,
  })
  await child.ready
}

/** @param drawMs how long a picture may take */
const keepPlanted = (drawMs: number) =>
  keep(join(root, 'tools/supervisor/testing/planted-pictures.ts'), [join(root, 'apps/server')], {
    DRAW_MS: String(drawMs),
  })

const asked = (file: string | Buffer) =>
  encodeAvatar(socket, Buffer.from(file)).then(String, (error: Error) => error.message)
/** Nothing is drawn until the next process is there. */
const drawnAgain = () => vi.waitFor(async () => expect(await asked('next')).toBe('drawn next'), patience)
const said = () => readFileSync(join(dataDir, 'logs', 'pictures.log'), 'utf8')

beforeAll(async () => {
  mkdirSync(join(dataDir, 'logs'))
  socket = await picturesSocket(dataDir)
})
afterEach(() => child.stop())
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

test.each([
  ['never ends being decoded', 'hangs', 1_000, 'took longer than 1000 ms'],
  ['takes more and more memory', 'grows', 120_000, 'took more than'],
  ['crashes its decoder', 'crashes', 120_000, ''],
])('a picture that %s is refused, and the next process draws the next one', async (_, file, drawMs, line) => {
  await keepPlanted(drawMs)
  const before = child.pid()
  expect(await asked(file)).toBe('image_invalid')
  await drawnAgain()
  expect(child.pid()).not.toBe(before)
  expect(said()).toContain(line)
})

test('who waits behind such a picture is asked to come again, and nothing is said of theirs', async () => {
  await keepPlanted(120_000)
  const [first, ...others] = await Promise.all([asked('grows'), asked('one'), asked('two')])
  expect([first, others]).toEqual(['image_invalid', ['unavailable', 'unavailable']])
  await drawnAgain()
})

test('one is drawn at a time, twenty wait, and who comes after them is asked to come again', async () => {
  await keepPlanted(120_000)
  const drawn = [asked('waits')]
  let refused = 0
  for (let index = 0; index < 40; index += 1) drawn.push(asked(`${index}`))
  for (const answer of drawn) void answer.then((text) => (refused += Number(text === 'unavailable')))
  await vi.waitFor(() => expect(refused).toBe(20), patience)
  process.kill(child.pid() ?? 0, 'SIGUSR2')
  const answers = await Promise.all(drawn)
  expect(answers.filter((text) => text.startsWith('drawn '))).toHaveLength(21)
})

test('the program itself draws with the permissions that it has', async () => {
  expect(await asked('while it is away')).toBe('unavailable')
  await keep(product.pictures, [])
  const picture = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg',
    'base64',
  )
  expect(await asked(picture)).toMatch(/^RIFF.{4}WEBP/s)
  expect(await asked('no picture')).toBe('image_invalid')
})
