/** Which files of the built web app a first visit of a page needs: those that its HTML names, and those that the server adds. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const arrivalsFile = z.record(z.string(), z.array(z.string()))

/** @param html of the page; @param arrivals what else each address begins with, as the build wrote it down */
export function routeFiles(html: string, arrivals: string, path: string): { js: string[]; css: string[] } {
  const extra = arrivalsFile.parse(JSON.parse(arrivals))[path]
  if (extra === undefined) throw new Error(`the web app was built without an arrival at ${path}`)
  const named = [...html.matchAll(/(?:src|href)="(\/[\w./-]+\.(?:js|css))"/g)].map(([, file = '']) => file)
  const all = [...new Set([...named, ...extra])]
  const ending = (end: string) => all.filter((file) => file.endsWith(end))
  return { js: ending('.js'), css: ending('.css') }
}

/** Paths from `folder`, where the project lies. */
export function filesOfPage(folder: string, path: string): { js: string[]; css: string[] } {
  const dist = 'apps/web/dist'
  const read = (name: string) => readFileSync(join(folder, dist, name), 'utf8')
  const { js, css } = routeFiles(read('index.html'), read('.vite/arrivals.json'), path)
  const inDist = (file: string) => `${dist}${file}`
  return { js: js.map(inDist), css: css.map(inDist) }
}
