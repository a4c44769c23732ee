/** The app's one page as it leaves the server. Whoever previews a link runs no script, so it is told here what it shows. */
import type { FastifyRequest } from 'fastify'

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
