/** Builds the web app when its sources changed since the last build. */
import type { ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { globSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { root } from '../core/config.ts'
import { runTask } from './task.ts'

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
  env: Readonly<Record<string, string>>,
  started: (child: ChildProcess) => void = () => undefined,
): Promise<void> {
  const sourcesNow = await fingerprint()
  const vite = join(
    dirname(createRequire(join(web, 'package.json')).resolve('vite/package.json')),
    'bin',
    'vite.js',
  )
  await runTask(
    {
      name: 'web-build',
      failure: 'The web app could not be built',
      entry: vite,
      args: ['build', '--emptyOutDir', '--logLevel', 'warn'],
      cwd: web,
      env: { ...env, NODE_ENV: 'production' },
      heapMb: 1_024,
    },
    dataDir,
    started,
  )
  await writeFile(stampOf(web), sourcesNow)
}
