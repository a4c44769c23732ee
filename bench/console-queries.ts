/** What each list of the console is asked for where that decides how it is read; a call that is not here is asked as it is, one with nothing not at all. */
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
  // Of one payment of one member, which is read in any network alike.
  '/operator/members/:member/why/:payment/': [],
  '/operator/plans/previews/:key/': [],
  '/operator/rates/cost/': ['?day=2026-11-20&percentage=0.1'],
  '/operator/runs/:id/items/': [
    '',
    '?view=largest',
    '?view=changes',
    '?view=gone',
    '?view=missed',
    '?member=m500000',
  ],
  '/operator/support/': [
    '',
    '?state=open',
    '?state=mine',
    '?state=unassigned',
    '?state=answered',
    '?state=closed',
  ],
  '/operator/transfers/': [
    '',
    '?fate=overpaid',
    '?fate=no_invoice&open=1',
    '?fate=wrong_token',
    '?fate=waiting',
    '?search=m500',
  ],
  '/operator/withdrawals/': ['', '?state=closed'],
}
