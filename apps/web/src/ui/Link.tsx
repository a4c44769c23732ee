import type { AnchorHTMLAttributes } from 'react'
import { type To, useHref, useLinkClickHandler, useLocation } from 'react-router'

interface LinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> {
  to: To
  /** What the next page is told besides its address. */
  state?: unknown
}

/**
 * A link within the app. The router's own does the same and brings 4 kB for server rendering, which every visitor would
 * download.
 */
export function Link({ to, state, onClick, ...anchor }: LinkProps) {
  const href = useHref(to)
  const follow = useLinkClickHandler<HTMLAnchorElement>(to, { state })
  return (
    <a
      {...anchor}
      href={href}
      onClick={(event) => {
        onClick?.(event)
        // A modified click, or one for another tab, is the browser's.
        if (!event.defaultPrevented) follow(event)
      }}
    />
  )
}

/** A link of a navigation: it says where one is. */
export function NavLink({ to, ...link }: LinkProps & { to: string }) {
  const { pathname } = useLocation()
  const isHere = pathname === to || pathname.startsWith(`${to}/`)
  return <Link {...link} to={to} aria-current={isHere ? 'page' : undefined} />
}
