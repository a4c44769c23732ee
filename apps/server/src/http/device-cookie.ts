/** The cookie of a known device: no script reads it, and it travels with calls of our own pages alone. */

const NAME = 'aval_device'
/** Half a year. */
const SECONDS = 180 * 24 * 3600

/** What the device holds; null where it holds nothing. */
export function readDeviceCookie(header: string | undefined): string | null {
  for (const pair of (header ?? '').slice(0, 4000).split(';')) {
    const [name, value = ''] = pair.trim().split('=')
    if (name === NAME && /^[\w-]{43}$/.test(value)) return value
  }
  return null
}

export function deviceCookie(publicUrl: string, token: string): string {
  const secure = publicUrl.startsWith('https:') ? '; Secure' : ''
  return `${NAME}=${token}; Path=/api/auth; Max-Age=${SECONDS}; HttpOnly; SameSite=Strict${secure}`
}
