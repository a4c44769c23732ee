const DAY = 24 * 3600 * 1000
/** RFC 9116 recommends less than a year. */
const GOOD_FOR = 180 * DAY

/**
 * `security.txt` (RFC 9116): where to report a hole.
 * @param contact an address beginning with mailto: or https:
 * @param now system time: it is good for half a year from each reading
 */
export function securityText(contact: string, publicUrl: string, now: Date): string {
  return [
    `Contact: ${contact}`,
    `Expires: ${new Date(now.getTime() + GOOD_FOR).toISOString()}`,
    'Preferred-Languages: es, en',
    `Canonical: ${publicUrl}/.well-known/security.txt`,
    '',
  ].join('\n')
}
