/** One log file per process, in `<dataDir>/logs`; a large one is set aside when the product starts. */
import { openSync } from 'node:fs'
import { mkdir, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'

const limitBytes = 10_000_000

export function logFile(dataDir: string, name: string): string {
  return join(dataDir, 'logs', `${name}.log`)
}

export function openLog(dataDir: string, name: string): number {
  return openSync(logFile(dataDir, name), 'a', 0o600)
}

export async function rotateLogs(dataDir: string, names: readonly string[]): Promise<void> {
  await mkdir(join(dataDir, 'logs'), { recursive: true })
  for (const name of names) {
    const file = logFile(dataDir, name)
    const info = await stat(file).catch(() => null)
    if (info && info.size > limitBytes) await rename(file, `${file}.1`)
  }
}
