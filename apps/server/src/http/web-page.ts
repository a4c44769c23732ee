/**
 * The app's one page as it leaves the server, which knows which page of it was asked for. Whoever previews a link runs no
 * script, so it is told here what it shows; a browser is told what it will need.
 */
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'

/** In the app's first language; it says nothing about who invited whom. */
const INVITATION = {
  title: 'Te invitaron a Aval',
  description: 'Crea tu cuenta con este enlace y mira de dónde sale cada pago.',
}
const INVITATION_PATH = /^\/auth\/register\/\d{1,20}\/?$/

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')

function withMeta(html: string, property: string, content: string): string {
  const tag = new RegExp(`(<meta property="${property}" content=")[^"]*(")`)
  return html.replace(tag, (_whole, before: string, after: string) => `${before}${escaped(content)}${after}`)
}

export const pathOf = (request: FastifyRequest): string => request.url.split('?')[0] ?? ''

/** What the build says a page needs beyond what the built page names; paths of files, by path of the page. */
export type Arrivals = Readonly<Record<string, readonly string[]>>
const arrivalsFile = z.record(z.string(), z.array(z.string().regex(/^\/assets\/[\w.-]+$/)))

/** @param text of the build's file; null when it wrote none */
export const readArrivals = (text: string | null): Arrivals =>
  text === null ? {} : arrivalsFile.parse(JSON.parse(text))

function hintOf(file: string): string {
  const href = `href="${file}"`
  return file.endsWith('.css')
    ? `<link rel="preload" as="style" crossorigin ${href}>`
    : `<link rel="modulepreload" fetchpriority="low" crossorigin ${href}>`
}

/** The scripts that the page has in itself, as a browser hashes them. */
export const scriptsIn = (html: string): string[] =>
  [...html.matchAll(/<script>(.*?)<\/script>/gs)].map(([, script = '']) => script)

/** Names the files of the page that was asked for, so that they come along with the first ones. */
export function withHints(html: string, arrivals: Arrivals, path: string): string {
  const files =
    Object.entries(arrivals).find(([page]) => path === page || path.startsWith(`${page}/`))?.[1] ?? []
  return html.replace('</head>', () => `${files.map(hintOf).join('')}</head>`)
}

/**
 * @param html the built page
 * @param publicUrl where people reach the product: previews follow absolute addresses alone
 * @param path of the page that was asked for
 */
export function pageFor(html: string, publicUrl: string, path: string): string {
  const picture = withMeta(html, 'og:image', `${publicUrl}/og.png`)
  if (!INVITATION_PATH.test(path)) return withMeta(picture, 'og:url', `${publicUrl}/`)
  const invited = withMeta(picture, 'og:url', `${publicUrl}${path}`)
  return withMeta(withMeta(invited, 'og:title', INVITATION.title), 'og:description', INVITATION.description)
}
