/** Where a member lands who was not on the way to anywhere. */
export const HOME = '/dashboard'

/**
 * The page to go to after signing in. Only paths of this origin are honoured: a link that signs someone in and then
 * carries them to another site is a classic trap, with `//host`, `/\host`, tabs or control characters in disguise.
 */
export function nextPath(next: string | null, origin: string): string {
  if (next === null || !next.startsWith('/')) return HOME
  try {
    const url = new URL(next, origin)
    if (url.origin !== origin || url.username !== '') return HOME
    // `/.//host` is a path of this origin to the parser, and another host to whatever is handed its path.
    if (url.pathname.startsWith('//')) return HOME
    // Signing in again, or the root that leads back to it, would be a circle.
    if (url.pathname === '/' || url.pathname.startsWith('/auth')) return HOME
    return `${url.pathname}${url.search}${url.hash}`
  } catch {
    return HOME
  }
}

/** The sign-in address that leads back to where a visitor wanted to go. */
export function signInPath(wanted: { pathname: string; search: string; hash: string }): string {
  const path = `${wanted.pathname}${wanted.search}${wanted.hash}`
  return `/auth/login/?next=${encodeURIComponent(path)}`
}
