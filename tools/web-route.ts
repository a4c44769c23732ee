/** Which files of the built web app a route needs, by vite's manifest. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const chunk = z.object({
  file: z.string(),
  imports: z.array(z.string()).default([]),
  css: z.array(z.string()).default([]),
})
const manifest = z.record(z.string(), chunk)
export type Manifest = z.infer<typeof manifest>

/** What every first visit loads: the entry, and the texts of one language that every page has. */
const always = [/^index\.html$/, /^src\/(app|ui)\/locales\/es\.json$/]

/** What a first visit of a page loads beside that. */
const pages = {
  login: [/\/SignInPage\.tsx$/, /^src\/features\/auth\/locales\/es\.json$/],
  dashboard: [
    /^src\/app\/MemberApp\.tsx$/,
    /^src\/app\/MemberDashboard\.tsx$/,
    /^src\/features\/(dashboard|reserves|demo)\/locales\/es\.json$/,
  ],
} as const
export type Page = keyof typeof pages

/** The chunks matched by `roots`, everything they import statically, and the styles of all of them. */
export function routeFiles(chunks: Manifest, roots: readonly RegExp[]): { js: string[]; css: string[] } {
  const waiting = roots.flatMap((pattern) => {
    const found = Object.keys(chunks).filter((key) => pattern.test(key))
    if (found.length === 0) throw new Error(`no chunk of the web app matches ${pattern}`)
    return found
  })
  const seen = new Set<string>()
  for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
    if (seen.has(key)) continue
    seen.add(key)
    waiting.push(...(chunks[key]?.imports ?? []))
  }
  const used = [...seen].flatMap((key) => chunks[key] ?? [])
  const js = used.map(({ file }) => file).filter((file) => file.endsWith('.js'))
  const css = [...used.flatMap((entry) => entry.css), ...used.map(({ file }) => file)]
  return { js: [...new Set(js)], css: [...new Set(css.filter((file) => file.endsWith('.css')))] }
}

/** Paths from `folder`, where the project lies. */
export function filesOfPage(folder: string, page: Page): { js: string[]; css: string[] } {
  const dist = 'apps/web/dist'
  const text = readFileSync(join(folder, dist, '.vite/manifest.json'), 'utf8')
  const { js, css } = routeFiles(manifest.parse(JSON.parse(text)), [...always, ...pages[page]])
  const inDist = (file: string) => `${dist}/${file}`
  return { js: js.map(inDist), css: css.map(inDist) }
}
