/** An e-mail address that says little of whose it is: `l•••@g•••.com`. Each part keeps its first letter, whatever its length. */
function hideEmail(email: string): string {
  const at = email.lastIndexOf('@')
  if (at < 0) return ''
  const [domain, ending] = [email.slice(at + 1), email.slice(email.lastIndexOf('.'))]
  const first = (text: string) => [...text][0] ?? ''
  return `${first(email)}•••@${first(domain)}•••${ending.includes('@') ? '' : ending}`
}

/** Another member's e-mail as a member sees it: whole for who introduced that member, hidden for everybody else above. */
export function shownEmail(email: string, isOwnReferral: boolean): string {
  return isOwnReferral ? email : hideEmail(email)
}
