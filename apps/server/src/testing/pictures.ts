/** The program that draws pictures, as the supervisor starts it. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export async function startPictures() {
  const folder = mkdtempSync(join(tmpdir(), 'aval-pictures-'))
  const socket = join(folder, 'draw.sock')
  const child = fork(new URL('../pictures/main.ts', import.meta.url), {
    env: { PICTURES_SOCKET: socket, NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '' },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const gone = once(child, 'exit')
  await once(child, 'message')
  return {
    socket,
    /** It is away after this. */
    async stop() {
      child.kill('SIGKILL')
      await gone
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
