/** The calls of the shell, on every page of members. */
const OF_MEMBERS = ['auth/user/', 'core/dashboard/']
const MEMBERS_PAGES =
  /^\/(dashboard|payments|network-marketing|referrals|withdrawals|investment-history|profile|security)\/?$/
/** The most visited page, which makes one more call. */
const HOME = /^\/dashboard\/?$/

/** But for its page of invitations, which members see. */
const CONSOLE = /^\/operator(?!\/invi)/

/** The first calls of a page, by its path; `calls.test.ts` compares them with the calls of its components. */
export function callsAtArrival(pathname: string): readonly string[] {
  if (CONSOLE.test(pathname)) return ['auth/user/', 'operator/me/']
  if (!MEMBERS_PAGES.test(pathname)) return []
  return HOME.test(pathname) ? [...OF_MEMBERS, 'reserves/'] : OF_MEMBERS
}
