/** Sends what a node says, or leaves the caller without an answer. */
import type { FastifyReply } from 'fastify'
import type { Reply } from './ask.ts'

/** A connection that hangs ends with its client, or with the node. */
export function sendReply(reply: FastifyReply, said: Reply): FastifyReply {
  if (!('silence' in said)) return reply.code(said.status).header('content-type', said.type).send(said.body)
  reply.hijack()
  if (said.silence === 'close') reply.raw.destroy()
  return reply
}
