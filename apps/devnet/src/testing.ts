/** What the tests share: a chain in a folder of its own, mined by call, on a clock that stands still. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Devnet, type DevnetOptions, startDevnet } from './start.ts'

/** 1 June 2030, 12:00 UTC: far from now, so that nothing passes by chance because it used the real clock. */
export const NOON = Date.UTC(2030, 5, 1, 12)

export interface TestDevnet extends Devnet {
  readonly dataDir: string
  /** POSTs JSON to a path and returns the parsed answer. */
  post(path: string, body?: unknown): Promise<Record<string, unknown>>
  /** Closes the chain and removes its folder. */
  remove(): Promise<void>
}

/** Starts a chain for a test; give `dataDir` to open an old one again. */
export async function testDevnet(options: Partial<DevnetOptions> = {}): Promise<TestDevnet> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'aval-devnet-'))
  const devnet = await startDevnet({ now: () => NOON, solidLag: 3, ...options, dataDir })
  return {
    ...devnet,
    dataDir,
    post: async (path, body) => {
      const response = await fetch(devnet.url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body ?? {}),
      })
      return (await response.json()) as Record<string, unknown>
    },
    remove: async () => {
      await devnet.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
