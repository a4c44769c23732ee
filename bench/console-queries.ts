/** What each list of the console is asked for where that decides how it is read; a call that is not here is asked as it is. */
export const CONSOLE_QUERIES: Readonly<Record<string, readonly string[]>> = {
  '/operator/audit/': [
    '',
    '?who=m500000',
    '?action=session',
    '?subject=member:500000',
    '?outcome=refused',
    '?from=2020-01-01&to=2020-12-31',
  ],
  '/operator/operators/candidate/': ['?name=m500000'],
  '/operator/investments/': ['?member=m500000'],
  '/operator/support/': [
    '',
    '?state=open',
    '?state=mine',
    '?state=unassigned',
    '?state=answered',
    '?state=closed',
  ],
  '/operator/withdrawals/': ['', '?state=closed'],
}
