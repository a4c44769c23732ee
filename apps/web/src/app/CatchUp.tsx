import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'

const here = ({ pathname, search, hash }: Pick<Location, 'pathname' | 'search' | 'hash'>) =>
  `${pathname}${search}${hash}`

/**
 * The router begins to listen once what it drew stands in the page, which on a slow phone takes a while: who went back meanwhile
 * would see the page that was left, under the address of the other, until the next step. Stands first in the router, so that no
 * other part has gone anywhere yet.
 */
export function CatchUp(): null {
  const drawn = useRef(here(useLocation()))
  useEffect(() => {
    if (here(window.location) !== drawn.current)
      window.dispatchEvent(new PopStateEvent('popstate', { state: window.history.state }))
  }, [])
  return null
}
