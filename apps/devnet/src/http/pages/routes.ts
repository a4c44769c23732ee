/** All pages and what they look like. */
import type { FastifyInstance } from 'fastify'
import type { Chain } from '../../chain/chain.ts'
import type { DevWallet } from '../../chain/dev-wallet.ts'
import { checkoutPages } from './checkout.ts'
import { explorerPages } from './explorer.ts'
import { ICON, STYLE } from './style.ts'

/** Adds the pages. */
export function pageRoutes(app: FastifyInstance, chain: Chain, wallet: DevWallet): void {
  app.get('/style.css', async (_request, reply) => {
    return reply
      .header('content-type', 'text/css; charset=utf-8')
      .header('cache-control', 'max-age=300')
      .send(STYLE)
  })
  app.get('/icon.svg', async (_request, reply) => {
    return reply.header('content-type', 'image/svg+xml').header('cache-control', 'max-age=300').send(ICON)
  })
  explorerPages(app, chain, wallet)
  checkoutPages(app, chain, wallet)
}
