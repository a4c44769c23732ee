import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { pressedAt } from './pressed.ts'

const file = JSON.stringify(join(import.meta.dirname, 'pressed.ts'))

/** A process with that name, which is there before the function returns. */
async function begin(argv0: string) {
  const child = spawn(process.execPath, ['-e', "console.log('here'); setInterval(() => 0, 1000)"], {
    argv0,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  await once(child.stdout, 'data')
  return child
}

/** By how many milliseconds a process that begins now says that it was pressed before, its parent being that one. */
async function aheadBy(parent: number | undefined): Promise<number> {
  const script = `const { pressedAt } = await import(${file}); console.log(performance.timeOrigin - pressedAt(${parent}))`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script])
  const [text] = await once(child.stdout, 'data')
  return Number(text)
}

test('a start counts from when npm began, whatever that did before', async () => {
  const before = performance.now()
  const npm = await begin('npm start')
  try {
    const ahead = await aheadBy(npm.pid)
    expect(ahead).toBeGreaterThan(0)
    // Linux counts in hundredths of a second.
    expect(ahead).toBeLessThan(performance.now() - before + 10)
  } finally {
    npm.kill('SIGKILL')
  }
})

test('without npm, from when the process itself began', async () => {
  const shell = await begin('bash')
  try {
    expect(await aheadBy(shell.pid)).toBe(0)
    expect(pressedAt(2 ** 30)).toBe(performance.timeOrigin)
  } finally {
    shell.kill('SIGKILL')
  }
})
