/** What the frame around every page of members asks. */
const OF_MEMBERS = ['auth/user/', 'core/dashboard/']
const MEMBERS_PAGES =
  /^\/(dashboard|payments|network-marketing|referrals|withdrawals|investment-history|profile|security|operator)\/?$/
/** What the most visited of them asks as well. */
const HOME = /^\/dashboard\/?$/

/** The first questions of a page, by the path it is opened at; `calls.test.ts` holds them to what its parts ask. */
export function callsAtArrival(pathname: string): readonly string[] {
  if (!MEMBERS_PAGES.test(pathname)) return []
  return HOME.test(pathname) ? [...OF_MEMBERS, 'reserves/'] : OF_MEMBERS
}
