/**
 * Who sees what of a member, as the terms say it. The words are in the texts; a test compares these lists with what the answers hold,
 * so that nothing is shown that is not said here.
 */
export const DISCLOSURE = {
  sponsor: ['username', 'email', 'phone', 'joined', 'active', 'invested', 'team', 'master'],
  upline: [
    'username',
    'name',
    'picture',
    'hiddenEmail',
    'joined',
    'active',
    'invested',
    'investments',
    'team',
    'place',
    'master',
  ],
  referrals: ['firstName'],
  operators: ['username', 'email', 'money', 'wallet', 'devices', 'chat'],
  company: ['everything'],
  chain: ['addresses', 'transfers'],
} as const

export type Viewer = keyof typeof DISCLOSURE
export type Disclosed = (typeof DISCLOSURE)[Viewer][number]

export const VIEWERS = Object.keys(DISCLOSURE) as Viewer[]

/** What is kept, and for how long; in the order in which it is said. */
export const KEPT = [
  'sessions',
  'known_devices',
  'failed_tries',
  'codes',
  'mails',
  'answers',
  'account',
  'closed_traces',
  'closed_years',
  'movements',
] as const
