import type { Ability } from '@aval/contract'
import { client } from '../../api/client.ts'
import { operatorQuery } from './calls.ts'

const selfApi = client.injectEndpoints({
  endpoints: (build) => ({ operatorSelf: operatorQuery(build, 'operatorSelf', () => 'operator/me/') }),
})

export const { useOperatorSelfQuery } = selfApi

/** What the operator's role allows; nothing until that is known. The server decides: this only leaves out what it would refuse. */
export function useAbilities() {
  const { data } = useOperatorSelfQuery()
  return { role: data?.role ?? null, may: (ability: Ability) => data?.abilities.includes(ability) === true }
}
