import type { Page } from '@aval/contract'
import type { client } from '../../api/client.ts'
import { conforms, type SchemaName, type Wire } from '../../api/conforms.ts'
import type { Failure } from '../../api/failure.ts'

type Builder = Parameters<Parameters<typeof client.injectEndpoints>[0]['endpoints']>[0]

/** A query of operators: what they do makes it stale, and an answer that is none of the contract's counts as damaged. */
export const operatorQuery = <Name extends SchemaName, Argument = void>(
  build: Builder,
  schema: Name,
  path: (argument: Argument) => string,
) =>
  // A path without an argument makes a call without one, whatever TypeScript would take from around it.
  build.query<Wire<Name>, NoInfer<Argument>>({
    query: (argument) => ({ path: path(argument), fits: conforms((contract) => contract[schema]) }),
    providesTags: ['Operator'],
  })

/** The same, of a page of a list; the schema is that of a row. */
export const operatorList = <Name extends SchemaName, Argument>(
  build: Builder,
  schema: Name,
  path: (argument: Argument) => string,
) =>
  build.query<Page<Wire<Name>>, Argument>({
    query: (argument) => ({
      path: path(argument),
      fits: conforms((contract) => contract.pageOf(contract[schema])),
    }),
    providesTags: ['Operator'],
  })

/** What the stream of events asks for again (features/events/stale.ts), besides all of what operators do themselves. */
const LIVE = [{ type: 'Operator', id: 'live' }] as const

/** A query that shows what others do within a second or two; not of what is read page by page, nor of long sums. */
export const live = <Definition extends object>(definition: Definition): Definition => ({
  ...definition,
  providesTags: LIVE,
})

/** How a decision is confirmed. It is no part of what is decided: the same decision keeps its key with another code. */
export interface Coded {
  otp: string
  idempotencyKey: string
}

/** A decision on its way, answered by a sentence. */
export const decision = (path: string, { otp, idempotencyKey }: Coded, body: object) => ({
  path,
  method: 'POST' as const,
  headers: { 'Idempotency-Key': idempotencyKey },
  body: { ...body, otp },
  fits: isMessage(),
})

/** The answer to what operators do: `{ message }`, in their language. */
export type Message = Wire<'messageObject'>
export const isMessage = () => conforms((contract) => contract.messageObject)

/** What a payout run changes, the operator's own payments included. */
export const CHANGED_BY_PAYING = ['Operator', 'Payments', 'Dashboard', 'User'] as const

/** Another operator was faster: what is shown is out of date. */
export const isOutdated = (failure: unknown) => (failure as Failure | undefined)?.status === 409
