/** Builds the web app when its sources changed since the last build. */
import type { ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { globSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { childEnvironment, root } from '../core/config.ts'
import { type ProcessSpec, runTask } from './processes.ts'

/** Everything that ends up in the bundle. */
const sources = [
  'apps/web/{src,public}/**/*',
  'apps/web/*.{html,json,ts,cjs,mjs}',
  'packages/*/src/**/*',
  'package-lock.json',
]

const stampOf = (web: string) => join(web, 'dist', '.vite', 'sources')

/** Of the contents, not the times: a fresh checkout of the same sources is not stale. */
async function fingerprint(): Promise<string> {
  const files = globSync(sources, { cwd: root, withFileTypes: true })
  const paths = files.filter((file) => file.isFile() && !file.name.includes('.test.'))
  const hash = createHash('sha256')
  for (const path of paths.map((file) => join(file.parentPath, file.name)).sort()) {
    hash.update(`${path.slice(root.length)}\n`).update(await readFile(path))
  }
  return hash.digest('hex')
}

export async function isWebStale(web: string): Promise<boolean> {
  const stamp = await readFile(stampOf(web), 'utf8').catch(() => '')
  return stamp !== (await fingerprint())
}

/** @throws Refusal when vite refuses. */
export async function buildWeb(
  web: string,
  dataDir: string,
  env: ProcessSpec['env'],
  started: (child: ChildProcess) => void = () => undefined,
): Promise<void> {
  const sourcesNow = await fingerprint()
  const vite = createRequire(join(web, 'package.json')).resolve('vite/package.json')
  const spec = {
    name: 'web-build',
    failure: 'The web app could not be built',
    entry: join(dirname(vite), 'bin', 'vite.js'),
    args: ['build', '--emptyOutDir', '--logLevel', 'warn'],
    cwd: web,
    env: { ...env, NODE_ENV: 'production' },
    heapMb: 1_024,
  }
  await runTask(spec, dataDir, started)
  await writeFile(stampOf(web), sourcesNow)
}

/** For the checks and the journeys. @throws with what vite said when the app does not build. */
export async function ensureWebBuild(): Promise<void> {
  const web = join(root, 'apps/web')
  if (!(await isWebStale(web))) return
  const folder = await mkdtemp(join(tmpdir(), 'aval-web-build-'))
  await mkdir(join(folder, 'logs'))
  try {
    await buildWeb(web, folder, childEnvironment())
  } catch {
    throw new Error(await readFile(join(folder, 'logs', 'web-build.log'), 'utf8'))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
