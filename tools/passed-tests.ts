/** Which tests `npm test` passed, and on which sources: `npm run test:all` does not run them again. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { root } from './core/config.ts'
import type { Executed, Outcome } from './tests.ts'

const MOST_BYTES_OF_A_DIFF = 1 << 30
const file = join(root, 'node_modules/.cache/passed-tests.json')
const passed = z.object({
  sources: z.string(),
  executed: z.array(z.object({ file: z.string(), title: z.string() })),
})

/** Of everything but what Git ignores; null outside of a checkout. @param folder of the checkout */
export function sourcesHash(folder = root): string | null {
  const git = (...args: string[]) =>
    execFileSync('git', args, {
      cwd: folder,
      maxBuffer: MOST_BYTES_OF_A_DIFF,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  try {
    const hash = createHash('sha256').update(git('rev-parse', 'HEAD^{tree}')).update(git('diff', 'HEAD'))
    const added = git('ls-files', '--others', '--exclude-standard', '-z').toString().split('\0')
    for (const name of added) if (name !== '') hash.update(name).update(git('hash-object', name))
    return hash.digest('hex')
  } catch {
    return null
  }
}

/** Remembers what passed; a run in which something failed stands for nothing. */
export async function keepPassed({ failed, executed }: Outcome, sources: string | null): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, JSON.stringify(failed === 0 ? { sources, executed } : null))
}

/** What passed on these sources; null where `npm test` did not pass on them. */
export async function passedOn(sources: string | null): Promise<readonly Executed[] | null> {
  const text = await readFile(file, 'utf8').catch(() => 'null')
  const { data } = passed.safeParse(JSON.parse(text))
  return data !== undefined && data.sources === sources ? data.executed : null
}
