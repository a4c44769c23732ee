/** Answers that stay open: the head is sent at once, and the handler's function writes the rest when there is something. */
import type { ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { PART_POLICY } from './policy.ts'

/** Takes over the connection of an answer whose head is sent. */
export type OpenAnswer = (connection: ServerResponse) => void

/** What the handler of a route that `staysOpen` returns. */
export const openAnswer = z.custom<OpenAnswer>((value) => typeof value === 'function')

/** Of all headers those that mean something here: Node keeps the head of an answer for as long as that is open. */
const KEPT = /^(strict-transport-security|x-content-type-options)$/

/**
 * Nothing in between may keep, compress or buffer it. It ends with its connection, so what is written is what travels, with no
 * lengths around it.
 */
export function sendOpen(reply: FastifyReply, type: string, take: OpenAnswer): FastifyReply {
  reply.hijack()
  const { raw } = reply
  for (const name of raw.getHeaderNames()) if (!KEPT.test(name)) raw.removeHeader(name)
  raw.removeHeader('transfer-encoding')
  raw.writeHead(200, {
    'content-type': `${type}; charset=utf-8`,
    'cache-control': 'no-cache, no-transform',
    'content-security-policy': PART_POLICY,
    'x-accel-buffering': 'no',
    connection: 'close',
  })
  raw.flushHeaders()
  take(raw)
  return reply
}
