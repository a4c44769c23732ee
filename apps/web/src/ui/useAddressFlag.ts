import { useCallback } from 'react'
import { useLocation, useNavigate } from 'react-router'

/**
 * Whether the address says `?name=value`, and a way to say so or to stop: what is open over a page, so that back closes it
 * and a link leads to it. The rest of the address stays.
 * @param replaces whether a change is no step to go back on
 */
export function useAddressFlag(
  name: string,
  value: string,
  replaces = false,
): readonly [isSet: boolean, set: (on: boolean) => void] {
  const { search } = useLocation()
  const navigate = useNavigate()
  const isSet = new URLSearchParams(search).get(name) === value
  const set = useCallback(
    (on: boolean) => {
      const { pathname, hash, search: now } = window.location
      const params = new URLSearchParams(now)
      if (on) params.set(name, value)
      else params.delete(name)
      const query = params.toString()
      void navigate({ pathname, search: query === '' ? '' : `?${query}`, hash }, { replace: replaces })
    },
    [name, value, replaces, navigate],
  )
  return [isSet, set]
}
