import type { Config } from '../config.ts'
import type { Api } from './api.ts'
import { onMissing } from './errors.ts'
import { securityText } from './security-text.rules.ts'

/** Not there unless a contact is set: no page of the app stands in for it. */
export function serveSecurityText(
  app: Api,
  { securityContact, publicUrl }: Pick<Config, 'securityContact' | 'publicUrl'>,
): void {
  app.get('/.well-known/security.txt', { schema: { hide: true } }, (request, reply) => {
    if (securityContact === null) return onMissing(request, reply)
    return reply
      .header('cache-control', 'no-cache')
      .type('text/plain; charset=utf-8')
      .send(securityText(securityContact, publicUrl, new Date()))
  })
}
