import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it, onTestFinished, vi } from 'vitest'
import { sourcesHash } from './passed-tests.ts'
import { runVitest } from './tests.ts'

const folder = await mkdtemp(join(tmpdir(), 'aval-sources-'))
afterAll(() => rm(folder, { recursive: true, force: true }))
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.com', ...args], { cwd: folder })
const write = (name: string, text: string) => writeFile(join(folder, name), text)

it('sources are the same while no file is another, committed or not, tracked or new', async () => {
  expect(sourcesHash(folder)).toBeNull()
  git('init', '--quiet')
  await write('.gitignore', 'built')
  await write('a', '1')
  git('add', '.')
  git('commit', '--quiet', '-m', 'x')
  const first = sourcesHash(folder)
  await write('built', 'ignored')
  git('commit', '--quiet', '--allow-empty', '-m', 'the same files')
  expect(sourcesHash(folder)).toBe(first)
  await write('a', '2')
  const changed = sourcesHash(folder)
  await write('b', 'new')
  const added = sourcesHash(folder)
  await write('b', 'newer')
  expect(new Set([first, changed, added, sourcesHash(folder)]).size).toBe(4)
})

it('a run that fails although every test passed says what no test caught', async () => {
  const place = await mkdtemp(join(tmpdir(), 'aval-uncaught-'))
  onTestFinished(() => rm(place, { recursive: true, force: true }))
  const printed = vi.spyOn(console, 'log').mockReturnValue(undefined)
  onTestFinished(() => printed.mockRestore())
  await writeFile(join(place, 'a.test.mjs'), "it('a', () => void Promise.reject(new Error('nobody waited')))")
  const { passed, failed, failures } = await runVitest(['--globals', '--root', place])
  expect([passed, failed]).toEqual([1, 1])
  expect(failures).toEqual([expect.stringMatching(/^vitest ended with 1, .*\n.*Error: nobody waited/s)])
})
