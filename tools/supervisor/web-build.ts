/** Builds the web app and the approvals page when their sources changed since the last build. */
import type { ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { globSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { childEnvironment, root } from '../core/config.ts'
import { type ProcessSpec, runTask } from './processes.ts'

/** Everything that ends up in the bundle of an app. */
const sourcesOf = (app: string) => [
  `apps/${app}/{src,public,page}/**/*`,
  `apps/${app}/*.{html,json,ts,cjs,mjs}`,
  'packages/*/src/**/*',
  'package-lock.json',
]

const stampOf = (folder: string) => join(folder, 'dist', '.vite', 'sources')

/** Of the contents, not the times: a fresh checkout of the same sources is not stale. */
async function fingerprint(folder: string): Promise<string> {
  const files = globSync(sourcesOf(basename(folder)), { cwd: root, withFileTypes: true })
  const paths = files.filter((file) => file.isFile() && !file.name.includes('.test.'))
  const hash = createHash('sha256')
  for (const path of paths.map((file) => join(file.parentPath, file.name)).sort()) {
    hash.update(`${path.slice(root.length)}\n`).update(await readFile(path))
  }
  return hash.digest('hex')
}

/** @param folder of the app, below `apps/` */
export async function isStale(folder: string): Promise<boolean> {
  const stamp = await readFile(stampOf(folder), 'utf8').catch(() => '')
  return stamp !== (await fingerprint(folder))
}

/** @throws Refusal when vite refuses. */
export async function buildApp(
  folder: string,
  dataDir: string,
  env: ProcessSpec['env'],
  started: (child: ChildProcess) => void = () => undefined,
): Promise<void> {
  const sourcesNow = await fingerprint(folder)
  const vite = createRequire(join(folder, 'package.json')).resolve('vite/package.json')
  const spec = {
    name: `${basename(folder)}-build`,
    failure: `The pages of ${basename(folder)} could not be built`,
    entry: join(dirname(vite), 'bin', 'vite.js'),
    args: ['build', '--emptyOutDir', '--logLevel', 'warn'],
    cwd: folder,
    env: { ...env, NODE_ENV: 'production' },
    heapMb: 1_024,
  }
  await runTask(spec, dataDir, started)
  await mkdir(dirname(stampOf(folder)), { recursive: true })
  await writeFile(stampOf(folder), sourcesNow)
}

/** For the checks and the journeys. @throws with what vite said when one of them does not build. */
export async function ensureWebBuild(): Promise<void> {
  for (const app of ['web', 'approvals']) await ensureBuilt(join(root, 'apps', app))
}

async function ensureBuilt(app: string): Promise<void> {
  if (!(await isStale(app))) return
  const folder = await mkdtemp(join(tmpdir(), 'aval-web-build-'))
  await mkdir(join(folder, 'logs'))
  try {
    await buildApp(app, folder, childEnvironment())
  } catch {
    throw new Error(await readFile(join(folder, 'logs', `${basename(app)}-build.log`), 'utf8'))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
