import 'i18next'

/** Every text by its key: a missing or misspelt one does not compile. Spanish is the measure; a test holds English to it. */
declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'app'
    resources: {
      app: typeof import('./locales/es.json')
      ui: typeof import('../ui/locales/es.json')
      appearance: typeof import('../features/appearance/locales/es.json')
      dashboard: typeof import('../features/dashboard/locales/es.json')
      demo: typeof import('../features/demo/locales/es.json')
      earnings: typeof import('../features/earnings/locales/es.json')
      'genealogy/referrals': typeof import('../features/genealogy/referrals/locales/es.json')
      'genealogy/tree': typeof import('../features/genealogy/tree/locales/es.json')
      identity: typeof import('../features/identity/locales/es.json')
      'identity/invitation': typeof import('../features/identity/invitation/locales/es.json')
      'identity/privacy': typeof import('../features/identity/privacy/locales/es.json')
      'identity/profile': typeof import('../features/identity/profile/locales/es.json')
      'identity/views': typeof import('../features/identity/views/locales/es.json')
      'identity/new-password': typeof import('../features/identity/new-password/locales/es.json')
      'identity/security': typeof import('../features/identity/security/locales/es.json')
      investments: typeof import('../features/investments/locales/es.json')
      'reserves/line': typeof import('../features/reserves/line/locales/es.json')
      reserves: typeof import('../features/reserves/locales/es.json')
      support: typeof import('../features/support/locales/es.json')
      withdrawals: typeof import('../features/withdrawals/locales/es.json')
      'console/audit': typeof import('../console/audit/locales/es.json')
      'console/deposits': typeof import('../console/deposits/locales/es.json')
      'console/notifications': typeof import('../console/notifications/locales/es.json')
      'console/operators': typeof import('../console/operators/locales/es.json')
      'console/members/acts': typeof import('../console/members/acts/locales/es.json')
      'console/members': typeof import('../console/members/locales/es.json')
      'console/payout-runs': typeof import('../console/payout-runs/locales/es.json')
      'console/plan': typeof import('../console/plan/locales/es.json')
      'console/reserves': typeof import('../console/reserves/locales/es.json')
      'console/reversals': typeof import('../console/reversals/locales/es.json')
      'console/search': typeof import('../console/search/locales/es.json')
      'console/shared': typeof import('../console/shared/locales/es.json')
      'console/support': typeof import('../console/support/locales/es.json')
      'console/today': typeof import('../console/today/locales/es.json')
      'console/treasury': typeof import('../console/treasury/locales/es.json')
      'console/withdrawals': typeof import('../console/withdrawals/locales/es.json')
    }
  }
}
