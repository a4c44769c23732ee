/** What the tests share: a chain of their own, mined by call, on a clock that stands still. */
import { type Devnet, type DevnetNode, type DevnetOptions, startDevnet } from './start.ts'

/** 1 June 2030, 12:00 UTC: far from now, so that nothing passes by chance because it used the real clock. */
export const NOON = Date.UTC(2030, 5, 1, 12)

export interface TestDevnet extends Devnet {
  /** POSTs JSON to a path of the first node (or of another) and returns the parsed answer. */
  post(path: string, body?: unknown, node?: DevnetNode): Promise<Record<string, unknown>>
}

/** Starts a chain for a test, in memory; give `dataDir` to have it on disk and open it again. */
export async function testDevnet(
  options: Omit<DevnetOptions, 'dataDir' | 'memory'> & { readonly dataDir?: string } = {},
): Promise<TestDevnet> {
  const { dataDir, ...rest } = options
  const place = dataDir === undefined ? ({ memory: true } as const) : { dataDir }
  const devnet = await startDevnet({ now: () => NOON, solidLag: 3, ...rest, ...place })
  return {
    ...devnet,
    post: async (path, body, node) => {
      const response = await fetch((node ?? devnet).url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body ?? {}),
      })
      return (await response.json()) as Record<string, unknown>
    },
  }
}
