import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Append, openChildLog } from './child-log.ts'

let folder: string
let path: string
let now: number

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'aval-log-'))
  path = join(folder, 'api.log')
  now = Date.parse('2026-05-06T12:00:00Z')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const written = () => readFileSync(path, 'utf8').trim().split('\n')
const open = (append?: Append) => openChildLog(path, { ...(append && { append }), now: () => now })

async function say(log: ReturnType<typeof open>, ...parts: string[]): Promise<void> {
  const stream = Readable.from(parts)
  log.follow(stream)
  await finished(stream)
}

const failed = (failures: number) =>
  `${JSON.stringify({ at: `2026-05-06T12:00:0${failures % 10}Z`, level: 'error', part: 'gateway', event: 'ingest.failed', error: 'connect ECONNREFUSED', failures, waitMs: 2000 })}\n`

test('a failure that comes every two seconds is written once, and counted every ten minutes', async () => {
  const log = open()
  for (let n = 1; n <= 300; n += 1) {
    await say(log, failed(n))
    now += 2_000
  }
  expect(written()).toHaveLength(1)
  await say(log, failed(301))
  const [, counted = '', again] = written()
  expect(JSON.parse(counted).msg).toMatch(/^repeated 299 times in 10 min: .*ingest\.failed/)
  expect(JSON.parse(again ?? '').failures).toBe(301)
})

test('what was counted is told although nothing comes any more', async () => {
  const log = open()
  await say(log, failed(1), failed(2))
  now += 600_000
  log.settle()
  expect(written()[1]).toContain('repeated 1 times in 10 min')
})

test('facts that differ, and what is no trouble, are all written', async () => {
  const log = open()
  const info = '{"level":30,"time":1,"msg":"listening"}\n'
  const mail = (id: number) => `{"level":40,"time":${id},"msg":"mail ${id} is given up"}\n`
  await say(log, info, info, mail(1), mail(2))
  expect(written()).toHaveLength(4)
})

test('a stack trace is one entry, and comes in one piece although it arrives in parts', async () => {
  const log = open()
  const stack = 'Error: broken\n    at one (a.ts:1)\n    at two (b.ts:2)\n'
  await say(log, `${stack}{"level":30,"msg":"a`, 'nd on"}\n', stack)
  expect(written()).toEqual([...stack.trimEnd().split('\n'), '{"level":30,"msg":"and on"}'])
})

test('a full disk loses lines, says how many once there is room, and throws nothing', async () => {
  let isFull = true
  // What Linux answers a write to its file that is always full.
  const append: Append = (file, text) =>
    appendFileSync(isFull && process.platform === 'linux' ? '/dev/full' : file, text)
  const log = open(append)
  await say(log, '{"level":30,"msg":"one"}\n', '{"level":30,"msg":"two"}\n')
  isFull = false
  await say(log, '{"level":30,"msg":"three"}\n')
  if (process.platform !== 'linux') return
  expect(written().map((line) => JSON.parse(line).msg)).toEqual(['2 lines were lost: no room', 'three'])
})
