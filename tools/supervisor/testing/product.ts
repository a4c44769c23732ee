/** Starts the supervisor with stand-ins, as a person would, and watches what it says. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { childEnvironment } from '../../core/config.ts'

export type Started = ReturnType<typeof startProduct>

/** @param args of the command line */
export function startProduct(env: Readonly<Record<string, string>>, args: readonly string[] = []) {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'fake-start.ts'), ...args], {
    env: childEnvironment({ DATABASE_URL: undefined, NODE_OPTIONS: undefined, VITEST: undefined, ...env }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  const watchers = new Set<() => void>()
  const hear = (part: Buffer) => {
    text += part.toString('utf8')
    for (const watcher of watchers) watcher()
  }
  child.stdout.on('data', hear)
  child.stderr.on('data', hear)
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  /** Resolves when that was said. @throws when the supervisor ended before. */
  const said = (wanted: string) =>
    new Promise<void>((resolve, reject) => {
      const check = () => {
        if (text.includes(wanted)) resolve()
      }
      watchers.add(check)
      check()
      void ended.then(() => reject(new Error(`ended without saying "${wanted}":\n${text}`)))
    })
  return {
    process: child,
    /** Everything said so far. */
    output: () => text,
    said,
    ended,
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
