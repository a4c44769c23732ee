import type { client } from '../../api/client.ts'
import { type Contract, conforms, type Schema } from '../../api/conforms.ts'

type Builder = Parameters<Parameters<typeof client.injectEndpoints>[0]['endpoints']>[0]

/** A query of operators: what they do makes it stale, and an answer that is none of the contract's counts as damaged. */
export const operatorQuery = <Data, Argument = void>(
  build: Builder,
  path: (argument: Argument) => string,
  schemaOf: (contract: Contract) => Schema,
) =>
  build.query<Data, Argument>({
    query: (argument) => ({ path: path(argument), fits: conforms(schemaOf) }),
    providesTags: ['Operator'],
  })
