/** The web app as the checks and the journeys need it: built from the sources of this moment. */
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { childEnvironment } from './core/config.ts'
import { buildWeb, isWebStale } from './supervisor/web-build.ts'

/** @throws with what vite said when the app does not build. */
export async function ensureWebBuild(web: string): Promise<void> {
  if (!(await isWebStale(web))) return
  const folder = await mkdtemp(join(tmpdir(), 'aval-web-build-'))
  await mkdir(join(folder, 'logs'))
  try {
    const env = Object.entries(childEnvironment()).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    )
    await buildWeb(web, folder, Object.fromEntries(env))
  } catch {
    throw new Error(await readFile(join(folder, 'logs', 'web-build.log'), 'utf8'))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
