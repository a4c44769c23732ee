/**
 * A member's picture, asked for from the host that the page is on. On the wire it is absolute, under the host that people
 * use; opened under another name of the same server, the page's policy would block it as a stranger's.
 */
export const picturePath = (url: string): string => url.replace(/^https?:\/\/[^/]+(?=\/api\/avatars\/)/, '')
