/** What the handler of a declared route is given besides its input. */

import type { Locale } from '@aval/contract'
import type { Region } from '@aval/contract/regions'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { CommitOnRefusalTx } from '../core/committed-refusal.ts'
import type { Context } from '../core/context.ts'
import { type Actor, type Device, deviceOf } from '../core/device.ts'
import type { Limits } from '../core/limits.ts'
import type { Reader } from '../core/messages.ts'
import { type Access, bearerOf, type Caller } from './access.ts'
import { deviceCookie, readDeviceCookie } from './device-cookie.ts'
import { attemptOf, keyOf } from './idempotency.ts'
import { localeOf, readerOfRequest, regionOfRequest } from './language.ts'
import { readSessionCookie } from './session-cookie.ts'

/** `idempotent`: one, that stores the answer under the Idempotency-Key as well. */
export type Transaction = 'idempotent' | 'none'

/** It is a `Context` too, so it can be handed to commands and queries as it is. */
export interface Call<A extends Access, T extends Transaction> extends Context {
  /** The signed-in member; null on a public route. */
  readonly caller: A extends 'public' ? null : Caller
  /** The transaction that stores the answer as well; null on a route without one. */
  readonly tx: T extends 'idempotent' ? CommitOnRefusalTx : null
  readonly locale: Locale
  /** Where the caller's figures are written; null where nothing says it. */
  readonly region: Region | null
  /** Both, for sentences with figures. */
  readonly reader: Reader
  readonly device: Device
  /** The access token as it was sent; on a public route nobody has verified it. */
  readonly bearer: string | null
  /** What a device in which somebody signed in before holds; it proves nothing but that. */
  readonly deviceToken: string | null
  /** On a route that declares `session`: what the browser of our own app holds; null for every other client. */
  readonly refreshToken: string | null
  /** System time when the handler began. Sessions, codes and mail live by it. */
  readonly systemNow: Date
  /** Business time, read once a call, and before the transaction begins. */
  now(): Promise<Date>
  /** Path and query as they were sent. */
  readonly url: string
  readonly idempotencyKey: string | null
  /** The hash of the request where it has an Idempotency-Key; null otherwise. */
  readonly attempt: string | null
  /** Counts against a limit that the route declares as `onDemand`. @throws Refusal `too_many_requests` */
  take(limit: keyof Limits): Promise<void>
  /** Sets a header of the answer. */
  header(name: string, value: string): void
  /** Gives the device what it is to hold; null: nothing new. */
  keepDevice(token: string | null): void
}

export type MemberCall = Call<'member', Transaction>
export type OperatorCall = Call<'operator', Transaction>

type Untyped = Omit<Call<'public', 'none'>, 'caller'> & { readonly caller: Caller | null }

interface Served {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly take: (limit: keyof Limits) => Promise<void>
}

/** @throws Refusal `idempotency_key_invalid` on a route with a transaction */
export function callOf(context: Context, { request, reply, take }: Served, hasTransaction: boolean): Untyped {
  const { config } = context
  let now: Promise<Date> | null = null
  return {
    ...context,
    caller: request.caller,
    tx: null,
    locale: localeOf(request),
    region: regionOfRequest(request),
    reader: readerOfRequest(request),
    device: deviceOf(request),
    bearer: bearerOf(request.headers.authorization),
    deviceToken: readDeviceCookie(config, request),
    refreshToken:
      request.routeOptions.config.route?.session === undefined ? null : readSessionCookie(config, request),
    systemNow: new Date(),
    now: () => {
      now ??= context.clock.now()
      return now
    },
    url: request.originalUrl,
    idempotencyKey: hasTransaction ? keyOf(request) : null,
    attempt: hasTransaction ? attemptOf(request) : null,
    take,
    header: (name, value) => {
      reply.header(name, value)
    },
    keepDevice: (token) => {
      if (token !== null) reply.header('set-cookie', deviceCookie(config, request, token))
    },
  }
}

/** The signed-in member behind a call, and the device. */
export function actorOf({ caller, device }: MemberCall): Actor {
  const { memberId, sessionId } = caller
  return { memberId, sessionId, device }
}
